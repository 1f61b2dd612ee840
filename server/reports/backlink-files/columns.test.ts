import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { countHosts } from './backlink-files.ts';

const ownHost = 'mine.example';
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'columns-'));
  path = join(folder, 'upload.csv');
});
afterAll(() => rm(folder, { recursive: true }));

async function read(
  content: string,
  options: { ask?: boolean; columns?: Record<string, number>; sites?: string[] } = {},
) {
  await writeFile(path, content);
  const { ask = false, columns = {}, sites = [] } = options;
  return countHosts([{ path, name: 'upload.csv' }], { ownHost, folder, ask, answers: { columns, sites } });
}

const readHosts = async (content: string) => (await read(content)).hosts;

const own = 'https://www.mine.example/page';
const sources = ['https://one.example/a', 'https://blog.two.example/b', 'https://three.co.uk/'];
const sourceHosts = ['one.example', 'blog.two.example', 'three.co.uk'];

/** Builds a CSV with a header and one row for each source, whose cells `toCells` returns. */
function buildCsv(header: readonly string[], toCells: (source: string, index: number) => readonly string[]): string {
  return [header, ...sources.map(toCells)].map((cells) => `${cells.join(',')}\n`).join('');
}

test.each([
  ['Source', 'Target'],
  ['Referring page', 'Target URL'],
  ['Referrer', 'Target URL'],
  ['Donor URL', 'Target URL'],
  ['Ссылающаяся страница', 'Target URL'],
  ['Something unknown', 'Target URL'],
  ['Source', 'Destination'],
  ['From', 'To'],
  ['URL', 'Link URL'],
  ['Página de origen', 'URL del enlace'],
  ['Linking page', 'Something unknown'],
  ['Verlinkende Seite', 'Zielseite'],
  ['リンク元ページ', 'リンク先ページ'],
  ['url', 'backlink'],
  ['backlink', 'link'],
  ['link', 'backlink'],
  ['Backlink', 'URL'],
  ['Site', 'URL'],
  ['Quelle', 'Irgendwas'],
])('the source is column %s next to the own pages in column %s, in either order', async (source, target) => {
  expect(await readHosts(buildCsv([source, target], (page) => [page, own]))).toEqual(sourceHosts);
  expect(await readHosts(buildCsv([target, source], (page) => [own, page]))).toEqual(sourceHosts);
});

test('linking pages are read instead of their domains, even if only the domains have a clear name', async () => {
  const domain = (page: string) => registrableDomain(new URL(page).hostname) ?? '';
  for (const name of ['URL', 'Page', 'unknown']) {
    const pages = await readHosts(buildCsv(['Referring domain', name], (page) => [domain(page), page]));
    expect(pages).toContain('blog.two.example');
    const targets = await readHosts(buildCsv(['Referring domain', name], (page) => [domain(page), own]));
    expect(targets).toContain('two.example');
  }
});

test('a column that names the tool in every row is not the source', async () => {
  expect(await readHosts(buildCsv(['Source', 'URL'], (page) => ['tool.example', page]))).toEqual(sourceHosts);
  expect(await readHosts(buildCsv(['Source', 'URL'], () => ['linking.example', own]))).toEqual(['linking.example']);
});

test('links with search terms or visits are read, whatever their other columns', async () => {
  const links = buildCsv(['URL', 'Keyword', 'Position', 'Target URL'], (page) => [page, 'garden', '1', own]);
  expect(await readHosts(links)).toEqual(sourceHosts);
  expect(await readHosts(buildCsv(['Domain', 'Clicks', 'Impressions'], (page) => [page, '3', '5']))).toEqual(
    sourceHosts,
  );
});

test('links to another site are read from the same columns', async () => {
  const target = 'https://caldea.example/x';
  for (const [source, other] of [
    ['link', 'backlink'],
    ['backlink', 'link'],
    ['URL', 'Backlink'],
    ['Source', 'Destination'],
    ['unknown one', 'unknown two'],
  ] as const) {
    expect(await readHosts(buildCsv([source, other], (page) => [page, target])), source).toEqual(sourceHosts);
    expect(await readHosts(buildCsv([other, source], (page) => [target, page])), source).toEqual(sourceHosts);
  }
});

