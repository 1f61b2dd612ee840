import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { type CountOptions, countHosts } from './backlink-files.ts';

const ownHost = 'mine.example';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'several-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads an upload of these files, by name. */
async function read(files: Record<string, string | Uint8Array>, options: Partial<CountOptions> = {}) {
  const stored = await Promise.all(
    Object.entries(files).map(async ([name, content], i) => {
      const path = join(folder, `file${i}`);
      await writeFile(path, content);
      return { path, name };
    }),
  );
  const result = await countHosts(stored, { ownHost, folder, ...options });
  return { ...result, hosts: Object.fromEntries(result.hosts.map((host, number) => [host, result.rows[number]])) };
}

const zip = (entries: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));

const latestLinks = 'Linking page,Last crawled\nhttps://one.example/a,2026-01-02\nhttps://two.example/,2026-01-03\n';
const topSites = 'Site,Linking pages,Target pages\none.example,12,3\nthree.example,1,1\n';
const topPages = 'Target page,Incoming links,Linking sites\nhttps://mine.example/,12,3\n';

test('rows of several files are united, and a link in two files counts once', async () => {
  const ahrefs =
    'Referring page URL,Target URL\nhttps://one.example/a,https://mine.example/\nhttp://www.one.example/a/,https://mine.example/other\nhttps://three.example/,https://mine.example/\n';
  const result = await read({ 'ahrefs.csv': ahrefs, 'latest.csv': latestLinks });
  expect(result.backlinks).toBe(4);
  expect(result.hosts).toEqual({ 'one.example': 2, 'three.example': 1, 'two.example': 1 });
  expect(result.formats).toMatchObject([
    { file: 'ahrefs.csv', tool: 'Ahrefs', backlinks: 3, duplicates: 0 },
    { file: 'latest.csv', tool: 'Google Search Console', backlinks: 1, duplicates: 1 },
  ]);
});

test('with targets in both files, the same page with another target is another link', async () => {
  const others = 'https://two.example/,https://mine.example/\nhttps://three.example/,https://mine.example/\n';
  for (const header of ['Source url,Target url\n', 'Backlink,URL\n']) {
    const first = `${header}https://one.example/a,https://mine.example/\n${others}`;
    const second = `${header}https://one.example/a,https://www.mine.example\nhttps://one.example/a,https://mine.example/b\n${others}`;
    const result = await read({ 'a.csv': first, 'b.csv': second });
    expect(
      result.formats.map(({ backlinks, duplicates }) => [backlinks, duplicates]),
      header,
    ).toEqual([
      [3, 0],
      [1, 3],
    ]);
  }
});

test('a link counts once however its cell is written', async () => {
  const page = 'https://one.example/a?b=c';
  const cells = [
    `<${page}>`,
    `"=HYPERLINK(""${page}"";""text"")"`,
    `[text](${page})`,
    `- ${page}`,
    `1. ${page}`,
    `https://${page}`,
    'hxxps://one[.]example/a?b=c',
    ' http://www.ONE.example/a?b=c#d ',
    'one.example/a?b=c',
    `${page} # comment`,
  ];
  for (const cell of cells) {
    for (const [first, second] of [
      [cell, page],
      [page, cell],
    ]) {
      const result = await read({ 'a.csv': `url,x\n${first},y\n`, 'b.csv': `url,x\n${second},y\n` });
      expect(result.backlinks, cell).toBe(1);
    }
  }
});

test('the first file that contains a link says whether it is lost', async () => {
  const [lost, live] = ['2026-01-02', ''].map((day) => `Source URL,Lost\nhttps://one.example/a,${day}\n`) as [
    string,
    string,
  ];
  expect((await read({ 'a.csv': lost, 'b.csv': live })).lostBacklinks).toBe(1);
  expect((await read({ 'a.csv': live, 'b.csv': lost })).lostBacklinks).toBe(0);
});

test('equal rows of one file all count', async () => {
  const row = 'https://one.example/a\n';
  expect((await read({ 'a.csv': `url\n${row}${row}` })).backlinks).toBe(2);
  expect((await read({ 'a.csv': `url\n${row}${row}`, 'b.csv': `url\n${row}https://two.example/\n` })).backlinks).toBe(
    3,
  );
});

