import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { allowingLists } from '../list-formats/allowing-lists.fixtures.ts';
import { readDomainRows } from './domain-rows.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'imports-'));
  folder = await mkdtemp(join(root, 'unpacked-'));
});
afterAll(() => rm(root, { recursive: true }));

async function read(
  content: string | Uint8Array,
  options: Parameters<typeof readDomainRows>[1] = { defaultSource: 'x' },
) {
  const path = join(root, 'list');
  await writeFile(path, content);
  const names: string[] = [];
  const lines: number[] = [];
  const reasons: string[] = [];
  const unread: string[] = [];
  const file = { path, fileName: 'list', folder };
  for await (const { rows, failures } of readDomainRows(file, options, (columns) => unread.push(...columns))) {
    names.push(...rows.map(({ name }) => name));
    lines.push(...failures.map(({ line }) => line));
    reasons.push(...failures.map(({ reason }) => reason));
  }
  expect(await readdir(folder)).toEqual([]);
  return { names: names.toSorted(), lines, reasons, unread };
}

const runs = { numRuns: Math.max(25, numRuns(100)) };
const nameLists = fc.uniqueArray(
  fc.stringMatching(/^[a-z]{3,8}-[a-z0-9]{2,6}$/).map((label) => `${label}.com`),
  { minLength: 6, maxLength: 12 },
);

test('comments after entries are ignored, from the first line on', async () => {
  const comments = fc.constantFrom('', ' # bought', '\t# a, b; c', ' // bought', ' ; bought', ' #1');
  const prefixes = fc.constantFrom('', 'domain:', 'domain: ', 'https://www.', '0.0.0.0 ', '- ');
  await fc.assert(
    fc.asyncProperty(
      nameLists,
      fc.array(comments, { minLength: 12, maxLength: 12 }),
      prefixes,
      async (names, after, prefix) => {
        const { names: read_, lines } = await read(names.map((name, i) => `${prefix}${name}${after[i]}\n`).join(''));
        expect([read_, lines]).toEqual([names.toSorted(), []]);
      },
    ),
    runs,
  );
});

test('a first line that is no domain is a rejected row', async () => {
  const firsts = fc.constantFrom(
    ...['spam,com', '10.1.2.3', 'someone@spam.com', 'spam..com', 'http//spam.com', 'spam', 'domain:spam', 'spam.cmo'],
    ...['spam com', 'domain=spam.c', '0.0.0.0spam.com', 'co.uk'],
  );
  await fc.assert(
    fc.asyncProperty(firsts, nameLists, async (first, names) => {
      const result = await read([first, ...names].join('\n'));
      expect([result.names, result.lines]).toEqual([names.toSorted(), [1]]);
    }),
    runs,
  );
});

test('a first line that is the name of a column is a header', async () => {
  const headers = fc.constantFrom(
    'Domain',
    'domains',
    'WEBSITE',
    'Sites',
    'Dominios',
    'Domaine',
    'Домен',
    '域名',
    'URL',
    'Webseiten',
  );
  await fc.assert(
    fc.asyncProperty(headers, nameLists, async (header, names) => {
      const result = await read([header, ...names].join('\n'));
      expect([result.names, result.lines]).toEqual([names.toSorted(), []]);
    }),
    runs,
  );
});

test('all columns of domains side by side are read', async () => {
  const headers = fc.constantFrom(
    undefined,
    ['FI', 'IT', 'NL'],
    ['Domain 1', 'Domain 2', 'Domain 3'],
    ['Site', 'Site', 'Site'],
    ['Finland', 'Italia', 'Nederland'],
  );
  await fc.assert(
    fc.asyncProperty(nameLists, headers, fc.constantFrom(',', ';', '\t'), async (names, header, delimiter) => {
      const rows: (readonly string[])[] = header ? [header] : [];
      for (let from = 0; from < names.length; from += 3) rows.push([0, 1, 2].map((at) => names[from + at] ?? ''));
      const result = await read(rows.map((row) => row.join(delimiter)).join('\n'));
      expect([result.names, result.lines]).toEqual([names.toSorted(), []]);
    }),
    runs,
  );
});

test('a column with other domains is named and not read', async () => {
  const others = fc.constantFrom('Target', 'Registrar', 'Competitor', 'Redirects to', 'Linked domain');
  await fc.assert(
    fc.asyncProperty(nameLists, others, fc.boolean(), async (names, other, hasSource) => {
      const header = ['domain', other, ...(hasSource ? ['source'] : [])];
      const rows = names.map((name, i) => [name, `other-${i}.org`, ...(hasSource ? ['x'] : [])]);
      const text = [header, ...rows].map((row) => row.join(',')).join('\n');
      const result = await read(text, hasSource ? {} : { defaultSource: 'x' });
      expect([result.names, result.lines, result.unread]).toEqual([names.toSorted(), [], [other]]);
    }),
    runs,
  );
});

test('rows above the header that contain domains are read', async () => {
  await fc.assert(
    fc.asyncProperty(nameLists, fc.integer({ min: 1, max: 3 }), async (names, above) => {
      const toRow = (name: string) => `${name},Adsy,$10`;
      const rows = [...names.slice(0, above).map(toRow), 'Website,Marketplace,Price', ...names.slice(above).map(toRow)];
      const result = await read(['My list', '', ...rows].join('\n'));
      expect([result.names, result.lines]).toEqual([names.toSorted(), []]);
    }),
    runs,
  );
});

test('workbooks and archives are read like the tables in them, and what cannot be read is reported', async () => {
  await fc.assert(
    fc.asyncProperty(nameLists, fc.integer({ min: 1, max: 5 }), async (names, split) => {
      const [first, second] = [names.slice(0, split), names.slice(split)];
      const toCsv = (part: string[]) => ['Domain,Note', ...part.map((name) => `${name},x`)].join('\n');
      const toSheet = (part: string[]) => [['Domain', 'Note'], ...part.map((name) => [name, 'x'])];
      const expected = [names.toSorted(), []];
      for (const content of [
        gzipSync(toCsv(names)),
        zipSync({ 'a.csv': strToU8(toCsv(first)), 'b/c.csv': strToU8(toCsv(second)) }),
        zipSync({ 'a.xlsx': new Uint8Array(buildXlsx({ One: toSheet(first), Two: toSheet(second) })) }),
        buildXlsx({ One: toSheet(first), Two: toSheet(second) }),
      ]) {
        const result = await read(content);
        expect([result.names, result.lines]).toEqual(expected);
      }
      const notes = { 'a.csv': strToU8(toCsv(names)), 'notes.txt': strToU8('Please read this first\nthen that\n') };
      const result = await read(zipSync(notes));
      expect(result.names).toEqual(names.toSorted());
      expect(result.lines).toHaveLength(1);
    }),
    { numRuns: 25 },
  );
});

test.for(Object.entries(allowingLists))(
  'allowed sites are rejected rows, or their place is named: %s',
  async ([, write]) => {
    await fc.assert(
      fc.asyncProperty(nameLists, async (names) => {
        const result = await read(write(names.slice(0, 3), names.slice(3)));
        expect(result.names).toEqual(names.slice(0, 3).toSorted());
        expect(result.lines.length >= names.length - 3 || result.unread.length > 0).toBe(true);
      }),
      runs,
    );
  },
);
