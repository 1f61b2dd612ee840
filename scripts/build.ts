import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, minify } from 'vite';
import { type FramedPage, framedPages, type PrerenderedPage, prerenderedPages } from '#shared/pages.ts';
import { buildExtension } from './build-extension.ts';
import { replaceFolder } from './replace-folder.ts';

/**
 * `npm run build`: builds the web app into dist/, prerenders the public pages, compresses the files, and packs the
 * browser extension. dist/ is replaced at the end, so that a failed build leaves the previous one.
 */
const root = join(import.meta.dirname, '..');

/**
 * The entry module of each prerendered page, or the name of its chunk in vite.config.ts. The HTML needs its styles
 * before scripts run.
 */
const screens: Record<PrerenderedPage | FramedPage, string> = {
  '/': 'site/home/home-page.tsx',
  '/check': 'checks/domain-lists/check-list-page.tsx',
  '/features': 'site/pages/features-page.tsx',
  '/use-cases': 'site/pages/use-cases-page.tsx',
  '/methodology': 'site/pages/methodology-page.tsx',
  '/updates': 'blacklist/updates/updates-page.tsx',
  '/extension': 'site/extension/extension-page.tsx',
  '/about': 'site/pages/about-page.tsx',
  '/contact': 'operations/messages/contact-page.tsx',
  '/api/docs': 'checks/api-docs/api-docs-page.tsx',
  '/privacy-policy': 'site/pages/privacy-policy-page.tsx',
  '/terms-of-service': 'site/pages/terms-of-service-page.tsx',
  '/pricing': 'site/pages/pricing-page.tsx',
  '/dashboard': 'blacklist',
  '/domains': 'blacklist',
  '/risk-assessment': 'reports/backlinks/risk-assessment-page.tsx',
};

const mantineStyles = /<style data-mantine-styles.*?<\/style>/gs;

type Manifest = Record<string, { file: string; name?: string; css?: string[]; imports?: string[] }>;

// Inside the project, so that the prerendered code finds its packages.
const work = await mkdtemp(join(root, 'node_modules/.build-'));
const site = join(work, 'site');
const code = join(work, 'code');
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

await build({ logLevel: 'warn', build: { manifest: true, outDir: site } });
const manifest: Manifest = JSON.parse(await readFile(join(site, '.vite/manifest.json'), 'utf8'));
await rm(join(site, '.vite'), { recursive: true });
const template = await readFile(join(site, 'index.html'), 'utf8');

await build({ logLevel: 'warn', publicDir: false, build: { ssr: 'prerender.tsx', outDir: code } });
const { prerender, prerenderFrame } = await import(pathToFileURL(join(code, 'prerender.js')).href);
for (const path of prerenderedPages) {
  await writeFile(join(site, toFileName(path)), renderPage(screens[path], await prerender(path)));
}
for (const path of framedPages) {
  for (const isAdmin of [false, true]) {
    const frame = renderFrame(path, await prerenderFrame(path, isAdmin));
    await writeFile(join(site, toFileName(path, isAdmin)), frame);
  }
}
await writeFile(join(site, 'not-found.html'), renderPage('shell/not-found.tsx', await prerender(undefined)));
// The server fills this frame for each domain.
const domainScreen = 'checks/domain-pages/domain-page.tsx';
await writeFile(join(site, 'domain.html'), renderPage(domainScreen, await prerender('domain')));
// Every page waits for this script before its first paint.
const firstPaint = join(site, 'first-paint.js');
await writeFile(firstPaint, (await minify(firstPaint, await readFile(firstPaint, 'utf8'))).code);
await compress(site);
// The code that fills this frame and that of the updates contains its packages: their versions for production, whatever
// NODE_ENV is.
await build({
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: join(site, 'render'),
    rolldownOptions: {
      input: { 'domain-page': 'web/checks/domain-pages/render.tsx', updates: 'web/blacklist/updates/render.tsx' },
    },
  },
});
await buildExtension(site);
await replaceFolder(site, join(root, 'dist'), work);

/** The file name of a prerendered page or the frame of a screen. All other screens use index.html. */
function toFileName(path: PrerenderedPage | FramedPage, isAdmin = false): string {
  return path === '/' ? 'home.html' : `${path.slice(1).replaceAll('/', '-')}${isAdmin ? '-admin' : ''}.html`;
}

interface Rendered {
  head: string;
  body: string;
}

/**
 * Renders a public page. It works without scripts, and its parts that need one have a separate hint.
 * @param screen the module whose scripts and styles are added
 */
function renderPage(screen: string, rendered: Rendered): string {
  const html = fillTemplate(rendered, collectFiles(screen, collectFiles('shell/early-presses.ts')));
  return replaceOnce(html, /<noscript>This page needs[^<]*<\/noscript>/, '');
}

/** Renders the frame of a screen for signed-in users. */
function renderFrame(path: FramedPage, rendered: Rendered): string {
  // As in web/routes.tsx, where only the route of the blacklist leaves them out.
  const base = path === '/risk-assessment' ? collectFiles('more-styles') : undefined;
  return fillTemplate(rendered, collectFiles(screens[path], base));
}

/**
 * Adds the head, the body, and the scripts and styles of a page to the template. public/first-paint.js loads the
 * scripts when they are needed.
 */
function fillTemplate({ head, body }: Rendered, { scripts, styles: sheets }: Files): string {
  const links = [
    ...[...sheets].map((file) => ({ file, tag: `<link rel="stylesheet" href="/${file}" />` })),
    ...[...scripts].map((file) => ({ file, tag: `<link rel="modulepreload" href="/${file}" />` })),
  ].filter(({ file }) => !template.includes(file));
  const withHead = replaceOnce(template, /<!--head-->.*<!--\/head-->/s, head);
  // In the body, Chromium can apply the variables of Mantine after the first paint, and the text then changes its size.
  const styles = body.match(mantineStyles)?.join('') ?? '';
  // After the files of the shell, as when the app loads the screen.
  const atEnd = [...links.map(({ tag }) => `  ${tag}\n`), styles, '</head>'].join('  ');
  const withStyles = replaceOnce(withHead, '</head>', atEnd);
  const withoutScripts = withStyles.replaceAll(/(?<=<(?:script type|link rel)=")module(?:preload)?/g, 'app');
  return replaceOnce(
    withoutScripts,
    '<div id="root"></div>',
    `<div id="root">${body.replace(mantineStyles, '')}</div>`,
  );
}

interface Files {
  scripts: Set<string>;
  styles: Set<string>;
}

/** Collects the scripts and styles of a module or chunk and its imports. @throws if the build does not contain it */
function collectFiles(name: string, found: Files = { scripts: new Set(), styles: new Set() }): Files {
  const part = manifest[name] ?? Object.values(manifest).find((chunk) => chunk.name === name && 'imports' in chunk);
  if (!part) throw new Error(`The build does not contain ${name}.`);
  const { file, css = [], imports = [] } = part;
  if (found.scripts.has(file)) return found;
  found.scripts.add(file);
  for (const style of css) found.styles.add(style);
  for (const other of imports) collectFiles(other, found);
  return found;
}

/** Replaces the first match. @throws if there is none */
function replaceOnce(text: string, pattern: string | RegExp, replacement: string): string {
  const result = text.replace(pattern, () => replacement);
  if (result === text) throw new Error(`web/index.html does not contain ${pattern}.`);
  return result;
}

/** Writes a `.br` and a `.gz` file next to each text file that is served unchanged. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (!/\.(?:js|css|svg|txt)$/.test(entry)) continue;
    const path = join(folder, entry);
    const bytes = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
