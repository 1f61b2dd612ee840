import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countHosts } from '../../reports/backlink-files/backlink-files.ts';
import { readDomainRows } from './domain-rows.ts';
import type { FileRow, RowFailure } from './file-row.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: string | Buffer, chunkBytes?: number) {
  await writeFile(path, content);
  const rows: FileRow[] = [];
  const failures: RowFailure[] = [];
  for await (const batch of readDomainRows({ path, fileName: 'upload.csv', folder }, { chunkBytes })) {
    rows.push(...batch.rows);
    failures.push(...batch.failures);
  }
  return { rows, failures };
}

const head = 'domain,source\n';
const missingColumns = { refused: 'missing_columns' };
const a = { rows: ['2 a.example [x]'] };
const failsWith = (line: number, reason: string, value: string) => ({ failures: [`${line} ${reason} <${value}>`] });
const damaged = 'The row cannot be read: close its open quotation mark, or shorten it to 64 kB.';
const noName = 'This is not a domain name: enter a name such as example.com.';

interface Outcome {
  rows?: string[];
  failures?: string[];
  refused?: string;
}

/** Each kind of file, and the expected result of importing it. */
const kinds: Record<string, [content: string | Buffer, outcome: Outcome]> = {
  'an empty file': ['', { refused: 'empty' }],
  'only a byte order mark': ['\ufeff', { refused: 'empty' }],
  'only newlines': ['\n\n\n', { refused: 'empty' }],
  'a header only': [head, { refused: 'no_rows' }],
  'a header only, without newline': ['domain,source', { refused: 'no_rows' }],
  'a header and blank lines': [`${head}\n \n\n`, { refused: 'no_rows' }],
  'no header': ['a.example,x\n', missingColumns],
  'no source column': ['domain,niche\na.example,x\n', missingColumns],
  'a required column twice': ['domain,domain,source\na.example,b.example,x\n', { refused: 'duplicate_column' }],
  'an optional column twice': ['domain,source,risk level,riskLevel\na.example,x,,\n', { refused: 'duplicate_column' }],
  'an unknown column twice': ['domain,x,source,x\na.example,1,x,2\n', a],
  'a header in other case and spaces': [' Domain , SOURCE \na.example,x\n', a],
  'a quoted header': ['"domain","source"\na.example,x\n', a],
  'columns in another order': ['notes,source,domain\n,x,a.example\n', a],
  'UTF-8 with a byte order mark': [`\ufeff${head}a.example,x\n`, a],
  'UTF-16LE': [Buffer.from(`\ufeff${head}a.example,x\n`, 'utf16le'), a],
  'UTF-16BE': [Buffer.from(`\ufeff${head}a.example,x\n`, 'utf16le').swap16(), a],
  'Windows-1252': [Buffer.from(`${head}caf\xe9.example,x\n`, 'latin1'), { rows: ['2 xn--caf-dma.example [x]'] }],
  'broken UTF-8': [Buffer.from(`${head}\xc4(gr\xfcn,x\n`, 'latin1'), failsWith(2, noName, 'Ä(grün')],
  'a NUL byte': [`${head}a\0.example,x\n`, failsWith(2, 'The row contains a NUL character: remove it.', 'a .example')],
  'a NUL byte in an optional cell': [
    'domain,source,notes\na.example,x,n\0n\n',
    failsWith(2, 'The row contains a NUL character: remove it.', 'a.example'),
  ],
  CRLF: ['domain,source\r\na.example,x\r\n', a],
  'CR only': ['domain,source\ra.example,x\r', a],
  'mixed line ends': [
    'domain,source\r\na.example,x\r\nb.example,y\nc.example,z\r',
    { rows: ['2 a.example [x]', '3 b.example [y]', '4 c.example [z]'] },
  ],
  'no final newline': [`${head}a.example,x`, a],
  semicolons: ['domain;source\na.example;x\n', a],
  tabs: ['domain\tsource\na.example\tx\n', a],
  'vertical bars': ['domain|source\na.example|x\n', a],
  'a sep= line': [`sep=,\n${head}a.example,x\n`, { rows: ['3 a.example [x]'] }],
  'preamble lines': [`Our list\n\n${head}a.example,x\n`, { rows: ['4 a.example [x]'] }],
  'a quote that is never closed': [
    `${head}"a.example,x\nb.example,y\n`,
    { rows: ['3 b.example [y]'], ...failsWith(2, damaged, '"a.example,x') },
  ],
  'a quote in the middle': [`${head}a"b.example,x\n`, failsWith(2, noName, 'a"b.example')],
  'text after a closing quote': [`${head}"a.example"x,y\n`, failsWith(2, noName, '"a.example"x')],
  'doubled quotes': [`${head}"a.example","say ""hi"""\n`, { rows: ['2 a.example [say "hi"]'] }],
  'a newline in a cell': [
    `${head}"a.example","line1\nline2"\nb.example,y\n`,
    { rows: ['2 a.example [line1 line2]', '4 b.example [y]'] },
  ],
  'a backslash before a quote': [`${head}a.example,"x\\"y"\n`, { rows: ['2 a.example [x\\"y]'] }],
  'too few cells': [`${head}a.example\n`, failsWith(2, 'The source is missing: enter at least one.', 'a.example')],
  'too many cells': [`${head}a.example,x,1,2,3\n`, a],
  'blank lines': [`${head}\na.example,x\n\n \nb.example,y\n`, { rows: ['3 a.example [x]', '6 b.example [y]'] }],
  'a row of empty cells': [`${head},\n`, failsWith(2, 'The domain is missing: enter a name such as example.com.', '')],
  'trailing commas': [`${head}a.example,x,,,,\n`, a],
  formulas: [`${head}a.example,=cmd|' /C calc'!A0\n`, { rows: ["2 a.example [=cmd|' /C calc'!A0]"] }],
  'neutralized formulas': [`${head}'-a.tumblr.com,'=x\n`, { rows: ['2 -a.tumblr.com [=x]'] }],
  'quoted sources': [`${head}a.example,"'x', “y”, X"\n`, { rows: ['2 a.example [x; y]'] }],
  'a cell of a megabyte': [
    `${head}a.example,${'x'.repeat(1 << 20)}\nb.example,y\n`,
    { rows: ['3 b.example [y]'], ...failsWith(2, damaged, `a.example,${'x'.repeat(90)}`) },
  ],
  'a line of five megabytes': [head + 'y'.repeat(5 << 20), failsWith(2, damaged, 'y'.repeat(100))],
  'a megabyte of quotes': [
    `${head}${'"'.repeat(1 << 20)}\nb.example,y\n`,
    { rows: ['3 b.example [y]'], ...failsWith(2, damaged, '"'.repeat(100)) },
  ],
  'ten thousand columns': [
    `${head.trim()},${Array.from({ length: 10_000 }, (_, i) => `c${i}`).join()}\na.example,x\n`,
    a,
  ],
  'names of object properties as columns': ['__proto__,constructor,domain,source\n1,2,a.example,x\n', a],
  'gzip, with a header only': [gzipSync(head), { refused: 'no_rows' }],
  zip: [Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(64)]), { refused: 'archive' }],
  'a web page': ['<!DOCTYPE html><html><body>403</body></html>', { refused: 'web_page' }],
  JSON: ['[{"domain":"a.example","source":"x"}]', { refused: 'json' }],
  'a Unicode name': [`${head}bücher.example,x\n`, { rows: ['2 xn--bcher-kva.example [x]'] }],
  punycode: [`${head}xn--bcher-kva.example,x\n`, { rows: ['2 xn--bcher-kva.example [x]'] }],
  'a URL': [`${head}https://www.a.example/p?q=1,x\n`, a],
  'spaces, upper case and a final dot': [`${head}  A.EXAMPLE. ,x\n`, a],
  'an invisible character': [`${head}a\u200b.example,x\n`, a],
  'the same domain twice': [`${head}a.example,x\nA.example,y\n`, { rows: ['2 a.example [x]', '3 a.example [y]'] }],
  'an IP address and localhost': [
    `${head}127.0.0.1,x\nlocalhost,x\n`,
    {
      failures: [
        '2 This is an IP address: enter a domain name such as example.com. <127.0.0.1>',
        `3 ${noName} <localhost>`,
      ],
    },
  ],
  'a label over 63 characters': [
    `${head}${'a'.repeat(64)}.example,x\n`,
    failsWith(2, noName, `${'a'.repeat(64)}.example`),
  ],
  'a public suffix': [
    `${head}co.uk,x\n`,
    failsWith(2, 'co.uk is a public suffix: enter a domain registered under it, such as example.co.uk.', 'co.uk'),
  ],
  'a shared host': [
    `${head}medium.com,x\n`,
    failsWith(
      2,
      'medium.com hosts the websites of many owners: enter one of them, such as name.medium.com.',
      'medium.com',
    ),
  ],
};

