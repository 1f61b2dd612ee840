import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { countHosts } from './backlink-files.ts';
import { buildExport, type Link as FixtureLink, splitHeader, utf16 } from './export-layout.fixtures.ts';
import { exportFixtures } from './exports.fixtures.ts';
import { findDetailColumns } from './link-details.ts';
import { type Link, readLink } from './page-spool.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'details-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

async function readLinks(content: string | Buffer, options: { chunkBytes?: number; column?: number } = {}) {
  await writeFile(path, content);
  const links: Link[] = [];
  await countHosts([{ path, name: 'upload.csv' }], {
    ownHost: 'mine.example',
    folder,
    ...(options.chunkBytes !== undefined && { chunkBytes: options.chunkBytes }),
    ...(options.column !== undefined && { answers: { columns: { 'upload.csv': options.column }, sites: [] } }),
    pages: { add: (_host, record, flags) => links.push(readLink(record, flags)) },
  });
  return links;
}

const nothing = { anchor: undefined, targetPage: undefined, firstSeen: undefined };

describe('columns', () => {
  const find = (header: string, sourceColumn = 0) => {
    const names = splitHeader(header);
    const { anchorColumn = -1, firstSeenColumn = -1 } = findDetailColumns(names, sourceColumn);
    return [names[anchorColumn], names[firstSeenColumn]];
  };

  test.each([
    [
      'Referring page URL,Left context,Anchor,Right context,Discovered status,First seen,Last seen',
      'Anchor',
      'First seen',
    ],
    ['Referring Page URL,TextPre,Link Anchor,TextPost,First Seen,Last Check,Day Lost', 'Link Anchor', 'First Seen'],
    ['SourceURL,AnchorText,FirstIndexedDate,LastSeenDate,DateLost', 'AnchorText', 'FirstIndexedDate'],
    ['Source URL,Anchor Text,Source Crawl Date,Source First Found Date', 'Anchor Text', 'Source First Found Date'],
    ['URL,Title,Anchor Text,Spam Score', 'Anchor Text', undefined],
    ['source_url,ANCHOR_TEXT,first_seen', 'ANCHOR_TEXT', 'first_seen'],
    ['Linking page,Last crawled', undefined, undefined],
    ['URL,Left context,Right context,TextPre,TextPost,Top linking text', undefined, undefined],
    ['Verlinkende Seite,Linktext,Zuerst gesehen', 'Linktext', 'Zuerst gesehen'],
    ['Донор,Анкор,Дата обнаружения', 'Анкор', 'Дата обнаружения'],
    ['URL,Last seen,First found,First seen', undefined, 'First seen'],
    ['URL,Anchors,Anchor', 'Anchor', undefined],
  ])('%s', (header, anchor, firstSeen) => expect(find(header)).toEqual([anchor, firstSeen]));

  test('the source column is none of them', () => {
    expect(find('Link text,Anchor,Found', 1)).toEqual(['Link text', 'Found']);
    expect(find('Anchor,Found', 1)).toEqual(['Anchor', undefined]);
  });
});

const link: FixtureLink = {
  page: 'https://one.example/',
  anchor: ' a "b",\t\n c;d ',
  target: 'https://mine.example/?a,"b"',
};
const anchor = 'a "b", c;d';
const targetPage = 'https://mine.example/?a,"b"';

test.each([
  ['Ahrefs backlinks, UTF-16', { anchor, targetPage, firstSeen: '2025-01-02' }],
  ['Ahrefs backlinks, UTF-8', { anchor, targetPage, firstSeen: '2025-01-02' }],
  ['Ahrefs backlinks, older, UTF-16', { anchor, targetPage }],
  ['Ahrefs backlinks, older, UTF-8', { anchor, targetPage }],
  ['Ahrefs referring domains, UTF-8', {}],
  ['Semrush backlinks', { anchor, targetPage }],
  ['Semrush backlinks, older', { anchor, targetPage }],
  ['Majestic backlinks', { anchor, targetPage }],
  ['Majestic raw download', { anchor, targetPage }],
  ['Moz inbound links', { targetPage: 'www.mine.example/page' }],
  ['Search Console, latest links', {}],
  ['Ubersuggest', { anchor, targetPage }],
  ['AgencyAnalytics', { anchor }],
  ['generic backlinks', { anchor, targetPage }],
])('%s', async (name, details) => {
  const fixture = exportFixtures.find((one) => one.name === name);
  const links = await readLinks(fixture?.build([link, link]) ?? '');
  expect(links.map(({ page: _, ...rest }) => rest)).toEqual([1, 2].map(() => ({ ...nothing, ...details })));
});

