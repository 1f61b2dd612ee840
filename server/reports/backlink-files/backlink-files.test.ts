import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { countHosts, readBacklinks } from './backlink-files.ts';
import type { Link } from './export-layout.fixtures.ts';
import { buildLocalizedLinks, buildTopLinkedPages, exportFixtures } from './exports.fixtures.ts';
import { readLink } from './page-spool.ts';

const ownHost = 'mine.example';
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlinks-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

async function count(
  content: string | Buffer,
  options: { ownHost?: string; chunkBytes?: number; column?: string } = {},
) {
  await writeFile(path, content);
  const result = await countHosts([{ path, name: 'upload.csv' }], { ownHost, folder, ...options });
  const [format] = result.formats;
  if (!format) throw new Error('No table was read.');
  const hosts = Object.fromEntries(result.hosts.map((host, number) => [host, result.rows[number]]));
  return { ...result, format, skipped: format.skipped, hosts, hostNames: result.hosts };
}

async function pages(content: string | Buffer, wanted: string[], chunkBytes?: number) {
  await writeFile(path, content);
  const rows: { number: number; page: string }[] = [];
  const add = (number: number, record: CsvRecord, flags: number) =>
    rows.push({ number, page: readLink(record, flags).page });
  const { hosts } = await countHosts([{ path, name: 'upload.csv' }], {
    ownHost,
    folder,
    pages: { add },
    ...(chunkBytes && { chunkBytes }),
  });
  return rows
    .map(({ number, page }) => ({ host: hosts[number] ?? '', page }))
    .filter(({ host }) => wanted.includes(host));
}

