import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { buildLines, createFileReader } from './odd-files.fixtures.ts';

let file: Awaited<ReturnType<typeof createFileReader>>;
beforeAll(async () => {
  file = await createFileReader();
});
afterAll(() => file.remove());

const pages = ['https://bad1.com/a', 'https://bad2.net/ü', 'http://bücher.com/?q=1'];

test.each([', ', ',', ' ', '; ', ';', '\n', '\r\n', ',\n', ' | ', '|'])(
  'every address of a cell with several between %j counts',
  async (separator) => {
    const cell = pages.join(separator);
    for (const content of [
      buildLines('Linking page,DR,Status', 'https://one.com/,5,Live', `"${cell}",5,Lost`),
      buildXlsx({
        Links: [
          ['Linking page', 'DR', 'Status'],
          ['https://one.com/', 5, 'Live'],
          [cell, 5, 'Lost'],
        ],
      }),
    ]) {
      const result = await file.read(content, { ask: true });
      expect(result.pages).toEqual(['https://one.com/', ...pages]);
      expect(result.hosts).toEqual(['one.com', 'bad1.com', 'bad2.net', 'xn--bcher-kva.com']);
      expect(result.links.map(({ flags }) => flags)).toEqual([0, 1, 1, 1]);
      expect(result.backlinks).toBe(4);
    }
  },
);

test('domains in one cell count, and pages of the website itself do not', async () => {
  const own = 'https://mine.example/';
  const rows = ['one.com', '"bad1.com, bad2.net"', 'two.com', 'three.com'];
  expect((await file.read(buildLines('Referring domain,DR', ...rows.map((row) => `${row},5`)))).hosts).toEqual([
    'one.com',
    'bad1.com',
    'bad2.net',
    'two.com',
    'three.com',
  ]);
  const mixed = await file.read(
    buildLines('Linking page,DR', `${own} https://bad1.com/a,5`, `${own} ${own}b,5`, 'https://bad2.net/,5'),
  );
  expect(mixed.pages).toEqual(['https://bad1.com/a', 'https://bad2.net/']);
  expect(mixed.skipped).toEqual([{ reason: 'own site', lines: [3] }]);
});

test.each([
  'https://bad1.com/my page, two.html',
  'https://bad1.com/a,b',
  'https://bad1.com/x,example.com',
  'https://bad1.com/a bad1.com',
  'https://bad1.com/?a=1 2',
])('%s is one address', async (page) => {
  const result = await file.read(buildLines('Linking page,DR', 'https://one.com/,5', `"${page}",5`));
  expect(result.pages).toEqual(['https://one.com/', page]);
});

test.each<(page: string) => string>([
  (page) => `Target: https://mine.example/x Source: ${page}`,
  (page) => `https://mine.example/ is linked from ${page}.`,
  (page) => `https://blog.mine.example/a <- (${page})`,
  (page) => `${page} → https://mine.example/`,
  (page) => `Page ${page} to https://mine.example/`,
])('the first URL of a text that is not one of the website itself counts: %s', async (toText) => {
  const links = ['https://bad1.com/a', 'http://bad2.net/ü', 'https://clean.com/?q=1'];
  const rows = links.map((page) => `"${toText(page)}",1`);
  const result = await file.read(buildLines('Linking page,x', ...rows), { ask: true });
  expect(result.pages).toEqual(links);
  expect(result.backlinks).toBe(3);
});

test('pages of the website itself with other texts are refused', async () => {
  for (const text of [
    'https://mine.example/a - a title',
    'Page https://mine.example/a',
    'https://mine.example/a?u=https://bad1.com/',
  ]) {
    const content = buildLines('Linking page,x', ...[1, 2, 3].map((number) => `${text},${number}`));
    await expect(file.read(content, { ask: true }), text).rejects.toMatchObject({ code: 'own_pages' });
  }
});

test('cells with several addresses are found in every row', async () => {
  const rows = Array.from({ length: 10_500 }, (_, i) => `https://one.com/${i},5`);
  const late = ['"https://bad1.com/a, https://bad2.net/b",5', 'HTTPS://bad3.org http://bad4.info,5'];
  const { hosts } = await file.read(buildLines('Linking page,DR', ...rows, ...late));
  expect(hosts).toEqual(['one.com', 'bad1.com', 'bad2.net', 'bad3.org', 'bad4.info']);
  const domains = Array.from({ length: 10_500 }, () => 'one.com,5');
  const mixed = await file.read(buildLines('Referring domain,DR', ...domains, '"bad1.com, bad2.net",5'));
  expect(mixed.hosts).toEqual(['one.com', 'bad1.com', 'bad2.net']);
});

test('a second address is found at every place of a cell', async () => {
  const first = Array.from({ length: 12 }, (_, i) => `https://one.com/${'x'.repeat(i)}`);
  for (const scheme of ['http://', 'https://']) {
    const { hosts, backlinks } = await file.read(
      buildLines('Linking page', ...first.map((url) => `${url} ${scheme}bad.com`)),
    );
    expect([hosts, backlinks]).toEqual([['one.com', 'bad.com'], 24]);
  }
});

test('every link of a cell with HTML counts', async () => {
  const cells = [
    '<a href=""https://bad1.com/a"">A</a><br><a rel=x href=""https://bad2.net/b"">B</a>',
    "<ul><li><a href='https://bad3.org/'>1</a></li><li><a href=https://bad4.info/>2</a></li></ul>",
    '<a href=""https://bad5.com/a"">A</a> to <a href=""https://mine.example/"">us</a>',
    '<a href=""https://bad6.com/"">x</a>',
  ];
  const { pages } = await file.read(buildLines('Linking page,DR', ...cells.map((cell) => `"${cell}",5`)));
  expect(pages).toEqual([
    ...['https://bad1.com/a', 'https://bad2.net/b', 'https://bad3.org/', 'https://bad4.info/', 'https://bad5.com/a'],
    'https://bad6.com/',
  ]);
});

test.each([
  '- https://bad1.com/a\n- https://bad2.net/b',
  '• bad1.com\n• bad2.net',
  '1. https://bad1.com/ 2. https://bad2.net/',
  '1) bad1.com\n2) bad2.net',
  'https://bad1.com/a and https://bad2.net/b',
  'https://bad1.com/a + https://bad2.net/b',
  '[""https://bad1.com/a"",""https://bad2.net/b""]',
  "['https://bad1.com/a', 'https://bad2.net/b']",
])('every address of the list %j in a cell counts', async (cell) => {
  const { hosts, skipped } = await file.read(buildLines('Linking page,DR', 'https://one.com/,5', `"${cell}",5`));
  expect([hosts, skipped]).toEqual([['one.com', 'bad1.com', 'bad2.net'], []]);
});
