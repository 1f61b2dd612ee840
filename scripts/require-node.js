import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Runs before all other code, in the Node.js that was found: an old version cannot parse the TypeScript sources.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Linksieve needs Node.js 24 or newer, but this is ${process.version}. Run \`npm ci\` and start it with \`npm start\`.`,
  );
  process.exit(1);
}
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const missing = Object.keys(dependencies).find((name) => {
  try {
    import.meta.resolve(name);
    return false;
  } catch (error) {
    return error.code === 'ERR_MODULE_NOT_FOUND';
  }
});
if (missing) {
  console.error(`The package ${missing} is missing. Run \`npm ci\` and start again.`);
  process.exit(1);
}

// Keeps the compiled sources for the next start and for the processes of runs, which read this variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/node-compile-cache', import.meta.url));
module.enableCompileCache();
