import { expect, test } from 'vitest';
import type { HarmfulBacklink } from '#shared/reports/reports.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildExport, splitHeader, utf8WithMark, utf16 } from '../backlink-files/export-layout.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context } = testApp;
const { createOwner, createDomains, analyze, uploadFiles, waitForAnalysis } = buildAnalysisCalls(testApp);
await createDomains({ name: 'very.test', risk: 4 }, { name: 'high.test', risk: 3 }, { name: 'low.test', risk: 1 });
await context.db.updateTable('domains').set({ niche: 'Casino' }).where('name', '=', 'high.test').execute();

type Cells = Record<string, string>;

function build(names: string, rows: readonly Cells[], options: { delimiter?: string; isUtf16?: boolean } = {}) {
  const { delimiter = ',', isUtf16 = false } = options;
  const layout = { header: splitHeader(names), cells: (_: object, row: number) => rows[row] ?? {} };
  return buildExport(
    { ...layout, delimiter, quoteAll: isUtf16, eol: '\r\n', encode: isUtf16 ? utf16 : utf8WithMark },
    rows.map(() => ({ page: '' })),
  );
}

/** As Ahrefs exports backlinks: UTF-16, tabs, all cells quoted. */
const ahrefs = build(
  'Referring page title,Referring page URL,Domain rating,Target URL,Left context,Anchor,Right context,Type,Nofollow,Lost status,First seen,Last seen,Lost',
  [
    {
      'Referring page title': 'Tab\there, and "quotes"',
      'Referring page URL': 'https://very.test/1',
      'Target URL': 'https://mine.example/straße?a=1\t2',
      'Left context': 'left',
      Anchor: '  Buy "cheap"\tlinks,\nnow 😀 ',
      'Right context': 'right',
      Nofollow: 'true',
      'First seen': '2025-02-03 04:05:06',
    },
    { 'Referring page URL': 'https://fine.test/', Anchor: 'fine', 'First seen': '2001-01-01 00:00:00' },
    {
      'Referring page URL': 'https://very.test/lost',
      'Target URL': 'https://mine.example/b',
      Anchor: 'gone',
      Nofollow: 'true',
      'First seen': '2024-01-02 03:04:05',
      Lost: '2025-05-06 07:08:09',
    },
    { 'Referring page URL': 'https://very.test/2', 'Target URL': 'https://mine.example/c', Nofollow: 'false' },
    { 'Referring page URL': 'https://low.test/1', 'Left context': 'no anchor', 'First seen': '2999-01-01' },
  ],
  { delimiter: '\t', isUtf16: true },
);

const semrush = build(
  'Page ascore,Source title,Source url,Target url,Anchor,External links,Nofollow,First seen,Last seen,New link,Lost link',
  [
    {
      'Source url': 'https://high.test/1',
      'Target url': 'https://mine.example/x,y',
      Anchor: 'a, "b"; c\r\nd',
      Nofollow: 'true',
      'First seen': '2025-04-05',
      'Lost link': 'false',
    },
    { 'Source url': 'https://high.test/2', Nofollow: 'true', 'First seen': '2025-04-04', 'Lost link': 'false' },
    // Ahrefs has this link too, with another anchor.
    {
      'Source url': 'https://very.test/2',
      'Target url': 'https://mine.example/c',
      Anchor: 'duplicate',
      Nofollow: 'true',
      'First seen': '2011-01-01',
      'Lost link': 'false',
    },
  ],
);

async function analyzeFiles(files: readonly (readonly [string, string | Buffer])[]) {
  const { cookie, site } = await createOwner();
  const response = await uploadFiles(cookie, { profileId: String(site.id) }, files);
  const result =
    response.statusCode === 200 ? response.json() : (await waitForAnalysis(cookie, response.json().analysisId)).result;
  const { reportId } = result;
  const response2 = await call('GET', `/api/reports/${reportId}/backlinks?lost=include`, { as: cookie });
  const backlinks: HarmfulBacklink[] = response2.json().backlinks;
  const { rows: domains } = await context.pool.query(
    `select domain, niche, first_seen::text as "firstSeen", nofollow_backlinks as nofollow
    from report_domains where report_id = $1 order by position`,
    [reportId],
  );
  const links = backlinks.map(({ referringPage, anchor, targetPage, firstSeen }) => [
    referringPage,
    anchor,
    targetPage,
    firstSeen,
  ]);
  return { links, domains, cookie, reportId };
}