test.each(Object.entries(kinds))(
  'an import of %s has the expected rows, failures or error',
  async (_, [content, outcome]) => {
    if (outcome.refused !== undefined) {
      await expect(read(content)).rejects.toMatchObject({ name: 'UnreadableFile', code: outcome.refused });
      return;
    }
    const { rows, failures } = await read(content);
    expect(rows.map(({ line, name, source }) => `${line} ${name} [${source.join('; ')}]`)).toEqual(outcome.rows ?? []);
    expect(failures.map(({ line, reason, value }) => `${line} ${reason} <${value}>`)).toEqual(outcome.failures ?? []);
  },
);

test.each(Object.entries(kinds))(
  'an analysis of %s counts its rows or rejects it with a sentence',
  async (_, [content]) => {
    await writeFile(path, content);
    const options = { ownHost: 'mine.example', folder: dirname(path) };
    const result = await countHosts([{ path, name: 'upload.csv' }], options).catch((error: unknown) => error);
    if (result instanceof Error) {
      expect(result).toMatchObject({ name: 'UnreadableFile', message: expect.stringMatching(/^[A-Z].*\.$/) });
    } else {
      expect(result).toMatchObject({ backlinks: expect.any(Number) });
    }
  },
);

test('a missing column or missing rows are reported in a sentence', async () => {
  await expect(read('domain,niche\na.example,x\n')).rejects.toThrow(
    "The file needs a header row with at least the columns 'domain' and 'source'.",
  );
  await expect(read(head)).rejects.toThrow(
    'The file has a header but no rows. Export it again and check that it has rows.',
  );
});