describe.each(exportFixtures)('$name', (one) => {
  const links: Link[] = (
    one.bareDomains === true
      ? [
          'one.example',
          'Blog.Two.example',
          'www.one.example',
          'three.co.uk',
          'mine.example',
          'not an address',
          '',
          '192.0.2.1',
        ]
      : [
          'https://www.one.example/a,b?x=1',
          'http://Blog.Two.example:8080/path/',
          'https://one.example',
          'https://three.co.uk/?q="x"',
          'https://www.mine.example/self/',
          'not an address',
          '',
          'http://192.0.2.1/',
        ]
  ).map((page) => ({ page }));

  test('tool, report, column and dialect are detected', async () => {
    const { tool, report, column, delimiter, encoding } = one;
    expect((await count(one.build(links))).format).toMatchObject({ tool, report, column, delimiter, encoding });
  });

  test('linking hosts are counted, and every other row is skipped with a reason', async () => {
    const result = await count(one.build(links));
    expect(result.hosts).toEqual({ 'one.example': 2, 'blog.two.example': 1, 'three.co.uk': 1 });
    expect(result.backlinks).toBe(4);
    const at = one.linesBefore;
    expect(result.skipped).toEqual([
      { reason: 'empty', count: 1, lines: [at + 7] },
      { reason: 'IP address', count: 1, lines: [at + 8] },
      { reason: 'not an address', count: 1, lines: [at + 6] },
      { reason: 'own site', count: 1, lines: [at + 5] },
    ]);
  });

  test('pages are returned unchanged and in order', async () => {
    const strip = (page = '') => (one.tool === 'Moz' ? page.replace(/^https?:\/\//, '') : page);
    expect(await pages(one.build(links), ['one.example', 'three.co.uk'])).toEqual([
      { host: 'one.example', page: strip(links[0]?.page) },
      { host: 'one.example', page: strip(links[2]?.page) },
      { host: 'three.co.uk', page: strip(links[3]?.page) },
    ]);
  });

  test('damaged rows in the middle do not affect other rows', async () => {
    const bytes = one.build([...links.slice(0, 4), { page: '@@damage@@' }, ...links.slice(0, 4)]);
    const wide = one.encoding === 'UTF-16LE';
    const text = wide ? bytes.toString('utf16le') : bytes.toString();
    const before = text.split('@@damage@@')[0]?.split(/\r\n|\n/).length ?? 0;
    for (const damage of ['"never closed', 'x"y"z,"', '"', `${'long'.repeat(20_000)}`, '\0\0', '""",', '"a" b"']) {
      const damaged = text
        .split('\n')
        .map((line) => (line.includes('@@damage@@') ? damage : line))
        .join('\n');
      const result = await count(Buffer.from(damaged, wide ? 'utf16le' : 'utf8'));
      expect(result.hosts, damage.slice(0, 20)).toEqual({ 'one.example': 4, 'blog.two.example': 2, 'three.co.uk': 2 });
      expect(result.skipped.flatMap(({ lines }) => lines)).toEqual([before]);
    }
  });

  test('titles with line ends, delimiters and tabs do not affect rows', async () => {
    const result = await count(
      one.build(links.slice(0, 4).map((link) => ({ ...link, title: 'a\tb\n"c",;|\r\nd', anchor: '\n' }))),
    );
    expect(result.backlinks).toBe(4);
    expect(result.skipped).toEqual([]);
  });

  test('the chunk size does not change the result', async () => {
    const bytes = one.build(links);
    const whole = await count(bytes);
    for (const chunkBytes of [1, 7, 100]) expect(await count(bytes, { chunkBytes })).toEqual(whole);
  });
});

test('line numbers count preamble, blank lines and newlines in cells', async () => {
  const text =
    'Report\n\nMade,today\nSource title,Source url\n"two\nlines",https://one.example/\n\nx,nothing\ny\n"open,z\nlast,https://two.example/';
  const result = await count(text);
  expect(result.hosts).toEqual({ 'one.example': 1, 'two.example': 1 });
  expect(result.skipped).toEqual([
    { reason: 'empty', count: 1, lines: [7] },
    { reason: 'not an address', count: 1, lines: [8] },
    { reason: 'malformed row', count: 2, lines: [9, 10] },
  ]);
});

test('all skipped rows are counted, with the first five line numbers of each reason', async () => {
  const result = await count(`url\nhttps://one.example/\n${'nothing\n'.repeat(12)}`);
  expect(result.skipped).toEqual([{ reason: 'not an address', count: 12, lines: [3, 4, 5, 6, 7] }]);
});

test('header names match regardless of case, underscores, outer spaces and byte order mark', async () => {
  for (const name of [' SOURCE_URL ', '\ufeffsource url', 'Source   Url', '"Source url"']) {
    const result = await count(`target url,${name}\nhttps://other.example/,https://one.example/\n`);
    expect(result.hosts).toEqual({ 'one.example': 1 });
  }
});

test('the source column is chosen by priority, and a target column is never chosen', async () => {
  const names = ['domain', 'url', 'link', 'url_from', 'linking page', 'source url', 'referring page url'];
  for (let size = 1; size <= names.length; size += 1) {
    const header = ['target url', 'link url', 'url_to', 'target page', ...names.slice(0, size)];
    const row = header.map((_, column) => `https://column${column}.example/`);
    expect((await count(`${header.join()}\n${row.join()}\n`)).hosts).toEqual({
      [`column${header.length - 1}.example`]: 1,
    });
  }
  await expect(count('Target URL,Anchor\nhttps://other.example/,x\n')).rejects.toMatchObject({ code: 'own_pages' });
});

test('metadata that looks like a header is not treated as one', async () => {
  const result = await count('Site,mine.example\nDomain,Comment\none.example,x\n');
  expect(result.hosts).toEqual({ 'one.example': 1 });
  expect(result.format.column).toBe('Domain');
  expect(result.skipped).toEqual([]);
});

test.each([
  ['Seite', 'Zuletzt gecrawlt', 'Seite'],
  ['Gelen sayfa', 'Son tarama', 'Gelen sayfa'],
  ['다른 페이지', '최종 크롤링', '다른 페이지'],
])('an export in another language is read by its content (%s)', async (page, date, shown) => {
  const links = [
    { page: 'https://www.mine.example/' },
    { page: 'https://one.example/;x' },
    { page: 'https://two.example/' },
  ];
  const result = await count(buildLocalizedLinks(links, [page, date]));
  expect(result.format).toMatchObject({ column: `column 2 (“${shown}”)`, delimiter: 'semicolon' });
  expect(result.hosts).toEqual({ 'one.example': 1, 'two.example': 1 });
  expect(result.skipped).toEqual([{ reason: 'own site', count: 1, lines: [2] }]);
});

test('without a header the column with the most external addresses is chosen', async () => {
  const rows = [1, 2, 3].map((i) => `${i},https://shop${i}.mine.example/,https://host${i}.example/,text.example`);
  const result = await count(rows.join('\n'));
  expect(result.format.column).toBe('column 3');
  expect(result.backlinks).toBe(3);
});

test('a column with one repeated host is treated as a target column', async () => {
  const rows = [1, 2, 3].map((i) => `https://target.example/${i};https://host${i}.example/`);
  expect((await count(`eins;zwei\n${rows.join('\n')}\n`)).format.column).toBe('column 2 (“zwei”)');
});

test('a data row that contains header words is not treated as a header', async () => {
  const result = await count('https://one.example/,no,link\nhttps://two.example/,no,link\n');
  expect(result.format.column).toBe('column 1');
  expect(result.hosts).toEqual({ 'one.example': 1, 'two.example': 1 });
});

test('a plain list is read line by line', async () => {
  const text =
    '# my list\nhttps://one.example/a,b\r\n\nTwo.example\n  # indented\nwww.one.example\nnot a domain\n192.0.2.1';
  const result = await count(text);
  expect(result.format).toMatchObject({ tool: 'Plain list', column: 'every line', delimiter: 'none' });
  expect(result.hosts).toEqual({ 'one.example': 2, 'two.example': 1 });
  expect(result.skipped).toEqual([
    { reason: 'empty', count: 1, lines: [3] },
    { reason: 'IP address', count: 1, lines: [8] },
    { reason: 'not an address', count: 1, lines: [7] },
  ]);
});

test('an old disavow file is read, with comments and mixed line ends', async () => {
  const text =
    '# Contacted, no reply\r\ndomain:one.example\ndomain: www.Two.example\rhttps://three.example/p,q\r\n# bye';
  const result = await count(text);
  expect(result.format).toMatchObject({ tool: 'Google', report: 'Disavow file' });
  expect(result.hosts).toEqual({ 'one.example': 1, 'two.example': 1, 'three.example': 1 });
  expect(result.skipped).toEqual([]);
  expect(await pages(text, ['two.example', 'three.example'])).toEqual([
    { host: 'two.example', page: 'www.Two.example' },
    { host: 'three.example', page: 'https://three.example/p,q' },
  ]);
});

test('a list of the user’s own pages is rejected in any language', async () => {
  const own = ['https://www.mine.example/', 'https://shop.mine.example/a'];
  for (const header of [undefined, ['Zielseite', 'Eingehende Links', 'Verweisende Websites']]) {
    await expect(count(buildTopLinkedPages(own, header))).rejects.toMatchObject({
      name: 'UnreadableFile',
      code: 'own_pages',
      message: expect.stringContaining('your own website'),
    });
  }
  await expect(count(`url\n${own.join('\n')}\n`)).rejects.toMatchObject({ code: 'own_pages' });
});

test('the user’s site is all of its registrable domain, but on a shared host only its subdomain', async () => {
  const text =
    'url\nhttps://a.mine.example/\nhttps://x.mine.blogspot.com/\nhttps://other.blogspot.com/\nhttps://mine.example.example/\n';
  expect((await count(text)).hosts).toEqual({
    'x.mine.blogspot.com': 1,
    'other.blogspot.com': 1,
    'mine.example.example': 1,
  });
  const shared = await count(text, { ownHost: 'www.mine.blogspot.com' });
  expect(shared.skipped).toEqual([{ reason: 'own site', count: 1, lines: [3] }]);
  const above = await count('url\nbucket.s3.amazonaws.com\nwww.amazonaws.com\n', { ownHost: 'amazonaws.com' });
  expect(above.hosts).toEqual({ 'bucket.s3.amazonaws.com': 1 });
});

test.each([
  ['a header without rows', 'Source url,Target url\n', 'no_rows'],
  ['text without addresses', 'Dear all,\nplease find\nnothing here.\n', 'no_addresses'],
  ['numbers', '1,2,3\n4,5,6\n', 'no_addresses'],
  ['a known header with no usable row', 'url\nnothing\n192.0.2.1\n', 'no_addresses'],
])('%s is rejected', async (_, text, code) => {
  await expect(count(text)).rejects.toMatchObject({ name: 'UnreadableFile', code });
});

test('each new host is reported once, while the file is being read', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `https://host${i % 50}.example/${i}`);
  await writeFile(path, `url\n${lines.join('\n')}\n`);
  const reported: (readonly string[])[] = [];
  const progress: number[] = [];
  const reading = readBacklinks([{ path, name: 'upload.csv' }], { ownHost, folder, chunkBytes: 400 });
  for await (const { newHosts, share } of reading) {
    if (newHosts.length > 0) reported.push(newHosts);
    progress.push(share);
  }
  expect(reported.flat()).toEqual((await count(`url\n${lines.join('\n')}\n`)).hostNames);
  expect(reported.length).toBeGreaterThan(2);
  expect(progress.at(-1)).toBe(1);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
});

