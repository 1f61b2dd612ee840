import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import packageJson from '../package.json' with { type: 'json' };

/**
 * `npm run build:cli`: builds the package of the command line in cli/dist/, for `npm pack ./cli/dist`. It is one file
 * without dependencies, because Node runs no TypeScript of installed packages.
 */
const root = join(import.meta.dirname, '..');
const folder = join(root, 'cli/dist');
const { version, license, engines } = packageJson;
/** The program contains only the version of package.json. */
const onlyVersion: Plugin = {
  name: 'only-version',
  enforce: 'pre',
  load: (id) => (id === join(root, 'package.json') ? JSON.stringify({ version }) : undefined),
};
await build({
  plugins: [onlyVersion],
  configFile: false,
  root,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node24',
    outDir: folder,
    emptyOutDir: true,
    rolldownOptions: {
      input: { linksieve: 'cli/main.ts' },
      output: { codeSplitting: false, banner: '#!/usr/bin/env node' },
    },
  },
});
const description = 'Check domains against the paid-link blacklist, and automate your backlink reports';
const bin = { linksieve: 'linksieve.js' };
const described = { name: 'linksieve', version, description, license, type: 'module', engines, bin };
await writeFile(join(folder, 'package.json'), `${JSON.stringify(described, null, 2)}\n`);
await copyFile(join(root, 'docs/command-line.md'), join(folder, 'README.md'));
await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
await copyFile(join(root, 'docs/third-party-licenses.md'), join(folder, 'THIRD-PARTY-LICENSES.md'));