test('many links in several files are recognized', async () => {
  const list = (from: number, to: number) =>
    `url\n${Array.from({ length: to - from }, (_, i) => `https://host${(from + i) % 97}.example/${from + i}`).join('\n')}\n`;
  const result = await read({ 'a.csv': list(0, 90_000), 'b.csv': list(45_000, 135_000), 'c.csv': list(0, 135_000) });
  expect(result.backlinks).toBe(135_000);
  expect(result.formats.map(({ duplicates }) => duplicates)).toEqual([0, 45_000, 135_000]);
});

test("the linking pages in Search Console's archive are read, and the other tables are listed as ignored", async () => {
  const archive = zip({
    'Latest links.csv': latestLinks,
    'Top linking sites.csv': topSites,
    'Top target pages.csv': topPages,
    'Top linking text.csv': 'Rank,Link text\n1,garden\n',
  });
  const result = await read({ 'links.zip': archive });
  expect(result.hosts).toEqual({ 'one.example': 1, 'two.example': 1 });
  expect(result.formats.map(({ file }) => file)).toEqual(['links.zip: Latest links.csv']);
  expect(result.ignoredTables.map(({ file }) => file).sort()).toEqual([
    'links.zip: Top linking sites.csv',
    'links.zip: Top linking text.csv',
    'links.zip: Top target pages.csv',
  ]);
  expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringContaining('csv')]));
});

test('an archive with only domains is read, and one without backlinks is refused with every reason', async () => {
  const domains = await read({ 'links.zip': zip({ 'Top linking sites.csv': topSites, 'Pages.csv': topPages }) });
  expect(domains.hosts).toEqual({ 'one.example': 1, 'three.example': 1 });
  const refused = read({ 'links.zip': zip({ 'Pages.csv': topPages, 'Text.csv': 'Rank,Link text\n1,x\n' }) });
  await expect(refused).rejects.toThrow('None of the tables in this file lists backlinks.');
  await expect(refused).rejects.toThrow(/Pages\.csv: .*top pages.*Text\.csv: .*anchor texts/);
  const { message } = (await refused.catch((error: unknown) => error)) as Error;
  expect(message.split('Export your backlinks or referring domains instead.')).toHaveLength(2);
});

test('notes next to a table are not read as a list', async () => {
  const workbook = buildXlsx({
    Notes: [['Backlink report'], ['Made for you'], ['https://tool.example/help']],
    Links: [['Source url'], ['https://one.example/']],
  });
  const result = await read({ 'links.xlsx': workbook });
  expect(result.hosts).toEqual({ 'one.example': 1 });
  expect(result.ignoredTables).toMatchObject([{ file: 'links.xlsx: Notes', reason: expect.stringContaining('text') }]);
});

test('the texts in a sheet do not change its delimiter', async () => {
  for (const text of ['a;b;c;d', 'a | b | c', 'a\tb\tc', 'sep=;']) {
    const pages = ['https://one.example/;x|y', 'https://two.example/;x|y'];
    for (const rows of [
      pages.map((page) => [text, page]),
      pages.map((page) => [page, text]),
      [[text], ...pages.map((page) => [page])],
    ]) {
      const result = await read({ 'links.xlsx': buildXlsx({ Links: rows }) });
      expect(result.hosts, text).toEqual({ 'one.example': 1, 'two.example': 1 });
    }
  }
});

test('a wrong file among several is refused with its name', async () => {
  const refused = read({ 'latest.csv': latestLinks, 'pages.csv': topPages });
  await expect(refused).rejects.toThrow('pages.csv: This is a report of top pages.');
});

test('a question names the table, and the answer belongs to it', async () => {
  const unclear =
    'uno,due\nhttps://one.example/,https://other1.example/\nhttps://two.example/,https://other2.example/\n';
  const files = { 'clear.csv': latestLinks, 'unclear.csv': unclear };
  await expect(read(files, { ask: true })).rejects.toMatchObject({ question: { file: 'unclear.csv' } });
  const answers = { columns: { 'unclear.csv': 1 }, sites: [] };
  expect((await read(files, { ask: true, answers })).hosts).toMatchObject({ 'other1.example': 1, 'other2.example': 1 });
  const archive = zip({ 'clear.csv': latestLinks, 'unclear.csv': unclear });
  expect((await read({ 'both.zip': archive }, { ask: true })).ignoredTables.map(({ file }) => file)).toEqual([
    'both.zip: unclear.csv',
  ]);
});