test('many hosts in many spellings are counted exactly', async () => {
  const expected = new Map<string, number>();
  let text = 'url\n';
  for (let i = 0; i < 60_000; i += 1) {
    const host = `h${(i * 7919) % 9973}.example`;
    expected.set(host, (expected.get(host) ?? 0) + 1);
    text += `${['https://', 'http://www.', '', 'HTTPS://'][i % 4]}${i % 3 === 0 ? host.toUpperCase() : host}${['/', '', '?q'][i % 3]}\n`;
  }
  expect((await count(text, { chunkBytes: 65_536 })).hosts).toEqual(Object.fromEntries(expected));
});

test('counting stops with the reason of an aborted signal', async () => {
  await writeFile(path, 'url\nhttps://one.example/\n');
  const signal = AbortSignal.abort(new Error('cancelled'));
  await expect(countHosts([{ path, name: 'upload.csv' }], { ownHost, folder, signal })).rejects.toThrow('cancelled');
});

test('NUL characters are removed from pages', async () => {
  expect(await pages('url,x\nhttps://one.example/a\0b,1\n', ['one.example'])).toEqual([
    { host: 'one.example', page: 'https://one.example/ab' },
  ]);
});

test('a column given by name is read instead of the detected one', async () => {
  const text = 'Report\nid;Source url;My Own Column\n1;https://one.example/;https://two.example/x\n';
  const named = await count(text, { column: ' my_own column' });
  expect(named.hosts).toEqual({ 'two.example': 1 });
  expect(named.format.column).toBe('My Own Column');
  expect((await count(text)).hosts).toEqual({ 'one.example': 1 });
  await expect(count(text, { column: 'Backlinks' })).rejects.toThrow('This file has no column named “Backlinks”.');
});
