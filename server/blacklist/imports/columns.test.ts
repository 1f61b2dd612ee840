import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportMapping, ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { readHead } from '../../platform/csv/file-bytes.ts';
import { previewColumns } from './columns.ts';
import { type RowFailure, readDomainRows } from './domain-rows.ts';
import type { FileRow } from './file-row.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

async function preview(content: string | Buffer) {
  await writeFile(path, content);
  return previewColumns(await readHead(path));
}

async function read(content: string | Buffer, options: ReadingOptions) {
  await writeFile(path, content);
  const rows: FileRow[] = [];
  const failures: RowFailure[] = [];
  for await (const batch of readDomainRows({ path, fileName: 'upload.csv', folder }, options)) {
    rows.push(...batch.rows);
    failures.push(...batch.failures);
  }
  return { rows, failures };
}

type Columns = ImportMapping['columns'];

/**
 * Files as marketplaces, SEO tools and people write them: the guessed header line and columns, and the imported names.
 */
const files: Record<string, [content: string | Buffer, headerLine: number, columns: Columns, names: string[]]> = {
  'the documented format': [
    'domain,source,riskLevel,price\na.com,Fiverr,high,$50\n',
    1,
    { domain: 0, source: 1, riskLevel: 2, cost: 3 },
    ['a.com'],
  ],
  'the documented format with another name of an optional column': [
    'domain,source,category\na.com,Fiverr,Travel\n',
    1,
    { domain: 0, source: 1, niche: 2 },
    ['a.com'],
  ],
  'domains and prices': ['Domain,Price\na.com,$50\nb.net,$60\n', 1, { domain: 0, cost: 1 }, ['a.com', 'b.net']],
  'a price list of a marketplace': [
    'Website,Marketplace,Price\na.com,Adsy,$50\nb.net,Legiit,$60\n',
    1,
    { domain: 0, source: 1, cost: 2 },
    ['a.com', 'b.net'],
  ],
  'an offer with metrics and units': [
    'ID;Site URL;Moz DA;Ahrefs DR;Traffic;Category;Price (USD)\n1;https://a.com/;40;38;1200;Travel;"50,00"\n2;b.net;12;7;30;Food;60\n',
    1,
    { domain: 1, niche: 5, domainRating: 3, cost: 6 },
    ['a.com', 'b.net'],
  ],
  'ratings that cannot be read': [
    'url\tDA\tseller\na.com\tn/a\tAnna\nb.net\t30\tBen\n',
    1,
    { domain: 0, source: 2 },
    ['a.com', 'b.net'],
  ],
  'addresses of offers beside the sites': [
    'URL,Website,Vendor,Listing URL\n/offers/1,a.com,Adsy,https://adsy.com/1\n/offers/2,b.net,Adsy,https://adsy.com/2\n',
    1,
    { domain: 1, source: 2, evidenceUrl: 3 },
    ['a.com', 'b.net'],
  ],
  'names that do not match the cells': [
    'site,name,host\n1,a.com,Anna\n2,b.net,Ben\n3,c.org,Cleo\n',
    1,
    { domain: 1 },
    ['a.com', 'b.net', 'c.org'],
  ],
  'a header in another language': ['Webseite;Preis\na.com;50\nb.net;60\n', 1, { domain: 0 }, ['a.com', 'b.net']],
  'lines above the header': [
    'Guest post sites\nUpdated in May\n\nWebsite,Niche\na.com,Travel\n',
    4,
    { domain: 0, niche: 1 },
    ['a.com'],
  ],
  'a list without a header': ['a.com\nb.net\nhttps://www.c.org/\n', 0, { domain: 0 }, ['a.com', 'b.net', 'c.org']],
  'a list with one name': ['a.com', 0, { domain: 0 }, ['a.com']],
  'a list with comments': ['# Sellers, May\n\na.com\n# more\nb.net\n', 0, { domain: 0 }, ['a.com', 'b.net']],
  'a disavow file': ['# Disavow\ndomain:a.com\ndomain:b.net\n', 0, { domain: 0 }, ['a.com', 'b.net']],
  'a list with a header': ['websites\na.com\nb.net\n', 1, { domain: 0 }, ['a.com', 'b.net']],
  'columns without a header': ['1;a.com;$50\n2;b.net;$60\n', 0, { domain: 1 }, ['a.com', 'b.net']],
  'tabs without a header': ['Adsy\ta.com\nLegiit\tb.net\n', 0, { domain: 1 }, ['a.com', 'b.net']],
  'a sep= line': ['sep=;\nWebsite;Seller\na.com;Anna\n', 2, { domain: 0, source: 1 }, ['a.com']],
  'a sep= line without a header': ['sep=;\na.com;Anna\nb.net;Ben\n', 1, { domain: 0 }, ['a.com', 'b.net']],
  'UTF-16 from Excel': [
    Buffer.from('\ufeffWebsite\tSeller\r\na.com\tAnna\r\n', 'utf16le'),
    1,
    { domain: 0, source: 1 },
    ['a.com'],
  ],
  'quoted cells': ['"Website","Seller"\r\n"a.com","Anna, Ltd"\r\n', 1, { domain: 0, source: 1 }, ['a.com']],
};