test('all columns are read in any spelling of their names', async () => {
  const full = {
    line: 2,
    name: 'a.example',
    tld: 'example',
    source: ['One', 'two'],
    description: 'd, e',
    riskLevel: 'very high',
    sourceDetails: 's',
    notes: 'n',
    niche: 'health',
    domainRating: 45,
    outboundLinks: 1240,
    cost: '$50',
  };
  const cells = `A.example,"One, two, ,ONE","d, e",Very_High,s,n,health,45,"1,240","""$50"""\n`;
  for (const header of [
    'domain,source,description,riskLevel,sourceDetails,notes,niche,domainRating,outboundLinks,cost',
    'DOMAIN,Source,Description,Risk Level,source details,Notes,Niche,domain_rating,Outbound-Links,COST',
  ]) {
    expect(await read(`${header}\n${cells}`)).toEqual({ rows: [full], failures: [] });
  }
});

test('empty cells are absent', async () => {
  expect((await read('domain,source,riskLevel,domainRating,cost,notes\na.example,x, , ,"", \n')).rows).toEqual([
    { line: 2, name: 'a.example', tld: 'example', source: ['x'] },
  ]);
});

test.each([
  ['riskLevel', 'severe', 'The risk level must be empty or one of low, medium, high, very high.'],
  ['domainRating', '101', 'The domain rating must be empty or a number from 0 to 100.'],
  ['domainRating', '-1', 'The domain rating must be empty or a number from 0 to 100.'],
  ['domainRating', '1e2', 'The domain rating must be empty or a number from 0 to 100.'],
  ['domainRating', 'NaN', 'The domain rating must be empty or a number from 0 to 100.'],
  ['outboundLinks', '-5', 'The number of outbound links must be empty or a whole number up to 2,147,483,647.'],
  ['outboundLinks', '9999999999', 'The number of outbound links must be empty or a whole number up to 2,147,483,647.'],
  ['niche', 'x'.repeat(101), 'The niche cell is longer than 100 characters: shorten it.'],
  ['cost', 'x'.repeat(101), 'The cost cell is longer than 100 characters: shorten it.'],
  ['notes', 'x'.repeat(5001), 'The notes cell is longer than 5000 characters: shorten it.'],
  ['description', 'x'.repeat(5001), 'The description cell is longer than 5000 characters: shorten it.'],
  ['source details', 'x'.repeat(5001), 'The source details cell is longer than 5000 characters: shorten it.'],
])('a row with %s %s fails and the next row is imported', async (column, cell, reason) => {
  const { rows, failures } = await read(`domain,source,${column}\na.example,x,${cell}\nb.example,y,\n`);
  expect(failures).toEqual([{ line: 2, value: 'a.example', reason }]);
  expect(rows.map(({ name }) => name)).toEqual(['b.example']);
});