test('cells of rows in different forms are read, whatever the size of the chunks', async () => {
  const header = ['Source url', 'Target url', 'Anchor', 'First seen', 'Nofollow'];
  const content = [
    header.join(','),
    'https://one.example/,https://mine.example/a,plain,2025-01-02,true',
    '"https://two.example/","https://mine.example/b","say ""hi"", now\r\nor later","3/14/2025 10:00","false"',
    'https://three.example/,,,,',
    'https://four.example/',
    'https://five.example/,"","  ",never,true',
    'https://six.example/,null,null,null,false',
  ].join('\n');
  const expected = [
    { anchor: 'plain', targetPage: 'https://mine.example/a', firstSeen: '2025-01-02' },
    { anchor: 'say "hi", now or later', targetPage: 'https://mine.example/b', firstSeen: '2025-03-14' },
    nothing,
    nothing,
    nothing,
    nothing,
  ];
  for (const chunkBytes of [7, 64, 524_288]) {
    expect((await readLinks(content, { chunkBytes })).map(({ page: _, ...details }) => details)).toEqual(expected);
  }
});

test('anchors and targets are cut to their limits, but not inside a surrogate pair', async () => {
  const build = (anchor: string, target: string) =>
    buildExport(
      {
        header: ['Source url', 'Target url', 'Anchor'],
        cells: () => ({ 'Source url': 'https://one.example/', 'Target url': target, Anchor: anchor }),
      },
      [{ page: '' }],
    );
  const [long] = await readLinks(build(`${'x '.repeat(600)}`, `https://mine.example/${'y'.repeat(5000)}`));
  expect(long?.anchor).toBe('x '.repeat(250).trim());
  expect(long?.targetPage).toBe(`https://mine.example/${'y'.repeat(5000)}`.slice(0, 2048));
  const [pair] = await readLinks(build(`${'x'.repeat(499)}😀😀`, `${'y'.repeat(2046)}😀😀`));
  expect(pair?.anchor).toBe('x'.repeat(499));
  expect(pair?.targetPage).toBe(`${'y'.repeat(2046)}😀`);
  const [whole] = await readLinks(build(`${'x'.repeat(498)}😀`, `${'y'.repeat(2048)}`));
  expect([whole?.anchor?.length, whole?.targetPage?.length]).toEqual([500, 2048]);
});

test('NUL characters are left out', async () => {
  const [found] = await readLinks(
    'Source url,Target url,Anchor\nhttps://one.example/,https://mine.example/\0a,b\0 c\0\n',
  );
  expect(found).toMatchObject({ targetPage: 'https://mine.example/a', anchor: 'b c' });
});

test('a file without a header has no details', async () => {
  const rows = ['https://one.example/,First seen,2025-01-02', 'https://two.example/,Anchor,2025-01-02'];
  expect(await readLinks(rows.join('\n'))).toEqual([
    { page: 'https://one.example/', ...nothing },
    { page: 'https://two.example/', ...nothing },
  ]);
});

test('a column that the user chose is only the source, whatever its name', async () => {
  const content = utf16('Anchor\tFirst seen\nhttps://one.example/\t2025-01-02\nhttps://two.example/\t2025-01-03\n');
  expect(await readLinks(content, { column: 0 })).toEqual([
    { page: 'https://one.example/', ...nothing, firstSeen: '2025-01-02' },
    { page: 'https://two.example/', ...nothing, firstSeen: '2025-01-03' },
  ]);
});

test('dates of a workbook are read, which are numbers of days', async () => {
  const rows = [
    ['Source url', 'Anchor', 'First seen'],
    ['https://one.example/', 'one', 45717],
    ['https://two.example/', 'two', 45718.75],
  ];
  const links = await readLinks(Buffer.from(buildXlsx({ Links: rows })));
  expect(links.map(({ anchor, firstSeen }) => [anchor, firstSeen])).toEqual([
    ['one', '2025-03-01'],
    ['two', '2025-03-02'],
  ]);
});