test.each(Object.entries(files))('%s is recognized', async (_, [content, headerLine, columns, names]) => {
  const { mapping } = await preview(content);
  expect(mapping).toEqual({ headerLine, columns });
  const { rows, failures } = await read(content, { mapping, defaultSource: 'Given' });
  expect([rows.map(({ name }) => name), failures]).toEqual([names, []]);
  expect(await read(content, { defaultSource: 'Given' })).toEqual({ rows, failures });
});

test('a preview has the header and five rows of the columns that are shown', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `s${i}.com,Seller ${i}`);
  expect(await preview(['List of sellers', 'Website,Seller', ...rows].join('\n'))).toEqual({
    mapping: { headerLine: 2, columns: { domain: 0, source: 1 } },
    columns: [0, 1],
    rows: [
      { line: 2, cells: ['Website', 'Seller'] },
      ...Array.from({ length: 5 }, (_, i) => ({ line: i + 3, cells: [`s${i}.com`, `Seller ${i}`] })),
    ],
  });
});

test('a preview of thousands of columns shows those with a field and the first others', async () => {
  const names = Array.from({ length: 5000 }, (_, i) => `c${i}`);
  const header = [...names, 'Website', 'Seller'].join();
  const { mapping, columns } = await preview(`${header}\n${names.map(() => 'x').join()},a.com,Anna\n`);
  expect(mapping.columns).toEqual({ domain: 5000, source: 5001 });
  expect([columns.length, columns[0], ...columns.slice(-2)]).toEqual([40, 0, 5000, 5001]);
});

test('a file without hosts has no column of domains', async () => {
  expect((await preview('name,place\nAnna,Rome\n')).mapping.columns).toEqual({});
  await expect(read('name,place\nAnna,Rome\n', { defaultSource: 'Given' })).rejects.toThrow(
    "The file needs a header row with at least the columns 'domain' and 'source'.",
  );
});

test('the mapping decides which columns are read and where the rows start', async () => {
  const mapping = { headerLine: 0, columns: { domain: 1, cost: 2 } };
  const { rows, failures } = await read('x.com,a.com,$5\nz.com,no name,\ny.com,b.net,\n', {
    mapping,
    defaultSource: 'Anna, Ben',
    defaultKind: 'inventory',
  });
  const given = { source: ['Anna', 'Ben'], sourceKind: 'inventory' };
  expect(rows).toEqual([
    { line: 1, name: 'a.com', tld: 'com', cost: '$5', ...given },
    { line: 3, name: 'b.net', tld: 'net', ...given },
  ]);
  expect(failures).toMatchObject([{ line: 2, value: 'no name' }]);
});

test('the default source and kind apply to rows without a source only', async () => {
  const { rows } = await read('domain,source\na.com,Adsy\nb.net,\n', {
    defaultSource: 'Price list',
    defaultKind: 'inventory',
  });
  expect(rows.map(({ source, sourceKind }) => [source[0], sourceKind])).toEqual([
    ['Adsy', undefined],
    ['Price list', 'inventory'],
  ]);
});

test('a file with comments only is rejected', async () => {
  await expect(read('# a\n# b\n', { mapping: { headerLine: 0, columns: { domain: 0 } } })).rejects.toThrow(
    'The file has no rows.',
  );
});