test('a named column without addresses gives way to the next candidate', async () => {
  expect(await readHosts(buildCsv(['Domain', 'Referring pages URL'], (page) => ['', page]))).toEqual(sourceHosts);
  expect(await readHosts(buildCsv(['Source URL', 'Page'], (page) => ['n/a', page]))).toEqual(sourceHosts);
  // A table copied from the screen can have its data one column right of its header.
  expect(await readHosts(buildCsv(['Domain', 'DR', 'Traffic'], (page, i) => ['', page, `${i}`, '3']))).toEqual(
    sourceHosts,
  );
});

test('texts of which a few look like hosts are not the source', async () => {
  const anchors = ['Node.js', 'best offers', 'read more', 'one.example', 'click here', 'home'];
  const rows = anchors.map((anchor, i) => `${anchor},https://host${i}.example/`);
  expect((await readHosts(`Texto,Enlace\n${rows.join('\n')}\n`)).length).toBe(6);
});

test.each([
  ['outgoing links of a crawler', 'Type,Source,Destination', 'Hyperlink,OWN,PAGE', 'outgoing links'],
  ['outgoing links with Spanish names', 'Página de origen,URL del enlace', 'OWN,PAGE', 'outgoing links'],
  ['outgoing links with short names', 'To,From', 'PAGE,OWN', 'outgoing links'],
  ['outgoing links from an unnamed page column', 'Seite,Link URL', 'OWN,PAGE', 'outgoing links'],
  ['linked domains', 'Domain,DR,Links from target', 'PAGE,3,5', 'outgoing links'],
  ['linked domains, older', '#,Linked Domain,Linked Pages', '1,PAGE,5', 'outgoing links'],
  ['broken links', 'Source page,Broken link,Status code', 'OWN,PAGE,404', 'broken links'],
  ['anchor texts', 'Anchor,Referring domains,Backlinks', 'one.example,3,5', 'anchor texts'],
  ['link texts of Search Console', 'Rank,Link text', '1,two.example', 'anchor texts'],
  ['anchor texts that are the own address', 'Anchor,Ref. domains', 'OWN,3', 'anchor texts'],
  ['link texts in German', 'Rang,Linktext', '1,OWN', 'anchor texts'],
  ['anchor texts of Moz', 'Anchor Text,Linking Domains,Inbound Links', 'garden,3,5', 'anchor texts'],
  ['search queries', 'Top queries,Clicks,Impressions,CTR,Position', 'one.example,3,5,1%,2', 'search queries'],
  ['search queries in Russian', 'Популярные запросы,Клики,Показы', 'mine.example,3,5', 'search queries'],
  ['search queries in Japanese', '上位のクエリ,クリック数,表示回数', 'mine.example,3,5', 'search queries'],
  ['organic keywords', 'Keyword,Position,Volume,URL', 'garden,1,500,PAGE', 'search queries'],
  ['top pages', 'Top pages,Clicks,Impressions', 'https://caldea.example/a,3,5', 'top pages'],
  ['top pages in German', 'Die häufigsten Seiten,Klicks,Impressionen', 'https://caldea.example/a,3,5', 'top pages'],
  ['best pages by links', 'Target page,Incoming links,Linking sites', 'PAGE,3,5', 'top pages'],
  ['referring IP addresses', 'IP Address,Country,Domains,Backlinks', '192.0.2.7,US,3,5', 'IP addresses'],
  ['referring subnets', 'Subnet,Domains', '217.160.0.xxx,3', 'IP addresses'],
  ['IP addresses without a header', '192.0.2.8,12', '192.0.2.7,5', 'IP addresses'],
])('%s are refused by name, with the export to use instead', async (_, header, row, name) => {
  const rows = sources.map((page) => row.replace('OWN', own).replace('PAGE', page));
  const refusal = read(`${header}\n${rows.join('\n')}\n`);
  await expect(refusal).rejects.toThrow(name);
  await expect(refusal).rejects.toThrow('Export your backlinks or referring domains instead.');
});

test('a column of own pages beside a mixed one is a report of outgoing links, whatever the names', async () => {
  const pages = [...sources, `${own}/2`, `${own}/3`];
  for (const header of ['', 'eins,zwei\n', 'url,link\n', 'Source,Destination\n']) {
    for (const order of [(page: string) => `${own},${page}`, (page: string) => `${page},${own}`]) {
      if (header.startsWith('Source') && order('x').startsWith('x')) continue;
      await expect(read(header + pages.map(order).join('\n')), header).rejects.toThrow('outgoing links');
    }
  }
});

