import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type ToxicDomainColumn, toxicDomainColumns } from '#shared/reports/reports.ts';
import { signals } from '#shared/reports/signals.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);

await createDomains(
  { name: 'very.test', risk: 4, sources: ['a', 'b', 'c', 'd', 'e'] },
  { name: 'high.test', risk: 3, sources: ['a', 'b', 'c', 'd'] },
  { name: 'medium.example', risk: 2, sources: ['a', 'b'] },
  { name: 'low.test', risk: 1, sources: ['a'] },
  { name: 'old.test', risk: 1, sources: ['a'] },
);
await context.db
  .updateTable('domains')
  .set({ niche: 'Casino' })
  .where('name', 'in', ['very.test', 'low.test'])
  .execute();

const first = 'url\nhttps://old.test/1\nhttps://low.test/1\nhttps://high.test/1\n';
const header = 'Source URL,Target URL,Lost\n';
const second = `${header}${[
  'https://low.test/1,https://s.example/,',
  'https://low.test/2,https://s.example/,2026-01-02',
  'https://very.test/1,https://s.example/,',
  'https://high.test/1,https://s.example/,',
  'https://high.test/2,https://s.example/,',
  'https://medium.example/1,https://s.example/,2026-01-02',
].join('\n')}\n`;

async function createReports() {
  const owner = await createOwner();
  const before = await analyze(owner.cookie, owner.site.id, first);
  const { reportId } = await analyze(owner.cookie, owner.site.id, second);
  const get = async (path: string) =>
    (await call('GET', `/api/reports/${reportId}${path}`, { as: owner.cookie })).json();
  const names = async (query: string) =>
    (await get(`/domains?${query}`)).domains.map(({ domain }: { domain: string }) => domain);
  const decide = (decision: string | null, ...domains: string[]) =>
    call('PUT', `/api/profiles/${owner.site.id}/decisions`, { as: owner.cookie, body: { domains, decision } });
  return { ...owner, before, reportId, get, names, decide };
}

test('a row has the facts of the listing, of the export, and of the review', async () => {
  const { get, decide } = await createReports();
  await decide('keep', 'very.test');
  const { domains, riskCounts, pagination } = await get('/domains?lost=include');
  expect(domains[0]).toEqual({
    domain: 'very.test',
    domainId: expect.any(Number),
    riskLevel: 'very high',
    confidence: 'probable',
    sourceCount: 5,
    independentSourceCount: 5,
    niche: 'Casino',
    listedAt: '2024-01-05T12:00:00.000Z',
    backlinks: 1,
    nofollowBacklinks: 0,
    firstSeen: null,
    isNew: true,
    signals: [],
    live: null,
    decision: 'keep',
    note: '',
  });
  expect([riskCounts, pagination.total]).toEqual([{ veryHigh: 1, high: 1, medium: 1, low: 1 }, 4]);
});

test('the review order has new domains first', async () => {
  const { names } = await createReports();
  expect(await names('')).toEqual(['very.test', 'high.test', 'low.test']);
  expect(await names('sort=review&lost=include')).toEqual(['very.test', 'medium.example', 'high.test', 'low.test']);
});

test('every column sorts both ways, equal domains by risk, and domains without a first day last', async () => {
  await createDomains(
    { name: 'delta.test', risk: 4, sources: ['a', 'b'] },
    { name: 'alpha.test', risk: 3, sources: ['a', 'b', 'c', 'd', 'e'] },
    { name: 'charlie.test', risk: 2, sources: ['a', 'b', 'c', 'd'] },
    { name: 'bravo.test', risk: 1, sources: ['a'] },
  );
  const live = { pages: 1, checked_pages: 1, checked_at: new Date() };
  await context.db.updateTable('domains').set({ proof: 2 }).where('name', '=', 'alpha.test').execute();
  const links = [
    'https://delta.test/1,2026-03-01',
    ...[1, 2, 3, 4].map((page) => `https://alpha.test/${page},`),
    ...[1, 2].map((page) => `https://charlie.test/${page},2026-01-01`),
    ...[1, 2, 3].map((page) => `https://bravo.test/${page},2026-02-01`),
  ].map((line) => line.replace(',', ',https://s.example/,'));
  const owner = await createOwner();
  const file = ['Source URL,Target URL,First seen', ...links].join('\n');
  const { reportId } = await analyze(owner.cookie, owner.site.id, file);
  // In the order of the report: delta, alpha, charlie, bravo.
  const states = [8, 0, 2].map((state, position) => ({ report_id: reportId, position, state, ...live }));
  await context.db.insertInto('live_domains').values(states).execute();
  const list = async (sort: string) => {
    const response = await call('GET', `/api/reports/${reportId}/domains?sort=${sort}`, { as: owner.cookie });
    return response.json().domains.map(({ domain }: { domain: string }) => domain.replace('.test', ''));
  };
  const orders: Record<ToxicDomainColumn, [asc: string, desc: string]> = {
    domain: ['alpha bravo charlie delta', 'delta charlie bravo alpha'],
    risk: ['bravo charlie alpha delta', 'delta alpha charlie bravo'],
    confidence: ['bravo delta charlie alpha', 'alpha delta charlie bravo'],
    sources: ['bravo delta charlie alpha', 'alpha charlie delta bravo'],
    backlinks: ['delta charlie bravo alpha', 'alpha bravo charlie delta'],
    firstSeen: ['charlie bravo delta alpha', 'delta bravo charlie alpha'],
    live: ['alpha charlie delta bravo', 'delta charlie alpha bravo'],
  };
  for (const column of toxicDomainColumns) {
    const lists = [await list(`${column}-asc`), await list(`${column}-desc`)];
    expect([column, ...lists.map((names) => names.join(' '))]).toEqual([column, ...orders[column]]);
  }
});

