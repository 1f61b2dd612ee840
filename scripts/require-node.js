import { existsSync } from 'node:fs';

// Runs before anything else, in whatever Node was found: an older one cannot even read our sources.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Linksieve needs Node.js 24 or newer, but this is ${process.version}. Run \`npm ci\` and start it with \`npm start\`.`,
  );
  process.exit(1);
}
if (!existsSync(new URL('../node_modules', import.meta.url))) {
  console.error('The packages are missing. Run `npm ci` first.');
  process.exit(1);
}
