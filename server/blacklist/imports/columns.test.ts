import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImportMapping, ReadingOptions } from '#shared/blacklist/import-preview.ts';
import { readHead } from '../../platform/csv/file-bytes.ts';
import { previewColumns } from './columns.ts';
import { readDomainRows } from './domain-rows.ts';
import type { FileRow, RowFailure } from './file-row.ts';

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
  'a column in German about other sites': [
    'Seite,Verlinkt auf\na.com,c.com\nb.net,d.com\n',
    1,
    { domain: 0 },
    ['a.com', 'b.net'],
  ],
  'sellers in German': ['Verkäufer;Seite\nc.com;a.com\nd.com;b.net\n', 1, { domain: 1, source: 0 }, ['a.com', 'b.net']],
  'the column of a former domain': [
    'Domain;Domain (alt)\na.com;c.at\nb.net;d.at\n',
    1,
    { domain: 0 },
    ['a.com', 'b.net'],
  ],
  'a list with numbers': ['1. a.com\n2. b.net\n3) c.org\n', 0, { domain: 0 }, ['a.com', 'b.net', 'c.org']],
  'links of Markdown': ['- [a.com](https://a.com)\n- [B](https://b.net)\n', 0, { domain: 0 }, ['a.com', 'b.net']],
  'other characters after domain': [
    'http://a.com/x\ndomain：b.net\ndomain c.org\ndomain=d.com\n',
    0,
    { domain: 0 },
    ['a.com', 'b.net', 'c.org', 'd.com'],
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

const rules: Record<string, string> = {
  Clash: 'DOMAIN-SUFFIX,a.com,REJECT\nDOMAIN,b.net,REJECT\nDOMAIN-SUFFIX,good.com,DIRECT\n',
  'Clash in lower case': 'host-suffix, a.com, reject\nhost-suffix, b.net, reject\nhost-suffix, good.com, direct\n',
  'the payload of Clash': "payload:\n  - '+.a.com'\n  - 'b.net'\n",
  'a zone':
    '$TTL 1h\n@ IN SOA a. b. (\n  1 ; serial\n  2 ; refresh\n)\na.com CNAME .\n*.a.com CNAME .\nb.net 300 IN CNAME *.\n',
  'a zone with tabs': 'a.com\tCNAME\t.\nb.net\tCNAME\t.\ngood.com\tCNAME\trpz-passthru.\n',
  'a map of nginx':
    'map $http_referer $bad {\n  default 0;\n  a.com 1;\n  "*.b.net" 1;\n  good.com 0;\n  ~*casino 1;\n}\n',
  'hosts in lower case': 'host, a.com, reject\nhost, b.net, reject\nhost, good.com, proxy\n',
  'a table with a status': 'Domain,Status\na.com,blocked\ngood.com,allowed\nb.net,active\n',
  'a table with a column that is yes or no': 'Site;Blocked\na.com;yes\ngood.com;no\nb.net;\n',
  YAML: 'domains:\n  - a.com\n  - b.net\nallow:\n  - good.com\n',
  'YAML after a comment': '# c\nsites:\n- a.com\n- b.net\nwhitelist:\n- good.com\n',
};

test.each(Object.entries(rules))('allowed sites in the rules of %s are not imported', async (_, content) => {
  const { rows, failures } = await read(content, { defaultSource: 'Given' });
  expect([...new Set(rows.map(({ name }) => name))]).toEqual(['a.com', 'b.net']);
  const lines = content.split('\n');
  expect(failures.map(({ line }) => lines[line - 1]).filter((line) => line?.includes('good.com'))).toHaveLength(
    content.includes('good.com') ? 1 : 0,
  );
});

test.each([
  'spam,com,casino\na.com,pbn,40\nb.net,x,1',
  'spam1;casino\na.com;pbn\nb.net;x',
  'spam1\tx\na.com\ty\nb.net\tz',
])('the first row of %j is rejected and not lost as a header', async (content) => {
  const { rows, failures } = await read(content, { defaultSource: 'Given' });
  expect([rows.map(({ name }) => name), failures.map(({ line }) => line)]).toEqual([['a.com', 'b.net'], [1]]);
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
    'No column of the file contains domains.',
  );
  await expect(read('name,place\nAnna,Rome\n', {})).rejects.toThrow(
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

const keyedLists: Record<string, string> = {
  'objects of YAML':
    '- domain: a.com\n  action: block\n- domain: good.com\n  source: c.com\n  action: allow\n- domain: b.net\n  action: block\n',
  'objects of YAML in one line':
    '- {domain: a.com, action: block}\n- {domain: good.com, action: allow}\n- {domain: b.net}\n',
  'keys of YAML': 'domains:\n  a.com: block\n  good.com: {action: allow}\n  b.net: {}\n',
  'nested objects of YAML':
    '- site:\n    domain: a.com\n- site:\n    domain: good.com\n  action:\n    type: allow\n- site:\n    domain: b.net\n  action:\n    type: block\n',
  'groups of YAML': '- list: block\n  domains: [a.com, b.net]\n- type: whitelist\n  domains:\n    - good.com\n',
  'a configuration of Clash':
    "port: 1\r\ndns:\r\n  fake-ip-filter:\r\n    - '+.c.com'\r\nrules:\r\n  - DOMAIN,a.com,REJECT\r\n  - DOMAIN,good.com,DIRECT\r\n  - DOMAIN,b.net,REJECT\r\n",
  'a table without a header': 'a.com,block\ngood.com,allow\nb.net,block\n',
  'rules about parts of pages': 'a.com\ngood.com##.ad\nb.net\n',
};

test.each(Object.entries(keyedLists))('the exceptions in %s are rejected with their lines', async (_, content) => {
  const { rows, failures } = await read(content, { defaultSource: 'Given', defaultKind: 'list' });
  expect(rows.map(({ name, source, sourceKind }) => [name, source, sourceKind])).toEqual(
    ['a.com', 'b.net'].map((name) => [name, ['Given'], 'list']),
  );
  const lines = content.split(/\r?\n/);
  expect(failures.filter(({ line }) => lines[line - 1]?.includes('good.com'))).toHaveLength(1);
});

test('an address with a query is one of a page, as in feeds', async () => {
  const { rows } = await read('a.com?q\nb.net/?q=1\nc.org#note\n', { defaultSource: 'Given' });
  expect(rows.map(({ name, page }) => [name, page])).toEqual([
    ['a.com', 'a.com?q'],
    ['b.net', 'b.net/?q=1'],
    ['c.org', undefined],
  ]);
});
