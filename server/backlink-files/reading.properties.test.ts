import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countHosts } from './backlink-files.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'properties-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

/** The cells of one row by the name of their column. */
type Row = Record<'source' | 'target' | 'anchor' | 'lost' | 'nofollow', string>;

const label = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/);
const host = fc.tuple(label, fc.constantFrom('com', 'de', 'co.uk', 'example')).map((parts) => parts.join('.'));
const page = fc
  .record({
    scheme: fc.constantFrom('https://', 'http://', 'https://www.', 'HTTPS://'),
    host,
    path: fc.constantFrom('', '/', '/a,b;c|d', '/?q=1', '/a "quoted" page', '/long/path/to/page.html'),
  })
  .map(({ scheme, host, path }) => scheme + host + path);
const source = fc.oneof(
  { weight: 8, arbitrary: page },
  fc.constantFrom('', 'no address', '192.0.2.1', 'report.pdf', 'https://mine.example/self'),
);
const row: fc.Arbitrary<Row> = fc.record({
  source,
  target: fc.constantFrom('https://mine.example/', 'https://www.mine.example/page'),
  anchor: fc.constantFrom('', 'read more', 'a, b; c | d', 'say "hello"', 'two\nlines', 'Grüße', 'привет', 'łódź'),
  lost: fc.constantFrom('', '2025-01-02', '-'),
  nofollow: fc.constantFrom('true', 'false', ''),
});
/** A file has usable rows. */
const rows = fc
  .tuple(fc.array(row, { minLength: 2, maxLength: 12 }), fc.array(page, { minLength: 3, maxLength: 3 }))
  .map(([some, pages]) => [
    ...pages.map((source) => ({ source, target: 'https://mine.example/', anchor: 'x', lost: '', nofollow: '' })),
    ...some,
  ]);

const names: Record<keyof Row, string> = {
  source: 'Source URL',
  target: 'Target URL',
  anchor: 'Anchor',
  lost: 'Lost',
  nofollow: 'Nofollow',
};
const delimiters = [',', ';', '\t', '|'];
const lineEnds = ['\n', '\r\n', '\r'];
const encodings = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16LE': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16BE': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

interface Layout {
  columns: (keyof Row | `extra ${number}`)[];
  delimiter: string;
  lineEnd: string;
  encoding: keyof typeof encodings;
  quoteAll: boolean;
}

const layout: fc.Arbitrary<Layout> = fc
  .tuple(fc.shuffledSubarray(Object.keys(names), { minLength: 5 }), fc.array(fc.nat(5), { maxLength: 3 }))
  .chain(([known, extra]) =>
    fc.record({
      columns: fc.constant(
        extra.reduce((all, at, i) => all.toSpliced(at, 0, `extra ${i}`), known) as Layout['columns'],
      ),
      delimiter: fc.constantFrom(...delimiters),
      lineEnd: fc.constantFrom(...lineEnds),
      encoding: fc.constantFrom(...(Object.keys(encodings) as Layout['encoding'][])),
      quoteAll: fc.boolean(),
    }),
  );

const plainLayout: Layout = {
  columns: ['source', 'target', 'anchor', 'lost', 'nofollow'],
  delimiter: ',',
  lineEnd: '\n',
  encoding: 'UTF-8',
  quoteAll: false,
};

function buildFile(rows: readonly Row[], { columns, delimiter, lineEnd, encoding, quoteAll }: Layout, header = names) {
  const quote = (text: string) =>
    quoteAll || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const toLine = (cells: string[]) => cells.map(quote).join(delimiter) + lineEnd;
  const lines = [
    columns.map((column) => header[column as keyof Row] ?? `Note ${column}`),
    ...rows.map((row, i) => columns.map((column) => row[column as keyof Row] ?? `some text ${i}, and more`)),
  ];
  return encodings[encoding](lines.map(toLine).join(''));
}

async function read(content: Buffer) {
  await writeFile(path, content);
  const pages: { host: number; flags: number }[] = [];
  const result = await countHosts([{ path, name: 'upload.csv' }], {
    ownHost: 'mine.example',
    folder,
    ask: true,
    onRow: (host, _record, flags) => pages.push({ host, flags }),
  });
  const { backlinks, lostBacklinks, nofollowBacklinks, lostNofollowBacklinks, hosts, rows, formats } = result;
  return {
    figures: { backlinks, lostBacklinks, nofollowBacklinks, lostNofollowBacklinks },
    hosts: hosts.map((host, number) => [host, rows[number]]),
    skipped: formats[0]?.skipped.map(({ reason, count }) => ({ reason, count })),
    pages,
  };
}

test('the order of columns, more columns, delimiter, encoding and line ends never change the result', async () => {
  await fc.assert(
    fc.asyncProperty(rows, layout, async (rows, layout) => {
      expect(await read(buildFile(rows, layout))).toEqual(await read(buildFile(rows, plainLayout)));
    }),
    { numRuns: 150 },
  );
});

test('the same holds if the header names only the target, or only the source', async () => {
  for (const header of [
    { ...names, source: 'Pagina X' },
    { ...names, target: 'Pagina Y' },
  ]) {
    await fc.assert(
      fc.asyncProperty(rows, layout, async (rows, layout) => {
        expect(await read(buildFile(rows, layout, header))).toEqual(await read(buildFile(rows, plainLayout)));
      }),
      { numRuns: 50 },
    );
  }
});

test('legacy encodings do not change the result', async () => {
  for (const [encoding, title] of [
    ['windows-1251', 'Обзор лучших магазинов для дома и сада'],
    ['windows-1250', 'Najlepsze sklepy z częściami oraz łódź i żółw'],
    ['windows-1254', 'En iyi alışveriş siteleri ve güncel fırsatlar'],
    ['windows-1252', 'Die schönsten Gärten für große Häuser'],
  ] as const) {
    const text = `Source title,Source URL,Target URL\n${title},https://one.example/,https://mine.example/\n${title},http://пример.example/,https://mine.example/\n`;
    const bytes = encodeWith(encoding, text.replaceAll('пример', encoding === 'windows-1251' ? 'пример' : 'gross'));
    const result = await read(bytes);
    const second = encoding === 'windows-1251' ? 'xn--e1afmkfd.example' : 'gross.example';
    expect(result.hosts, encoding).toEqual([
      ['one.example', 1],
      [second, 1],
    ]);
  }
});

function encodeWith(encoding: string, text: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const byCharacter = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from([...text].map((character) => byCharacter.get(character) ?? 63));
}
