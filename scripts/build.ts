import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, minify, type Rolldown } from 'vite';
import type { BuiltFiles } from '#shared/rendered-page.ts';
import { buildExtension } from './build-extension.ts';
import { replaceFolder } from './replace-folder.ts';

/**
 * `npm run build`: builds the web app into dist/ and the renderer of pages into dist/render/, compresses the files, and
 * packs the browser extension. dist/ is replaced at the end, so that a failed build leaves the previous one.
 */
const root = join(import.meta.dirname, '..');

// Inside the project, where the temporary files are on the same disk as dist/.
const work = await mkdtemp(join(root, 'node_modules/.build-'));
const site = join(work, 'site');
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const { output } = (await build({ logLevel: 'warn', build: { outDir: site } })) as Rolldown.RolldownOutput;
const chunks = output.filter((part) => part.type === 'chunk');

// The renderer contains its packages: their versions for production, whatever NODE_ENV is.
await build({
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: join(site, 'render'),
    rolldownOptions: { input: { page: 'web/render.tsx' }, output: { codeSplitting: false } },
  },
});
const { renderThemeStyles } = await import(pathToFileURL(join(site, 'render/page.js')).href);

await writeFile(join(site, 'render/files.json'), JSON.stringify(await describeFiles(renderThemeStyles())));
await rm(join(site, 'index.html'));
await rm(join(site, 'first-paint.js'));
await compress(site);
await buildExtension(site);
await replaceFolder(site, join(root, 'dist'), work);

/** Describes for the server which files a page needs. */
async function describeFiles(themeStyles: string): Promise<BuiltFiles> {
  const html = await readFile(join(site, 'index.html'), 'utf8');
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('The build has no entry.');
  const always = [...html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)].map(([, file = '']) => file);
  const sheets = output.filter(({ fileName }) => fileName.endsWith('.css') && !always.includes(fileName));
  const firstPaint = await minify('first-paint.js', await readFile(join(site, 'first-paint.js'), 'utf8'));
  const styles = [...always.map(readSheet), themeStyles].join('');
  // No page waits for another file before its first paint.
  const template = html
    .replaceAll(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, '')
    // The app does not load a sheet that has a link.
    .replaceAll(/(<link rel="stylesheet"[^>]*)>/g, '$1 disabled>')
    .replace(/<title>.*?<\/title>/, '')
    .replace(
      /<script src="\/first-paint.js"><\/script>/,
      () => `<script nonce="__SCRIPT_NONCE__">${firstPaint.code}</script>`,
    )
    .replace('</head>', () => `<style nonce="__STYLE_NONCE__">${styles}</style><!--styles--></head>`)
    .replace('<div id="root"></div>', '<!--body-->')
    .replace(/\n\s*/g, '\n');
  return {
    template,
    styles: orderSheets(sheets.map(({ fileName }) => fileName)).map((file) => ({
      file,
      css: readSheet(file),
      classes: readClasses(readSheet(file)),
    })),
    entry: entry.fileName,
    imports: Object.fromEntries(chunks.map(({ fileName, imports }) => [fileName, imports])),
    components: Object.fromEntries(chunks.flatMap(findComponents)),
  };
}

/** Returns the names of the components that other chunks can load from this one. */
function findComponents({ fileName, modules }: Rolldown.OutputChunk): [string, string][] {
  const names = Object.values(modules).flatMap(({ renderedExports }) => renderedExports);
  return names.filter((name) => /^[A-Z]/.test(name)).map((name) => [name, fileName]);
}

/** Orders style sheets as the app loads them: those of components before those of the parts that use them. */
function orderSheets(sheets: readonly string[]): string[] {
  const isBase = ({ name }: { name: string }) => name === 'more-styles';
  const files = [...chunks.filter(isBase), ...chunks].map(({ fileName }) => fileName);
  const ordered = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const chunk = chunks.find(({ fileName }) => fileName === file);
    chunk?.imports.forEach(visit);
    for (const sheet of chunk?.viteMetadata?.importedCss ?? []) ordered.add(sheet);
  };
  files.forEach(visit);
  return [...ordered].filter((file) => sheets.includes(file));
}

function readSheet(file: string): string {
  const sheet = output.find(({ fileName }) => fileName === file);
  return sheet?.type === 'asset' ? String(sheet.source) : '';
}

function readClasses(css: string): string[] {
  return [...new Set([...css.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))];
}

/** Writes a `.br` and a `.gz` file next to each text file that is served unchanged. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (entry.startsWith('render/') || !/\.(?:js|css|svg|txt)$/.test(entry)) continue;
    const path = join(folder, entry);
    const bytes = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
