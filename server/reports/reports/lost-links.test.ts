import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);
await createDomains(
  { name: 'very.test', risk: 4, sources: ['a', 'b', 'c', 'd', 'e'] },
  { name: 'high.test', risk: 3, sources: ['a', 'b', 'c', 'd'] },
  { name: 'gone.test', risk: 3, sources: ['a', 'b', 'c', 'd'] },
  { name: 'low.test', risk: 1 },
  { name: 'sub.low.test', risk: 2, sources: ['a', 'b'] },
);
const file = `Source url,Nofollow,Lost link
https://low.test/1,false,false
https://gone.test/1,false,true
https://very.test/1,true,true
https://very.test/2,false,false
https://fine.test/,true,false
https://high.test/1,true,false
https://sub.low.test/1,false,false
https://old.test/,false,true
https://high.test/2,true,true
`;

async function createReport() {
  const { cookie, site } = await createOwner();
  const report = await analyze(cookie, site.id, file);
  const get = async (path: string) =>
    (await call('GET', `/api/reports/${report.reportId}${path}`, { as: cookie })).json();
  const getText = async (path: string) =>
    (await call('GET', `/api/reports/${report.reportId}${path}`, { as: cookie })).body;
  return { cookie, site, report, get, getText };
}

test('figures leave out lost links, and the figures of all links are beside them', async () => {
  const { report, get } = await createReport();
  const figures = {
    totalBacklinks: 5,
    nofollowBacklinks: 2,
    totalDomains: 5,
    uniqueDomains: 4,
    toxicDomains: 3,
    toxicityPercentage: 75,
    toxicityRating: 'very high',
    harmfulBacklinks: 4,
    riskCounts: { veryHigh: 1, high: 1, medium: 1, low: 1 },
  };
  const includingLost = {
    totalBacklinks: 9,
    nofollowBacklinks: 4,
    totalDomains: 7,
    uniqueDomains: 6,
    toxicDomains: 4,
    toxicityPercentage: (100 * 4) / 6,
    toxicityRating: 'very high',
    harmfulBacklinks: 7,
    riskCounts: { veryHigh: 2, high: 3, medium: 1, low: 1 },
  };
  expect(report).toMatchObject({ ...figures, lostBacklinks: 4, includingLost });
  expect(await get('')).toMatchObject({ ...figures, lostBacklinks: 4, includingLost });
});

test('a file that does not say which links are lost counts all of them', async () => {
  const { cookie, site } = await createOwner();
  const links = file.replaceAll(/,(true|false|Nofollow),.*$/gm, '');
  expect(await analyze(cookie, site.id, links)).toMatchObject({
    totalBacklinks: 9,
    uniqueDomains: 6,
    toxicDomains: 4,
    lostBacklinks: 0,
    includingLost: null,
  });
});

const live = ['https://very.test/2', 'https://high.test/1', 'https://sub.low.test/1', 'https://low.test/1'];
const lost = ['https://very.test/1', 'https://gone.test/1', 'https://high.test/2'];

test('harmful backlinks are listed without lost links, or with them at the end, for every page size and level', async () => {
  const { get } = await createReport();
  const list = async (query: string) => {
    const pages: string[] = [];
    for (let page = 0; ; page += 1) {
      const { backlinks, pagination } = await get(`/backlinks?page=${page}&${query}`);
      pages.push(...backlinks.map(({ referringPage }: { referringPage: string }) => referringPage));
      if (page + 1 >= pagination.totalPages) return { pages, total: pagination.total };
    }
  };
  for (const pageSize of [1, 2, 3, 50]) {
    expect(await list(`pageSize=${pageSize}`)).toEqual({ pages: live, total: 4 });
    expect(await list(`pageSize=${pageSize}&lost=include`)).toEqual({ pages: [...live, ...lost], total: 7 });
    expect(await list(`pageSize=${pageSize}&lost=include&riskLevel=high`)).toEqual({
      pages: [live[1], lost[1], lost[2]],
      total: 3,
    });
    expect(await list(`pageSize=${pageSize}&riskLevel=high`)).toEqual({ pages: [live[1]], total: 1 });
  }
  const { backlinks } = await get('/backlinks?lost=include');
  expect(backlinks.map((row: { lost: boolean; nofollow: boolean }) => [row.lost, row.nofollow])).toEqual([
    [false, false],
    [false, true],
    [false, false],
    [false, false],
    [true, true],
    [true, false],
    [true, true],
  ]);
});

test('the CSV follows the same choice', async () => {
  const { getText } = await createReport();
  const count = async (query: string) => (await getText(`/export-harmful-backlinks${query}`)).split('\r\n').length - 2;
  expect([await count(''), await count('?lost=include')]).toEqual([4, 7]);
});

const byIndependent = (independentSourceCount: number) => ({
  confidence: independentSourceCount > 1 ? 'probable' : 'reported',
  independentSourceCount,
});

test('listed domains are paged with their numbers by risk level', async () => {
  const { get } = await createReport();
  expect(await get('/domains?pageSize=3')).toMatchObject({
    domains: [
      { domain: 'very.test', riskLevel: 'very high', ...byIndependent(5), backlinks: 1 },
      { domain: 'high.test', riskLevel: 'high', ...byIndependent(4), backlinks: 1 },
      { domain: 'sub.low.test', riskLevel: 'medium', ...byIndependent(2), backlinks: 1 },
    ],
    riskCounts: { veryHigh: 1, high: 1, medium: 1, low: 1 },
    pagination: { page: 0, pageSize: 3, total: 4, totalPages: 2 },
  });
  const all = await get('/domains?lost=include');
  expect(all).toMatchObject({ riskCounts: { veryHigh: 1, high: 2, medium: 1, low: 1 }, pagination: { total: 5 } });
  expect(all.domains).toContainEqual(
    expect.objectContaining({ domain: 'gone.test', riskLevel: 'high', ...byIndependent(4), backlinks: 1 }),
  );
  expect(all.domains).toContainEqual(
    expect.objectContaining({ domain: 'high.test', riskLevel: 'high', ...byIndependent(4), backlinks: 2 }),
  );
});

test('listed domains are found by part of their names', async () => {
  const { get } = await createReport();
  expect(await get('/domains?search=LOW.&pageSize=1&page=1')).toMatchObject({
    domains: [{ domain: 'low.test', riskLevel: 'low', ...byIndependent(1), backlinks: 1 }],
    riskCounts: { veryHigh: 1, high: 1, medium: 1, low: 1 },
    pagination: { page: 1, pageSize: 1, total: 2, totalPages: 2 },
  });
  expect(await get('/domains?search=%25')).toMatchObject({ domains: [], pagination: { total: 0 } });
});

const getLines = (text: string) => text.match(/^domain:.*$/gm) ?? [];

test('the disavow file has one line for a domain and its subdomains, and lost domains only with lost links', async () => {
  const { getText } = await createReport();
  expect(getLines(await getText('/disavow.txt'))).toEqual(['domain:high.test', 'domain:low.test', 'domain:very.test']);
  expect(getLines(await getText('/disavow.txt?lost=include'))).toContain('domain:gone.test');
  expect(getLines(await getText('/disavow.txt?riskLevel=medium'))).toEqual(['domain:sub.low.test']);
});
