import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { type PrerenderedPage, prerenderedPages } from '#shared/pages.ts';
import { replaceFolder } from './replace-folder.ts';

/**
 * `npm run build`: the web app into dist/, its public pages as HTML, and everything compressed beside it.
 * dist/ is replaced when all is done: a build that breaks off leaves the one before.
 */
const root = join(import.meta.dirname, '..');

/** The screen of each of these pages, whose styles its HTML needs before a script runs. */
const screens: Record<PrerenderedPage, string> = {
  '/': 'home/home-page.tsx',
  '/features': 'pages/features-page.tsx',
  '/use-cases': 'pages/use-cases-page.tsx',
  '/methodology': 'pages/methodology-page.tsx',
  '/about': 'pages/about-page.tsx',
  '/contact': 'messages/contact-page.tsx',
  '/api/docs': 'api-docs/api-docs-page.tsx',
  '/privacy-policy': 'pages/privacy-policy-page.tsx',
  '/terms-of-service': 'pages/terms-of-service-page.tsx',
  '/pricing': 'pages/pricing-page.tsx',
};

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

// Inside the project: what the pages import is found from there.
const work = await mkdtemp(join(root, 'node_modules/.build-'));
const site = join(work, 'site');
const code = join(work, 'code');
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

await build({ logLevel: 'warn', build: { manifest: true, outDir: site } });
const manifest: Manifest = JSON.parse(await readFile(join(site, '.vite/manifest.json'), 'utf8'));
await rm(join(site, '.vite'), { recursive: true });
const template = await readFile(join(site, 'index.html'), 'utf8');

await build({ logLevel: 'warn', publicDir: false, build: { ssr: 'prerender.tsx', outDir: code } });
const { prerender } = await import(pathToFileURL(join(code, 'prerender.js')).href);
for (const path of prerenderedPages) {
  await writeFile(join(site, fileOf(path)), pageOf(screens[path], await prerender(path)));
}
await writeFile(join(site, 'not-found.html'), pageOf(undefined, await prerender(undefined)));

await compress(site);
await replaceFolder(site, join(root, 'dist'), work);

/** index.html is the page of every other screen. */
function fileOf(path: PrerenderedPage): string {
  return path === '/' ? 'home.html' : `${path.slice(1).replaceAll('/', '-')}.html`;
}

/** @param screen whose scripts and styles come along; without it those of the frame alone */
function pageOf(screen: string | undefined, { head, body }: { head: string; body: string }): string {
  if (screen && !manifest[screen]) throw new Error(`The build has no screen ${screen}.`);
  const { scripts, styles } = screen ? filesOf(screen) : { scripts: [], styles: [] };
  const links = [
    ...[...styles].map((file) => ({ file, tag: `<link rel="stylesheet" href="/${file}" />` })),
    ...[...scripts].map((file) => ({ file, tag: `<link rel="modulepreload" href="/${file}" />` })),
  ].filter(({ file }) => !template.includes(file));
  const filled = replaced(
    template,
    /<!--head-->.*<!--\/head-->/s,
    [head, ...links.map(({ tag }) => tag)].join('\n    '),
  );
  // What needs a script on such a page says so in its place.
  const open = replaced(filled, /<noscript>.*<\/noscript>/, '');
  // The page is whole without its scripts: they come after what it paints with.
  const patient = open.replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"');
  return replaced(patient, '<div id="root"></div>', `<div id="root">${body}</div>`);
}

/** Every script and style that a screen needs, with those of what it imports. */
function filesOf(name: string, found = { scripts: new Set<string>(), styles: new Set<string>() }) {
  const { file, css = [], imports = [] } = manifest[name] ?? { file: '' };
  if (found.scripts.has(file)) return found;
  found.scripts.add(file);
  for (const style of css) found.styles.add(style);
  for (const other of imports) filesOf(other, found);
  return found;
}

function replaced(text: string, place: string | RegExp, by: string): string {
  const after = text.replace(place, () => by);
  if (after === text) throw new Error(`web/index.html has no ${place}.`);
  return after;
}

/** Writes `.br` and `.gz` beside each text file that never changes after the build. */
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