test('outgoing links of another site are refused', async () => {
  const csv = buildCsv(['Source', 'Destination'], (page) => ['https://stranger.example/', page]);
  await expect(read(csv)).rejects.toThrow('outgoing links');
});

test('a few links to itself do not make a backlink export a report of outgoing links', async () => {
  const pages = [...sources, 'https://four.example/', 'https://five.example/', own];
  const result = await read(`Página,Destino\n${pages.map((page) => `${page},${own}`).join('\n')}\n`);
  expect(result.backlinks).toBe(5);
});

test('links to the own pages are not outgoing links, whatever the other columns', async () => {
  const pages = [...sources, own];
  const rows = pages.map((page) => `${own},${page},${own}\n`);
  expect(await readHosts(`Landing,Página,Target URL\n${rows.join('')}`)).toEqual(sourceHosts);
});

test('an own address among the texts does not make a backlink export a report of outgoing links', async () => {
  const pages = [...sources, 'https://four.example/', own, own];
  const texts = ['garden', 'mine.example', 'more', 'here', 'garden', 'home'];
  const result = await read(`Página,Texto\n${pages.map((page, i) => `${page},${texts[i]}`).join('\n')}\n`);
  expect(result.backlinks).toBe(4);
});

test('an export that is sorted is judged by more than its first rows', async () => {
  for (const first of [`${own},${own}\n`, `,${own}\n`, '\n']) {
    const result = await read(`Source URL,Target URL\n${first.repeat(300)}${sources.join(`,${own}\n`)},${own}\n`);
    expect(result.hosts).toEqual(sourceHosts);
    expect(result.formats[0]?.skipped).toMatchObject([{ count: 300 }]);
  }
});

test('the column of links can have the name of a column about lost links', async () => {
  const result = await read(buildCsv(['New link', 'Lost link'], (page) => ['no', page]));
  expect(result).toMatchObject({ hosts: sourceHosts, lostBacklinks: 0 });
});

test('the columns of a file are asked for if two of them are about as likely', async () => {
  const csv = `uno,due,tre\n${sources.map((page, i) => `${page},https://other${i}.example/,${i}`).join('\n')}\n`;
  const error = await read(csv, { ask: true }).catch((error: unknown) => error);
  expect(error).toMatchObject({
    question: {
      about: 'column',
      file: 'upload.csv',
      columns: ['uno', 'due', 'tre'],
      rows: sources.map((page, i) => [page, `https://other${i}.example/`, String(i)]),
    },
  });
  const answered = await read(csv, { ask: true, columns: { 'upload.csv': 1 } });
  expect(answered.hosts).toEqual(['other0.example', 'other1.example', 'other2.example']);
  expect(answered.formats[0]).toMatchObject({
    column: 'column 2 (“due”)',
    report: 'Source column chosen by the user',
  });
});

test('nothing is asked about a column with a name, or one that only repeats the domain of the page', async () => {
  const other = (i: number) => `https://other${i}.example/`;
  await read(
    buildCsv(['Source URL', 'unknown'], (page, i) => [page, other(i)]),
    { ask: true },
  );
  await read(
    buildCsv(['url', 'domain'], (page) => [page, new URL(page).hostname]),
    { ask: true },
  );
  await read(
    buildCsv(['uno', 'due'], (page) => [page, 'text']),
    { ask: true },
  );
});

test('links to another site are analyzed only after a question', async () => {
  const csv = buildCsv(['Source URL', 'Target URL'], (page) => [page, 'https://www.caldea.example/']);
  const error = await read(csv, { ask: true }).catch((error: unknown) => error);
  expect(error).toMatchObject({ question: { about: 'site', file: 'upload.csv', site: 'caldea.example' } });
  for (const options of [{ ask: true, sites: ['caldea.example'] }, { ask: false }]) {
    expect((await read(csv, options)).formats[0]?.otherSite).toBe('caldea.example');
  }
  const mixed = `${csv}https://four.example/,${own}\n`;
  expect((await read(mixed, { ask: true })).formats[0]?.otherSite).toBeNull();
});