test('every unclear table of an archive is asked about, if no other is clear', async () => {
  const unclear = (i: number) =>
    `uno,due\nhttps://one${i}.example/,https://other${i}.example/\nhttps://two.example/,https://other.example/\n`;
  const files = { 'links.zip': zip({ 'a.csv': unclear(1), 'b.csv': unclear(2) }) };
  const answers = { columns: {}, sites: [] };
  await expect(read(files, { ask: true, answers })).rejects.toMatchObject({ question: { file: 'links.zip: a.csv' } });
  answers.columns = { 'links.zip: a.csv': 0 };
  await expect(read(files, { ask: true, answers })).rejects.toMatchObject({ question: { file: 'links.zip: b.csv' } });
  answers.columns = { 'links.zip: a.csv': 0, 'links.zip: b.csv': 1 };
  const result = await read(files, { ask: true, answers });
  expect(Object.keys(result.hosts)).toEqual(['one1.example', 'two.example', 'other2.example', 'other.example']);
});

test('a file can have the name of a property that every object has', async () => {
  const unclear =
    'uno,due\nhttps://one.example/,https://other1.example/\nhttps://two.example/,https://other2.example/\n';
  for (const name of ['constructor', '__proto__', 'toString']) {
    const files = { [name]: unclear };
    await expect(read(files, { ask: true, answers: { columns: {}, sites: [] } })).rejects.toMatchObject({
      question: { file: name },
    });
    const answers = { columns: { [name]: 1 }, sites: [] };
    expect((await read(files, { ask: true, answers })).hosts).toMatchObject({ 'other1.example': 1 });
  }
});

test('lost and nofollow links are counted by the columns of each tool', async () => {
  const cases: [header: string, lost: string, nofollow: string, neither: string][] = [
    ['Referring page URL,Nofollow,Lost', ',false,2025-06-07 10:11:12', ',true,', ',false,'],
    ['Source url,Nofollow,Lost link', ',FALSE,TRUE', ',TRUE,FALSE', ',false,false'],
    ['Source url,Nofollow,Lost link', ',FALSCH,WAHR', ',WAHR,FALSCH', ',ЛОЖЬ,FAUX'],
    ['Source url,Follow,Lost', ',ja,02-Jan-2024', ',nein,-', ',ja,N/A'],
    ['Source url,Nofollow,Lost', ',нет,2024年1月2日', ',да,нет', ',нет,0'],
    ['SourceURL,FlagNoFollow,DateLost', ',-,2026-01-02', ',+,', ',-,'],
    ['SourceURL,FlagNoFollow,FlagDeleted', ',0,1', ',1,0', ',,'],
    ['URL,Type,Day Lost,Page Authority', ',Dofollow,7 Mar 2025,3', ',Nofollow,,3', ',Dofollow,-,3'],
    ['link,rel,status', ',,Lost', ',ugc nofollow,live', ',noopener,200'],
    ['link,Lost,Status,Type,Nofollow', ',,Lost,,', ',,live,nofollow,', ',-,200,text,false'],
    ['link,Lost status,Type,Nofollow', ',Link removed,text,false', ',,text,true', ',,text,false'],
    ['link,Lost status,rel', ',Noindex,', ',-,nofollow', ',no,'],
    ['link,Lost status,rel', ',Crawl error,', ',,nofollow', ',Live,'],
    ['link,dofollow,link status', ',yes,Link not found', ',no,Active', ',yes,Active'],
  ];
  for (const [header, lost, nofollow, neither] of cases) {
    const rows = [lost, nofollow, neither].map((cells, i) => `https://host${i}.example/${cells}\n`);
    const flags: number[] = [];
    const result = await read(
      { 'a.csv': `${header}\n${rows.join('')}` },
      { pages: { add: (_host, _record, flag) => flags.push(flag) } },
    );
    expect(flags, header).toEqual([1, 2, 0]);
    expect(result, header).toMatchObject({
      backlinks: 3,
      lostBacklinks: 1,
      nofollowBacklinks: 1,
      lostNofollowBacklinks: 0,
    });
    expect([...(result.lostRows ?? [])].slice(0, 3)).toEqual([1, 0, 0]);
  }
  expect((await read({ 'a.csv': 'url\nhttps://one.example/\n' })).lostRows).toBeUndefined();
});
