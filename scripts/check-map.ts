import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';
import { listImports } from './check-imports.ts';

const page = 'docs/architecture.md';
/** The folders whose topics the map lists, and what marks a topic in the contract: a file with its name. */
const sides = ['server', 'web', 'shared'] as const;
/** Folders of topics without a topic of their own. */
const others = /^(server\/security|web\/(platform|ui|shell|public))\//;
/** Where a walk enters the code: root files, what they start, and the search of a screen, where its URL leads. */
const entries = /^server\/\w+\.ts$|(-page\.tsx|\/(search|routes|jobs)\.ts)$/;
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Compares docs/architecture.md with the code: the map with the folders of topics, and the files of the counted walks
 * with the imports.
 * @param root folder that contains `docs`, `server`, `web` and `shared`
 * @returns a sentence for each difference
 */
export function checkMap(root: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...compareTopics(root, text), ...text.split(/^## /m).flatMap((section) => checkWalk(root, section))];
}

function compareTopics(root: string, text: string): string[] {
  const listed = [...text.matchAll(/^(\w+\/[\w-]+) +((?:(?:server|web|shared) +)+)\S/gm)].map(
    ([, topic = '', marks = '']) => `${topic}: ${marks.trim().split(/ +/).join(', ')}`,
  );
  const folders = globSync('{server,web}/*/*/', { cwd: root }).filter((path) => !others.test(path));
  const topics = [...new Set(folders.map((path) => path.split('/').slice(1, 3).join('/')))];
  const actual = topics.map((topic) => `${topic}: ${sides.filter((side) => hasTopic(root, side, topic)).join(', ')}`);
  return [
    ...actual.filter((line) => !listed.includes(line)).map((line) => `The map of ${page} lacks this line: ${line}.`),
    ...listed.filter((line) => !actual.includes(line)).map((line) => `The map of ${page} has a wrong line: ${line}.`),
  ];
}

const hasTopic = (root: string, side: (typeof sides)[number], topic: string) =>
  existsSync(join(root, side, side === 'shared' ? `${topic}.ts` : topic));

/** Checks the files that the steps of a section name, if a sentence after them counts these files. */
function checkWalk(root: string, section: string): string[] {
  const [steps = '', count] = section.split(/^These steps use ([\w-]+) files/m);
  if (count === undefined) return [];
  const title = steps.split('\n')[0];
  const files = [
    ...new Set([...steps.matchAll(/`((?:server|web|shared)\/[\w/.-]+\.tsx?)`/g)].map(([, file = '']) => file)),
  ];
  const missing = files.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) return missing.map((file) => `${page}, '${title}': there is no ${file}.`);
  const imports = new Set(
    files.flatMap((file) => listImports(file, readFileSync(join(root, file), 'utf8')).map(({ to }) => to)),
  );
  const loose = files.slice(1).filter((file) => !imports.has(file) && !entries.test(file));
  return [
    ...(Number(count) === files.length || numbers.indexOf(count) === files.length
      ? []
      : [`${page}, '${title}': the steps name ${files.length} files, not ${count}.`]),
    ...loose.map((file) => `${page}, '${title}': no other file of these steps imports ${file}.`),
  ];
}

if (import.meta.main) {
  const differences = checkMap(dirname(import.meta.dirname));
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exit(1);
  console.log(`Map: ${basename(page)} names every topic, and counts the files of its walks.`);
}