test('lost links count for the order by links only if they are included', async () => {
  const { names } = await createReports();
  expect(await names('sort=backlinks-desc')).toEqual(['high.test', 'very.test', 'low.test']);
  expect(await names('sort=backlinks-desc&lost=include')).toEqual([
    'high.test',
    'low.test',
    'very.test',
    'medium.example',
  ]);
});

test('filters can be combined, and pages have exact totals', async () => {
  const { names, get, decide } = await createReports();
  await decide('disavow', 'very.test');
  expect(await names('riskLevel=high')).toEqual(['high.test']);
  expect(await names('niche=Casino')).toEqual(['very.test', 'low.test']);
  expect(await names('tld=example&lost=include')).toEqual(['medium.example']);
  expect(await names('confidence=confirmed')).toEqual([]);
  expect(await names('only=new')).toEqual(['very.test']);
  expect(await names('search=HIG')).toEqual(['high.test']);
  expect(await names('decision=undecided')).toEqual(['high.test', 'low.test']);
  expect(await names('decision=disavow&niche=Casino')).toEqual(['very.test']);
  const page = await get('/domains?niche=Casino&page=1&pageSize=1');
  expect([page.domains[0].domain, page.pagination]).toEqual([
    'low.test',
    { page: 1, pageSize: 1, total: 2, totalPages: 2 },
  ]);
  expect(await get('/domain-names?niche=Casino&sort=domain-asc')).toEqual([
    { domain: 'low.test', decision: null, note: '' },
    { domain: 'very.test', decision: 'disavow', note: '' },
  ]);
});

test('domains that are decided after a list was opened stay in it, so that its pages do not shift', async () => {
  const { get, names, decide } = await createReports();
  await decide('keep', 'low.test');
  const { asOf } = await get('/domains?decision=undecided&pageSize=1');
  await decide('disavow', 'very.test');
  expect(await names(`decision=undecided&pageSize=1&page=1&asOf=${asOf}`)).toEqual(['high.test']);
  expect(await names('decision=undecided')).toEqual(['high.test']);
});

test('the overview counts domains by property and decision, and the change since the previous report', async () => {
  const { get, decide, before } = await createReports();
  await decide('keep', 'low.test');
  await decide('remove', 'old.test');
  expect(await get('/overview')).toEqual({
    domains: 3,
    signalCounts: signals.map((signal) => ({ signal, domains: 0 })),
    riskCounts: { veryHigh: 1, high: 1, medium: 0, low: 1 },
    confidenceCounts: { confirmed: 0, probable: 2, reported: 1 },
    niches: { top: [{ name: 'Casino', domains: 2 }], otherValues: 0, otherDomains: 0 },
    withoutNiche: 1,
    tlds: { top: [{ name: 'test', domains: 3 }], otherValues: 0, otherDomains: 0 },
    live: null,
    decisionCounts: { undecided: 2, keep: 1, remove: 0, disavow: 0 },
    previous: { id: before.reportId, dateCreated: expect.any(String), newDomains: 1, goneDomains: 1 },
  });
  expect(await get('/overview?lost=include')).toMatchObject({
    domains: 4,
    previous: { newDomains: 2, goneDomains: 1 },
  });
});

