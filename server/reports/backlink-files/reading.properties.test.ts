import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import type { WindowsEncoding } from '../../platform/csv/detect-encoding.ts';
import { encodeText, languageSamples } from '../../platform/csv/encoding.fixtures.ts';
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
/** A page whose host has letters of the encoding of the file. */
const pageWithLetters = 'https://LETTERS.example/page';
const source = fc.oneof(
  { weight: 8, arbitrary: page },
  { weight: 2, arbitrary: fc.constant(pageWithLetters) },
  fc.constantFrom('', 'no address', '192.0.2.1', 'report.pdf', 'https://mine.example/self'),
);
const row: fc.Arbitrary<Row> = fc.record({
  source,
  target: fc.constantFrom('https://mine.example/', 'https://www.mine.example/page'),
  anchor: fc.constantFrom('', 'read more', 'a, b; c | d', 'say "hello"', 'two\nlines', 'Grüße', 'привет', 'łódź'),
  lost: fc.constantFrom('', '2025-01-02', '-'),
  nofollow: fc.constantFrom('true', 'false', ''),
});
/** A file has usable rows, with pages of different websites. */
const rows = fc.tuple(fc.array(row, { minLength: 2, maxLength: 12 }), page).map(([some, page]) => [
  ...['https://one.example/', 'https://two.example/', page].map((source) => ({
    source,
    target: 'https://mine.example/',
    anchor: 'x',
    lost: '',
    nofollow: '',
  })),
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

/** Texts in one language of each Windows encoding, and a host with some of its letters. */
const languages: Record<WindowsEncoding, { texts: string[]; host: string }> = {
  'Windows-1250': { texts: textsIn('Polish'), host: 'łódź' },
  'Windows-1251': { texts: textsIn('Russian'), host: 'пример' },
  'Windows-1252': { texts: textsIn('German'), host: 'gärten' },
  'Windows-1254': { texts: textsIn('Turkish'), host: 'alışveriş' },
};

function textsIn(language: string): string[] {
  return languageSamples[language]?.texts ?? expect.unreachable(language);
}

/** More columns, none of which is that of the linking pages. */
const extraColumns = {
  Note: (row: number) => `some text ${row}, and more`,
  Landing: (row: number) => `https://www.mine.example/${row}`,
  IP: (row: number) => `192.0.2.${row}`,
  Server: (row: number) => `198.51.100.${row}`,
  Site: () => 'tool.example',
  'Found by': () => 'tool.example',
} satisfies Record<string, (row: number) => string>;
type Column = keyof Row | keyof typeof extraColumns;

interface Layout {
  columns: Column[];
  delimiter: string;
  lineEnd: string;
  encoding: keyof typeof encodings | WindowsEncoding;
  quoteAll: boolean;
}

const layout: fc.Arbitrary<Layout> = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(names), { minLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom(...Object.keys(extraColumns)), fc.nat(5)), { maxLength: 4 }),
  )
  .chain(([known, extra]) =>
    fc.record({
      columns: fc.constant(
        extra.reduce((all, [column, at]) => all.toSpliced(at, 0, column), known) as Layout['columns'],
      ),
      delimiter: fc.constantFrom(...delimiters),
      lineEnd: fc.constantFrom(...lineEnds),
      encoding: fc.constantFrom(...(Object.keys({ ...encodings, ...languages }) as Layout['encoding'][])),
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

/** Fills in texts and hosts that the encoding of a layout can contain. */
function localize(rows: readonly Row[], { encoding }: Layout): Row[] {
  const language = encoding in languages ? languages[encoding as WindowsEncoding] : undefined;
  const host = language?.host ?? 'łódź-пример';
  return rows.map((row, i) => ({
    ...row,
    source: row.source.replace('LETTERS', host),
    anchor: language?.texts[i % language.texts.length] ?? row.anchor,
  }));
}

function encode(text: string, encoding: Layout['encoding']): Buffer {
  if (!(encoding in languages)) return encodings[encoding as keyof typeof encodings](text);
  return encodeText(text, encoding as WindowsEncoding) ?? expect.unreachable(text);
}

function buildFile(rows: readonly Row[], { columns, delimiter, lineEnd, encoding, quoteAll }: Layout, header = names) {
  const quote = (text: string) =>
    quoteAll || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  const toLine = (cells: string[]) => cells.map(quote).join(delimiter) + lineEnd;
  const lines = [
    columns.map((column) => header[column as keyof Row] ?? column),
    ...rows.map((row, i) =>
      columns.map((column) =>
        column in extraColumns ? extraColumns[column as keyof typeof extraColumns](i) : row[column as keyof Row],
      ),
    ),
  ];
  return encode(lines.map(toLine).join(''), encoding);
}

async function read(content: Buffer) {
  await writeFile(path, content);
  const pages: { host: number; flags: number }[] = [];
  const result = await countHosts([{ path, name: 'upload.csv' }], {
    ownHost: 'mine.example',
    folder,
    ask: true,
    pages: { add: (host, _record, flags) => pages.push({ host, flags }) },
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
    fc.asyncProperty(rows, layout, async (some, layout) => {
      const rows = localize(some, layout);
      expect(await read(buildFile(rows, layout))).toEqual(await read(buildFile(rows, plainLayout)));
    }),
    { numRuns: numRuns(150) },
  );
});

test('the same holds if the header names only the target, or only the source', async () => {
  for (const header of [
    { ...names, source: 'Pagina X' },
    { ...names, target: 'Pagina Y' },
  ]) {
    await fc.assert(
      fc.asyncProperty(rows, layout, async (some, layout) => {
        const rows = localize(some, layout);
        expect(await read(buildFile(rows, layout, header))).toEqual(await read(buildFile(rows, plainLayout)));
      }),
      { numRuns: numRuns(50) },
    );
  }
});
