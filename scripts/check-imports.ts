import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseSync } from 'vite';

/** Folders without product words. Anyone on their side may import any of their files; they import no topic. */
const infrastructure = new Set(
  ['http', 'db', 'jobs', 'csv', 'files', 'mail', 'net']
    .map((name) => `server/${name}`)
    .concat(['ui', 'lib'].map((name) => `web/${name}`)),
);
/** The frame around every screen: it shows what topics export, and no topic imports it. */
const shell = 'web/app';
/** What the files at the root of `server/` and `web/` assemble. */
const assembled = /(\/|-)(routes|jobs|commands)\.ts$|-page\.tsx$|\/search\.ts$/;
const isTest = /\.(test|fixtures)\.tsx?$|\/test-[\w-]+\.ts$/;
const query = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;

interface Import {
  from: string;
  /** Path from the root of the project, or the name of a package. */
  to: string;
}

/**
 * Checks the structure of the project's imports, which docs/architecture.md describes under "Boundaries".
 * @param root folder that contains `shared`, `server`, `web` and `cli`
 * @returns one sentence for each fault; empty when there is none
 */
export function checkImports(root: string): string[] {
  const files = globSync('{shared,server,web,cli}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !isTest.test(file))
    .sort();
  const texts = files.map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')]);
  const imports = texts.flatMap(([file, text]) => importsOf(file, text));
  return [
    ...imports.flatMap((found) => faultOf(found) ?? []),
    ...texts
      .filter(([file, text]) => isTopic(unitOf(file)) && !file.includes('/store') && query.test(text))
      .map(misplaced),
    ...findCycles(imports),
  ];
}

const misplaced = ([file]: [string, string]) => `${file} contains SQL, which belongs into a store*.ts of its topic.`;

function importsOf(from: string, text: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(from, text).module;
  const named = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  const specifiers = [
    ...named.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return specifiers.map((name) => ({ from, to: pathOf(from, name) }));
}

function pathOf(from: string, name: string): string {
  if (name.startsWith('#')) return name.slice(1);
  return name.startsWith('.') ? join(dirname(from), name) : name;
}

/** What depends on each other: a folder of the server or the web, a file at their root, or the whole of another folder. */
function unitOf(path: string): string {
  const [side = '', name = ''] = path.split('/');
  return side === 'server' || side === 'web' ? `${side}/${name}` : side;
}

const isRootFile = (unit: string) => /\.tsx?$/.test(unit);
const isTopic = (unit: string) =>
  /^(server|web)\//.test(unit) && !isRootFile(unit) && !infrastructure.has(unit) && unit !== shell;
const isPublic = (path: string, topic: string) =>
  path.replace(/\.tsx?$/, '') === join(topic, topic.split('/')[1] ?? '');

function faultOf({ from, to }: Import): string | undefined {
  const [importer, imported] = [unitOf(from), unitOf(to)];
  const side = from.split('/')[0];
  const refuse = (rule: string) => `${from} imports ${to}: ${rule}`;
  if (side === 'shared' && imported !== 'shared' && to !== 'zod/mini') {
    return refuse('shared/ runs in browsers and imports only zod/mini and itself.');
  }
  if (importer === imported || !/^(server|web)\//.test(to)) return undefined;
  if (side === 'web' && to.startsWith('server/')) return refuse('web/ never imports server/.');
  if (to.startsWith('web/') && side !== 'web') return refuse(`${side}/ never imports web/.`);
  if (side === 'cli' && imported !== 'server/csv' && imported !== 'server/backlink-files') {
    return refuse('cli/ uses the API and of the server only the reader of files.');
  }
  if (imported === shell && !isRootFile(importer)) return refuse('no topic imports the shell.');
  if (!isTopic(imported)) return undefined;
  if (infrastructure.has(importer)) return refuse('infrastructure imports no topic.');
  if (isPublic(to, imported) || (isRootFile(importer) && assembled.test(to))) return undefined;
  return refuse(`this file is private. The public file of ${imported} is named after its folder.`);
}

/** Every unit that depends on itself, each cycle once, with the imports that close it. */
function findCycles(imports: Import[]): string[] {
  const graph = new Map<string, Map<string, Import>>();
  for (const found of imports) {
    const [from, to] = [unitOf(found.from), unitOf(found.to)];
    const edges = graph.get(from) ?? new Map<string, Import>();
    if (from !== to && !edges.has(to)) graph.set(from, edges.set(to, found));
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (unit: string, path: Import[]) => {
    const start = path.findIndex(({ from }) => unitOf(from) === unit);
    if (start >= 0) {
      const steps = path.slice(start).map(({ from, to }) => `  ${from} imports ${to}`);
      cycles.push(
        `${[...path.slice(start).map(({ from }) => unitOf(from)), unit].join(' → ')} is a cycle:\n${steps.join('\n')}`,
      );
      return;
    }
    if (done.has(unit)) return;
    for (const [next, found] of graph.get(unit) ?? []) visit(next, [...path, found]);
    done.add(unit);
  };
  for (const unit of graph.keys()) visit(unit, []);
  return cycles;
}

if (import.meta.main) {
  const faults = checkImports(join(import.meta.dirname, '..'));
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log('Imports: no cycle between topics, no private import.');
}
