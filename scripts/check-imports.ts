import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { parseSync } from 'vite';

/** The districts. Imports lead from a district to itself and to those before it. */
const districts = ['platform', 'hostnames', 'accounts', 'blacklist', 'reports', 'checks', 'operations'];
/** The folders of the web: also components without product words, public pages, and the frame around every screen. */
const webDistricts = ['platform', 'ui', ...districts.slice(1), 'site', 'shell'];
/**
 * Folders without product-specific code and without tables of their own. Every file on the same side may import their
 * files. They must not import topics.
 */
const infrastructure = new Set(
  ['archives', 'http', 'db', 'jobs', 'processes', 'csv', 'files', 'mail', 'net']
    .map((name) => `server/platform/${name}`)
    .concat(['web/platform', 'web/ui']),
);
/** Private files of topics of the server. The files at the root of `server/` may import some of them. */
const privateOnServer = /\/(store[^/]*|(.+-)?routes|jobs|topic)\.ts$/;
const importedByServer = /\/(routes|jobs)\.ts$/;
/** Files that mean that a topic of the server has more than functions, and so describes itself in its `topic.ts`. */
const described = /\/((.+-)?routes|jobs|commands|store-retention)\.ts$/;
/** Private files of topics of the web, which only the files at the root of `web/` may import. */
const privateOnWeb = /-page\.tsx$|\/search\.ts$/;
/** What programs outside of the server may import of it: code that reads and writes texts, without a database. */
const clientImports: Record<string, readonly string[]> = {
  cli: ['server/platform/csv', 'server/reports/backlink-files'],
  lookup: ['server/hostnames/coverage'],
  extension: ['server/platform/csv'],
};
const isTest = /\.(test|fixtures)\.tsx?$/;
/** Where SQL belongs: `store*.ts` is private to its topic, and other topics may import `queries.ts`. */
const storesQueries = /\/(store[^/]*|queries)\.ts$/;
const query = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;

interface Import {
  from: string;
  /** Path from the root of the project, or the name of a package. */
  to: string;
}

/**
 * Checks the import rules that docs/architecture.md describes under "Boundaries".
 * @param root folder that contains `shared`, `server`, `web` and `cli`
 * @returns a sentence for each violation
 */
export function checkImports(root: string): string[] {
  const files = globSync('{shared,server,web,cli,lookup,extension}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['extension/{.wxt,.output}/**'],
  })
    .filter((file) => !isTest.test(file))
    .sort();
  const texts = files.map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')]);
  const imports = texts.flatMap(([file, text]) => listImports(file, text));
  return [
    ...files.filter(isOutsideDistricts).map((file) => `${file} is in no district: ${listDistricts(file).join(', ')}.`),
    ...imports.flatMap((found) => findViolation(found) ?? []),
    ...texts
      .filter(([file, text]) => isTopic(getUnit(file)) && !storesQueries.test(file) && query.test(text))
      .map(describeMisplacedSql),
    ...findUndescribedTopics(files, imports),
    ...texts.flatMap(([file, text]) => (/^(server|web|extension)\//.test(file) ? findFacades(file, text) : [])),
    ...findCycles(imports, getUnit),
    ...findCycles(
      imports.filter(({ from, to }) => getUnit(from) === getUnit(to)),
      (path) => path,
    ),
  ];
}

const describeMisplacedSql = ([file]: [string, string]) =>
  `${file} contains SQL, which belongs in store*.ts or queries.ts of its topic.`;

/** Finds exports that only pass on what another file exports. */
function findFacades(file: string, text: string): string[] {
  const sources = new Map(
    [...text.matchAll(/^import (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from '(\.[^']+)'/gm)].flatMap(
      ([, names = '', module = '', path = '']) =>
        [module, ...names.split(',')].map((name): [string, string] => [name.split(' as ').at(-1)?.trim() ?? '', path]),
    ),
  );
  const copies = [...text.matchAll(/^export (?:const|type) (\w+) = (\w+)(?:\.\w+)?;$/gm)].flatMap(
    ([, name, source = '']) => {
      const path = sources.get(source);
      return path ? `${file} only passes on ${name}: import it from ${resolveImport(file, path)}.` : [];
    },
  );
  const reexports = [...text.matchAll(/^export (?:type )?(?:\{[^}]*\}|\*) from '([^']+)'/gm)].map(
    ([, path = '']) => `${file} passes on what ${resolveImport(file, path)} exports: import it from there.`,
  );
  return [...copies, ...reexports];
}

/** Finds topics that do not describe themselves, and descriptions that the list of their district does not contain. */
function findUndescribedTopics(files: readonly string[], imports: readonly Import[]): string[] {
  const topics = new Set(files.filter((file) => file.startsWith('server/') && described.test(file)).map(getUnit));
  const missing = [...topics].map((topic) => `${topic}/topic.ts`).filter((file) => !files.includes(file));
  const unlisted = files.filter((file) => {
    const list = join(dirname(dirname(file)), 'topics.ts');
    return /\/.+\/.+\/topic\.ts$/.test(file) && !imports.some(({ from, to }) => to === file && from === list);
  });
  return [
    ...missing.map((file) => `${file} is missing: it describes the routes, jobs and tables of its topic.`),
    ...unlisted.map((file) => `${file} is not in the list of its district, topics.ts.`),
  ];
}

