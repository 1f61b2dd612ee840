// Runs before anything else, in whatever Node was found: an older one cannot even read our sources.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Linksieve needs Node.js 24 or newer, but this is ${process.version}. Run \`npm ci\` and start it with \`npm start\`.`,
  );
  process.exit(1);
}