test('a column with an unclear name that repeats another site is the one with the targets', async () => {
  const elsewhere = { question: { about: 'site', site: 'caldea.example' } };
  for (const [source, target] of [
    ['Backlink', 'URL'],
    ['link', 'backlink'],
    ['Source URL', 'URL'],
  ] as const) {
    const csv = buildCsv([target, source], (page) => ['https://www.caldea.example/', page]);
    await expect(read(csv, { ask: true }), source).rejects.toMatchObject(elsewhere);
    // The column that is read is not the one with the targets.
    const given = await read(csv, { ask: true, columns: { 'upload.csv': 0 } });
    expect(given.formats[0]?.otherSite).toBeNull();
  }
  const host = (page: string) => new URL(page).hostname;
  const csvs = [
    buildCsv(['URL', 'Backlink'], (page) => [own, page]),
    buildCsv(['Source URL', 'Site'], (page) => [page, 'tool.example']),
    buildCsv(['URL', 'Page', 'Target'], (page) => [page, 'https://tool.example/', own]),
    buildCsv(['URL', 'Link'], (_, i) => [`https://one.example/${i}`, 'https://one.example/']),
    buildCsv(['URL', 'Domain'], (page) => [page, host(page)]),
    'URL,Backlink\nhttps://caldea.example/,https://one.example/\nhttps://caldea.example/,https://two.example/\n',
  ];
  for (const csv of csvs) expect((await read(csv, { ask: true })).formats[0]?.otherSite, csv).toBeNull();
});

test('the first line of a list is never lost', async () => {
  for (const [text, hosts, lines] of [
    ['domain:bad1.example # spam\ndomain:bad2.example\n', ['bad1.example', 'bad2.example'], []],
    ['my list of sites\nbad1.example\n', ['bad1.example'], [1]],
    ['bad1.example\nurl\nbad2.example\n', ['bad1.example', 'bad2.example'], []],
    ['report.pdf\nbad1.example\n', ['bad1.example'], [1]],
    ['Domain,Note\nbad1.example,x\n', ['bad1.example'], []],
    ['192.0.2.1,x\nhttps://one.example/,y\n', ['one.example'], [1]],
    ['192.0.2.1,link\nhttps://one.example/,y\n', ['one.example'], [1]],
    ['shop.onion,x\n192.0.2.1,y\n192.0.2.2,z\nhttps://one.example/,y\n', ['one.example'], [2, 3, 1]],
    ['uno,due\n192.0.2.1,x\nhttps://one.example/,y\n', ['one.example'], [2]],
    ['nothing,x\nuno,due\nhttps://one.example/,y\n', ['one.example'], [1]],
    ['sep=;\nnothing;x\nuno;due\nhttps://one.example/;y\n', ['one.example'], [2]],
  ] as const) {
    const result = await read(text);
    expect(result.hosts, text).toEqual(hosts);
    expect(
      result.formats[0]?.skipped.flatMap((rows) => rows.lines),
      text,
    ).toEqual(lines);
  }
});

test('a plain list with one line of a disavow file is no disavow file', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `https://page${i}.example/`);
  const result = await read([...lines, 'domain:other.example', ''].join('\n'));
  expect(result.formats).toMatchObject([{ report: 'One address per line', column: 'every line', skipped: [] }]);
  expect(result.hosts).toHaveLength(21);
});

test('delimiters in the comments of a disavow file do not make it a table', async () => {
  const comments = '# Disavow, 2026; a, b\n# x, y\n';
  for (const text of [
    `${comments}domain:bad1.example # a, b\ndomain:bad2.example # c, d\n#, e\nhttps://bad3.example/x,y # e, f\n`,
    `${comments}domain:bad1.example,\n# a, b\ndomain:bad2.example,\nhttps://bad3.example/,\n`,
  ]) {
    const result = await read(text);
    expect(result.hosts).toEqual(['bad1.example', 'bad2.example', 'bad3.example']);
    expect(result.formats).toMatchObject([{ report: 'Disavow file', column: 'every line', skipped: [] }]);
  }
});

test('an error value of a spreadsheet is not a comment', async () => {
  const result = await read('https://one.example/,a\n#N/A,b\nhttps://two.example/,c\n');
  expect(result.formats[0]?.skipped).toEqual([{ reason: 'not an address', count: 1, lines: [2] }]);
});

test('a list whose line ends were lost is refused', async () => {
  await expect(read(sources.join(', '))).rejects.toThrow('one address per line');
  await expect(read(sources.join(';'))).rejects.toThrow('one address per line');
  const pairs = sources.map((page, i) => `${page} https://other${i}.example/\n`);
  await expect(read(pairs.join(''))).rejects.toThrow('several addresses on one line');
  await expect(read(sources.join(' '))).rejects.toThrow('one address per line');
  await expect(read(sources.join(''))).rejects.toThrow('one address per line');
});