export function listImports(from: string, text: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(from, text).module;
  const named = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  const specifiers = [
    ...named.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  return specifiers.map((name) => ({ from, to: resolveImport(from, name) }));
}

function resolveImport(from: string, name: string): string {
  if (name.startsWith('#')) return name.slice(1);
  return name.startsWith('.') ? join(dirname(from), name) : name;
}

/**
 * Returns the unit of a file for finding cycles: a topic or root file of `server/` or `web/`, or another main folder.
 */
function getUnit(path: string): string {
  const [side = '', ...folders] = path.split('/');
  return /^(server|web)$/.test(side) ? [side, ...folders.slice(0, folders.length > 2 ? 2 : 1)].join('/') : side;
}

const isRootFile = (unit: string) => /\.tsx?$/.test(unit);
const isTopic = (unit: string) => /^(server|web)\//.test(unit) && !isRootFile(unit) && !infrastructure.has(unit);
const listDistricts = (path: string) => (path.startsWith('web/') ? webDistricts : districts);
/** Returns the position of a file's district; -1 without one. */
const getDistrict = (path: string) => listDistricts(path).indexOf(path.split('/')[1] ?? '');
const isOutsideDistricts = (file: string) => /^(server|shared|web)\/.+\//.test(file) && getDistrict(file) < 0;
/** Files outside the districts, which are at the root of a side, may import all of them. */
const leadsUp = ({ from, to }: Import) =>
  from.split('/')[0] === to.split('/')[0] && getDistrict(from) >= 0 && getDistrict(to) > getDistrict(from);

function findViolation({ from, to }: Import): string | undefined {
  const [importer, imported] = [getUnit(from), getUnit(to)];
  const [side = ''] = from.split('/');
  const refuse = (rule: string) => `${from} imports ${to}: ${rule}`;
  if (side === 'shared' && imported !== 'shared' && to !== 'zod/mini') {
    return refuse('shared/ runs in browsers and may import only zod/mini and itself.');
  }
  if (leadsUp({ from, to })) {
    return refuse(`imports between districts lead one way: ${listDistricts(from).toReversed().join(' → ')}.`);
  }
  if (importer === imported || !/^(server|web)\//.test(to)) return undefined;
  if (side === 'web' && to.startsWith('server/')) return refuse('web/ must not import server/.');
  if (to.startsWith('web/') && side !== 'web') return refuse(`${side}/ must not import web/.`);
  const allowed = clientImports[side];
  if (allowed && !allowed.includes(imported)) {
    return refuse(`${side}/ must use the API. From the server, it may import only ${allowed.join(' and ')}.`);
  }
  if (!isTopic(imported)) return undefined;
  if (infrastructure.has(importer)) return refuse('infrastructure must not import a topic.');
  return side === 'web' ? findPrivateWebImport({ from, to }) : findPrivateServerImport({ from, to });
}

/** Across topics of the server, every file may be imported except those for the database, the app and the worker. */
function findPrivateServerImport({ from, to }: Import): string | undefined {
  if (!privateOnServer.test(to) || (isRootFile(getUnit(from)) && importedByServer.test(to))) return undefined;
  if (to.endsWith('/topic.ts') && from === join(dirname(dirname(to)), 'topics.ts')) return undefined;
  return `${from} imports ${to}: this file is private. Other topics must not import store*, routes and jobs.`;
}

/** Across topics of the web, every file may be imported except the screens and what their URLs contain. */
function findPrivateWebImport({ from, to }: Import): string | undefined {
  if (!privateOnWeb.test(to) || isRootFile(getUnit(from))) return undefined;
  return `${from} imports ${to}: this file is private. Other topics must not import *-page.tsx and search.ts.`;
}

/** Describes each cycle between units once, with its imports. `toUnit` returns the unit of a file. */
function findCycles(imports: Import[], toUnit: (path: string) => string): string[] {
  const graph = new Map<string, Map<string, Import>>();
  for (const found of imports) {
    const [from, to] = [toUnit(found.from), toUnit(found.to)];
    const edges = graph.get(from) ?? new Map<string, Import>();
    if (from !== to && !edges.has(to)) graph.set(from, edges.set(to, found));
  }
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (unit: string, path: Import[]) => {
    const start = path.findIndex(({ from }) => toUnit(from) === unit);
    if (start >= 0) {
      const steps = path.slice(start).map(({ from, to }) => `  ${from} imports ${to}`);
      cycles.push(
        `${[...path.slice(start).map(({ from }) => toUnit(from)), unit].join(' → ')} is a cycle:\n${steps.join('\n')}`,
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
  const violations = checkImports(join(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exit(1);
  console.log('Imports: no cycles, no imports of private files.');
}