test('decisions are counted while another request changes one, and its change is counted afterwards', async () => {
  const { cookie, site, get, decide } = await createReports();
  await decide('keep', 'low.test');
  const readCounts = async () => [
    (await get('/overview')).decisionCounts,
    (await call('GET', '/api/profiles', { as: cookie })).json()[0].openReviews,
  ];
  let deciding: ReturnType<typeof decide> | undefined;
  await context.db.transaction().execute(async (trx) => {
    await sql`insert into decisions (website_id, domain, decision, note, decided_at)
      values (${site.id}, 'high.test', 'remove', '', now())`.execute(trx);
    deciding = decide('disavow', 'high.test');
    // It has locked the website, and waits for the row above.
    await expect.poll(() => listLockWaiters(context.pool, '%insert into decisions%')).toHaveLength(1);
    expect(await readCounts()).toEqual([{ undecided: 2, keep: 1, remove: 0, disavow: 0 }, 2]);
  });
  expect((await deciding)?.statusCode).toBeLessThan(300);
  expect(await readCounts()).toEqual([{ undecided: 1, keep: 1, remove: 0, disavow: 1 }, 1]);
});

test('the domains of a report are those of the previous one, with the new and without the gone ones', async () => {
  const owner = await createOwner();
  const analyzeLinks = (...links: string[]) =>
    analyze(owner.cookie, owner.site.id, header + links.map((link) => `https://${link}`).join('\n'));
  const before = await analyzeLinks(
    'very.test/1,https://s.example/,2026-01-02',
    'high.test/1,https://s.example/,',
    'low.test/1,https://s.example/,',
    'old.test/1,https://s.example/,',
  );
  const after = await analyzeLinks(
    'very.test/1,https://s.example/,',
    'high.test/1,https://s.example/,2026-01-02',
    'low.test/1,https://s.example/,',
    'medium.example/1,https://s.example/,',
  );
  const get = async (path: string) => (await call('GET', path, { as: owner.cookie })).json();
  for (const [query, expected] of [
    ['', { domains: 3, newDomains: 2, goneDomains: 2, names: ['very.test', 'medium.example'] }],
    ['lost=include', { domains: 4, newDomains: 1, goneDomains: 1, names: ['medium.example'] }],
  ] as const) {
    const previous = await get(`/api/reports/${before.reportId}/overview?${query}`);
    const overview = await get(`/api/reports/${after.reportId}/overview?${query}`);
    const { newDomains, goneDomains } = overview.previous;
    expect(previous.domains + newDomains - goneDomains).toBe(overview.domains);
    const { domains } = await get(`/api/reports/${after.reportId}/domains?only=new&${query}`);
    const names = domains.map(({ domain }: { domain: string }) => domain);
    expect({ domains: overview.domains, newDomains, goneDomains, names }).toEqual(expected);
  }
  expect(await get('/api/profiles')).toMatchObject([{ newToxicDomains: 2 }]);
});

test('the first report has no new domains, and deleting it makes the next one the first', async () => {
  const { cookie, before, get, names } = await createReports();
  const overview = await call('GET', `/api/reports/${before.reportId}/overview`, { as: cookie });
  expect(overview.json()).toMatchObject({ previous: null, domains: 3 });
  await call('DELETE', `/api/reports/${before.reportId}`, { as: cookie });
  expect(await get('/overview')).toMatchObject({ previous: null });
  expect(await names('only=new')).toEqual([]);
});

test('the links of one domain are listed, with lost ones last', async () => {
  const { get } = await createReports();
  const links = async (query: string) => {
    const { backlinks, pagination } = await get(`/backlinks?${query}`);
    const pages = backlinks.map(({ referringPage, lost }: { referringPage: string; lost: boolean }) =>
      lost ? `${referringPage} lost` : referringPage,
    );
    return [pages, pagination.total];
  };
  expect(await links('domain=high.test')).toEqual([['https://high.test/1', 'https://high.test/2'], 2]);
  expect(await links('domain=high.test&page=1&pageSize=1')).toEqual([['https://high.test/2'], 2]);
  expect(await links('domain=low.test')).toEqual([['https://low.test/1'], 1]);
  expect(await links('domain=low.test&lost=include')).toEqual([['https://low.test/1', 'https://low.test/2 lost'], 2]);
  expect(await links('domain=medium.example&lost=include')).toEqual([['https://medium.example/1 lost'], 1]);
  expect(await links('domain=unknown.test')).toEqual([[], 0]);
});

test.each(['/domains?sort=sideways', '/domains?decision=maybe', '/domain-names?asOf=yesterday', '/domains?only=old'])(
  'an unknown value in %s is rejected',
  async (path) => {
    const { cookie, reportId } = await createReports();
    expect((await call('GET', `/api/reports/${reportId}${path}`, { as: cookie })).statusCode).toBe(400);
  },
);

test('nobody else can read the domains of a report', async () => {
  const { reportId } = await createReports();
  const { cookie } = await signUp();
  for (const path of ['/domains', '/domain-names', '/overview']) {
    expect((await call('GET', `/api/reports/${reportId}${path}`, { as: cookie })).statusCode).toBe(404);
  }
});