test('cells of maximum length are accepted', async () => {
  const name = `${'a.'.repeat(122)}b.example`;
  expect(name).toHaveLength(253);
  const { rows, failures } = await read(`domain,source,notes\n${name},${'s'.repeat(100)},${'n'.repeat(5000)}\n`);
  expect([rows.length, failures]).toEqual([1, []]);
  const longer = await read(`domain,source\na.${name},x\na.example,${'s'.repeat(101)}\n`);
  expect(longer.failures.map(({ reason }) => reason)).toEqual([
    'The domain is longer than 253 characters: enter only a domain name.',
    'A source name is longer than 100 characters: shorten it.',
  ]);
});

test('a rating with a fraction is rounded', async () => {
  const { rows } = await read('domain;source;domain rating\na.example;x;0.9\nb.example;x;45,4\nc.example;x;100\n');
  expect(rows.map(({ domainRating }) => domainRating)).toEqual([1, 45, 100]);
});

test('the chunk size does not change the result', async () => {
  const text = `${head}a.example,"x\ny"\n"b.example,x\n\ncö.example,"z"\nno name,x\n`;
  const whole = await read(text);
  expect(whole.rows.length + whole.failures.length).toBe(4);
  for (const chunkBytes of [1, 2, 3, 10]) expect(await read(text, chunkBytes)).toEqual(whole);
});

test('progress ends at 1', async () => {
  await writeFile(path, `${head}${'a.example,x\n'.repeat(1000)}`);
  const shares: number[] = [];
  for await (const { share } of readDomainRows({ path, fileName: 'upload.csv', folder }, { chunkBytes: 1000 }))
    shares.push(share);
  expect(shares.length).toBeGreaterThan(10);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

test('an address with an unusual port is one of a page, as in feeds', async () => {
  const { rows } = await read(`${head}a.example:8443,x\nb.example:443,x\nhttps://c.example:8443/,x\n`);
  expect(rows.map(({ name, page }) => [name, page])).toEqual([
    ['a.example', 'a.example:8443'],
    ['b.example', undefined],
    ['c.example', 'https://c.example:8443/'],
  ]);
});

test('a name with a wildcard is the name, as in feeds', async () => {
  const { rows, failures } = await read(`${head}*.a.example,x\n.b.example,x\n*.*,x\n`);
  expect([rows.map(({ name }) => name), failures.length]).toEqual([['a.example', 'b.example'], 1]);
});