const veryLinks = [
  ['https://very.test/1', 'Buy "cheap" links, now 😀', 'https://mine.example/straße?a=1\t2', '2025-02-03'],
  ['https://very.test/2', null, 'https://mine.example/c', null],
];
const lostLink = ['https://very.test/lost', 'gone', 'https://mine.example/b', '2024-01-02'];
const lowLink = ['https://low.test/1', null, null, null];
const highLinks = [
  ['https://high.test/1', 'a, "b"; c d', 'https://mine.example/x,y', '2025-04-05'],
  ['https://high.test/2', null, null, '2025-04-04'],
];
const very = { domain: 'very.test', niche: null, firstSeen: '2024-01-02', nofollow: 1 };
const high = { domain: 'high.test', niche: 'Casino', firstSeen: '2025-04-04', nofollow: 2 };
const low = { domain: 'low.test', niche: null, firstSeen: null, nofollow: 0 };

test('anchors, target pages and dates of harmful links are stored from an Ahrefs export', async () => {
  const { links, domains } = await analyzeFiles([['ahrefs.csv', ahrefs]]);
  expect(links).toEqual([...veryLinks, lowLink, lostLink]);
  expect(domains).toEqual([very, low]);
});

test('anchors, target pages and dates of harmful links are stored from a Semrush export', async () => {
  const { links, domains } = await analyzeFiles([['semrush.csv', semrush]]);
  const duplicate = ['https://very.test/2', 'duplicate', 'https://mine.example/c', '2011-01-01'];
  expect(links).toEqual([duplicate, ...highLinks]);
  expect(domains).toEqual([{ ...very, firstSeen: '2011-01-01' }, high]);
});

test('each of several files has its own columns, and the first file with a link decides', async () => {
  const { links, domains } = await analyzeFiles([
    ['ahrefs.csv', ahrefs],
    ['latest.csv', 'Linking page,Last crawled\nhttps://low.test/2,2020-01-01\n'],
    ['semrush.csv', semrush],
  ]);
  expect(links).toEqual([...veryLinks, ...highLinks, lowLink, ['https://low.test/2', null, null, null], lostLink]);
  expect(domains).toEqual([very, high, low]);
});

test('a file without these columns stores none of them', async () => {
  const { links, domains } = await analyzeFiles([['links.txt', 'https://high.test/1\nhttps://low.test/1\n']]);
  expect(links).toEqual([
    ['https://high.test/1', null, null, null],
    ['https://low.test/1', null, null, null],
  ]);
  expect(domains).toEqual([{ ...high, firstSeen: null, nofollow: 0 }, low]);
});

test('special characters of the COPY format and NUL do not break the report', async () => {
  const { cookie, site } = await createOwner();
  const row = ['https://low.test/1', 'https://mine.example/\\N\\.\0', '\\N "\\." \\t\0'];
  const cells = row.map((cell) => `"${cell.replaceAll('"', '""')}"`);
  const { toxicBacklinks } = await analyze(cookie, site.id, `Source url,Target url,Anchor\n${cells.join(',')}\n`);
  expect(toxicBacklinks).toMatchObject([
    { anchor: '\\N "\\." \\t', targetPage: 'https://mine.example/\\N\\.', firstSeen: null },
  ]);
});

test('a date of which nothing says which number is the day is kept as the export writes it', async () => {
  const { cookie, site } = await createOwner();
  const dates = ['05/03/2024 10:00', '03-04-2024', '00/04/2024', '01/01/1970', '03/04/2099', 'unknown'];
  const rows = dates.map((date, i) => `https://low.test/${i},${date}\n`);
  const undecided = await analyze(cookie, site.id, `Source url,First seen\n${rows.join('')}`);
  expect(undecided.toxicBacklinks.map(({ firstSeen, firstSeenText }) => [firstSeen, firstSeenText])).toEqual([
    [null, '05/03/2024 10:00'],
    [null, '03-04-2024'],
    [null, null],
    [null, null],
    [null, null],
    [null, null],
  ]);
  const decided = await analyze(cookie, site.id, `Source url,First seen\n${rows[0]}https://low.test/9,30/04/2024\n`);
  expect(decided.toxicBacklinks.map(({ firstSeen, firstSeenText }) => [firstSeen, firstSeenText])).toEqual([
    ['2024-03-05', null],
    ['2024-04-30', null],
  ]);
});

test('the first backlinks of a report have the same fields, and the CSV file has none of them', async () => {
  const { cookie, reportId } = await analyzeFiles([['semrush.csv', semrush]]);
  const { reportData } = (await call('GET', `/api/reports/${reportId}`, { as: cookie })).json();
  expect(JSON.parse(reportData)[1]).toMatchObject({ anchor: 'a, "b"; c d', firstSeen: '2025-04-05' });
  const csv = (await call('GET', `/api/reports/${reportId}/export-harmful-backlinks`, { as: cookie })).body;
  expect(csv).toMatch(/^\ufeff?Domain,Referring Page,Risk Level,Reason,Source,Confidence,Decision\r\n/);
});
