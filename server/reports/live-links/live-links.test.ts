import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { LinkCheck, LiveState } from '#shared/reports/live-links.ts';
import { startWeb, type WebPage } from '../../blacklist/crawl/web.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { linkCheckJob, linkCheckQueue } from './jobs.ts';
import { insertCheck } from './store.ts';

const site = 'our-site.example';
const target = `https://${site}/shoes/`;
const html = (body: string, head = '') => `<!doctype html><head><title>t</title>${head}</head><body>${body}</body>`;
const link = (attributes = '', href = target) =>
  html(`<p>First sentence. Buy <a href="${href}" ${attributes}>good shoes</a> here today. Last one.</p>`);
const long = `<p>${'A page with a lot of text that nobody paid for. '.repeat(10)}</p>`;
const redirect = (location: string) => (response: ServerResponse) => response.writeHead(301, { location }).end();

/** A page for each rule of docs/live-pages.md, with its state. */
const pages: Record<string, { state: LiveState; page?: WebPage; robots?: string; path?: string }> = {
  present: { state: 'present', page: link() },
  'same-page': { state: 'present', page: link('', `http://www.${site}/shoes#top`) },
  'one-followed': { state: 'present', page: html(`<a href="${target}" rel="ugc">a</a><a href="${target}">b</a>`) },
  base: { state: 'present', page: html('<a href="shoes/">a</a>', `<base href="https://${site}/">`) },
  forwards: { state: 'present', page: redirect(target) },
  nofollow: { state: 'nofollow', page: link('rel="noopener NOFOLLOW"') },
  sponsored: { state: 'nofollow', page: link('rel="sponsored"') },
  'all-nofollow': {
    state: 'nofollow',
    page: html(`<a href="${target}">a</a>`, '<meta name="robots" content="nofollow">'),
  },
  changed: { state: 'changedTarget', page: link('', `https://blog.${site}/other`) },
  noindex: {
    state: 'noindex',
    page: html(`<a href="${target}">a</a>`, '<meta name="ROBOTS" content="follow, NoIndex">'),
  },
  header: {
    state: 'noindex',
    page: (response) => response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'none' }).end(link()),
  },
  'other-bot': {
    state: 'present',
    page: (response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'otherbot: noindex' }).end(link()),
  },
  gone: {
    state: 'gone',
    page: html(`${long}<!-- <a href="${target}">a</a> --><script>"<a href='${target}'>"</script>`),
  },
  elsewhere: { state: 'gone', page: html(`${long}<a href="https://not-${site}/shoes/">good shoes</a>`) },
  missing: { state: 'pageGone' },
  removed: { state: 'pageGone', page: (response) => response.writeHead(410).end() },
  'to-home': {
    state: 'pageGone',
    page: (response, request) => redirect(`http://${request.headers.host}/`)(response),
  },
  blocked: { state: 'blocked', page: link(), robots: 'User-agent: *\nDisallow: /post' },
  refused: { state: 'unreachable', page: (response) => response.writeHead(403).end() },
  cut: {
    state: 'unreachable',
    page: (response) => response.writeHead(200, { 'content-length': '999' }).end(long) && response.destroy(),
  },
  app: { state: 'needsBrowser', page: html('<div id="root"></div><script src="/app.js"></script>') },
};
const hosts = Object.fromEntries(
  Object.entries(pages).map(([name, { page, robots }]) => [
    `${name}.test`,
    { '/': html(long), ...(page && { '/post': page }), ...(robots && { '/robots.txt': robots }) },
  ]),
);
const many = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`/p${i}`, html(long)]));
const web = await startWeb({ ...hosts, 'many.test': many, 'half.test': { '/a': html(long), '/b': link() } });
const testApp = await startTestApp(
  { ALLOW_PRIVATE_ADDRESSES: '1', DNS_SERVERS: web.dnsServer },
  { work: [...analysisJobs, linkCheckJob] },
);
const { context, signUp, call } = testApp;
context.outbound = web.outbound;
context.config.crawl.hostSeconds = 0.05;
context.config.crawl.perMinute = 60_000;
const { createWebsite, createDomains, analyze } = buildAnalysisCalls(testApp);
const names = [...Object.keys(hosts), 'many.test', 'half.test', 'nowhere.test'];
await createDomains(...names.map((name) => ({ name })));
const admin = await signUp({ admin: true });
const turn = (enabled: boolean) => call('PUT', '/api/admin/settings/crawl', { as: admin.cookie, body: { enabled } });

async function createReport(lines: readonly string[]) {
  const owner = await signUp();
  const website = await createWebsite(owner.cookie, site);
  const file = ['Source URL,Target URL', ...lines.map((line) => `${line},${target}`)].join('\n');
  const { reportId } = await analyze(owner.cookie, website.id, file);
  const path = `/api/reports/${reportId}`;
  const send = (body: object = {}) => call('POST', `${path}/link-checks`, { as: owner.cookie, body });
  const get = async (rest = '/link-checks') => (await call('GET', path + rest, { as: owner.cookie })).json();
  const check = async (body?: object): Promise<LinkCheck> => {
    expect((await send(body)).statusCode).toBe(202);
    await expect.poll(async () => (await get()).status, { timeout: 30_000 }).not.toBe('processing');
    return await get();
  };
  const list = async (query: string): Promise<string[]> =>
    (await get(`/domains?pageSize=100&${query}`)).domains.map(({ domain }: { domain: string }) => domain).sort();
  const removeWebsite = () => call('DELETE', `/api/profiles/${website.id}`, { as: owner.cookie });
  return { owner, website, reportId, send, get, check, list, removeWebsite };
}

test('nothing is requested while visits are off', async () => {
  const report = await createReport([web.at('present.test/post')]);
  for (const response of [
    await report.send(),
    await call('GET', `/api/reports/${report.reportId}/link-checks`, { as: report.owner.cookie }),
  ])
    expect([response.statusCode, response.json().code]).toEqual([409, 'crawl_disabled']);
  // Nor by a check from the time before they were turned off.
  const checkId =
    (await insertCheck(context.db, report.reportId, { onlyUndecided: false, domains: null, message: '' })) ?? 0;
  await context.jobs.send(linkCheckQueue.name, { checkId });
  const findStatus = () => context.db.selectFrom('link_checks').select(['status', 'refused']).executeTakeFirst();
  await expect.poll(findStatus, { timeout: 30_000 }).toEqual({ status: 'failed', refused: true });
  expect(web.visits).toEqual([]);
  await report.removeWebsite();
});

test('a check finds the state of each link, by which the domains can be filtered', async () => {
  await turn(true);
  const report = await createReport([
    ...Object.keys(hosts).map((host) => web.at(`${host}/post`)),
    web.at('nowhere.test/post'),
  ]);
  expect(await report.get()).toMatchObject({ status: 'none', jobId: null, checkedAt: null });
  const check = await report.check();
  expect(check).toMatchObject({ status: 'completed', progress: 100, pages: 22, visited: 22 });
  const { domains } = await report.get('/domains?pageSize=100');
  const found = Object.fromEntries(
    domains.map(({ domain, live }: { domain: string; live: { status: string } | null }) => [
      domain.replace('.test', ''),
      live?.status,
    ]),
  );
  const expected = Object.fromEntries(Object.entries(pages).map(([name, { state }]) => [name, state]));
  expect(found).toEqual({ ...expected, nowhere: 'unreachable' });
  const of = (state: string) => names.filter((name) => found[name.replace('.test', '')] === state).sort();
  for (const state of Object.keys(check.counts)) {
    expect([state, await report.list(`live=${state}`)]).toEqual([state, of(state)]);
    expect([state, check.counts[state as LiveState]]).toEqual([state, of(state).length]);
  }
  expect(await report.list('live=nothingToDo')).toEqual([...of('gone'), ...of('pageGone')].sort());
  expect(check.nothingToDo).toBe(of('gone').length + of('pageGone').length);
  expect(await report.list('live=unchecked')).toEqual([]);
  const [page] = await report.get('/live-pages?domain=sponsored.test');
  expect(page).toEqual({
    page: web.at('sponsored.test/post'),
    status: 'nofollow',
    reason: null,
    httpStatus: 200,
    finalUrl: web.at('sponsored.test/post'),
    rel: 'sponsored',
    anchor: 'good shoes',
    sentence: 'Buy good shoes here today.',
    checkedAt: expect.any(String),
  });
  // Nothing was visited twice.
  const requests = web.visits.filter(({ path }) => path === '/post').map(({ host }) => host);
  expect(requests.length).toBe(new Set(requests).size);
  await report.removeWebsite();
});

test('a check visits at most eight pages of a host, and the next one the others', async () => {
  await turn(true);
  const report = await createReport([
    ...Object.keys(many).map((path) => web.at(`many.test${path}`)),
    web.at('half.test/a'),
    web.at('half.test/b'),
  ]);
  const visited = () => web.visits.filter(({ host, path }) => host === 'many.test' && path !== '/robots.txt').length;
  const only = { domains: ['many.test'] };
  const [first, second] = await Promise.all([report.send(only), report.send(only)]);
  expect([first.statusCode, second.json()]).toEqual([202, first.json()]);
  await expect.poll(async () => (await report.get()).status, { timeout: 30_000 }).toBe('completed');
  expect([visited(), await report.list('live=unchecked')]).toEqual([8, ['half.test']]);
  const live = async () => (await report.get('/domains?search=many')).domains[0].live;
  expect(await live()).toMatchObject({ status: 'gone', pages: 10, checkedPages: 8 });
  expect(await report.list('live=nothingToDo')).toEqual([]);
  const decided = { domains: ['half.test'], decision: 'keep' };
  await call('PUT', `/api/profiles/${report.website.id}/decisions`, { as: report.owner.cookie, body: decided });
  await report.check({ which: 'undecided' });
  expect(new Set(web.visits.filter(({ host }) => host === 'many.test').map(({ path }) => path)).size).toBe(11);
  expect(await live()).toMatchObject({ pages: 10, checkedPages: 10 });
  expect(await report.list('live=nothingToDo')).toEqual(['many.test']);
  await report.check({ domains: ['half.test'] });
  expect((await report.get('/domains?search=half')).domains[0].live).toMatchObject({ status: 'present' });
  await report.removeWebsite();
});

test('a check can be stopped, and turning visits off ends it with a reason', async () => {
  await turn(true);
  const report = await createReport(Object.keys(many).map((path) => web.at(`many.test${path}`)));
  context.config.crawl.hostSeconds = 1;
  await report.send();
  await expect.poll(async () => (await report.get()).visited, { timeout: 30_000 }).toBeGreaterThan(0);
  const stopped = await call('DELETE', `/api/reports/${report.reportId}/link-checks`, { as: report.owner.cookie });
  expect([stopped.statusCode, (await report.get()).status]).toEqual([204, 'cancelled']);
  await report.send();
  await expect.poll(async () => (await report.get()).visited, { timeout: 30_000 }).toBeGreaterThan(0);
  await turn(false);
  const findRun = () =>
    context.db.selectFrom('link_checks').select(['status', 'message']).orderBy('id', 'desc').executeTakeFirst();
  await expect.poll(findRun, { timeout: 30_000 }).toEqual({
    status: 'failed',
    message: expect.stringContaining('does not visit pages'),
  });
  const before = web.visits.length;
  expect((await report.send()).statusCode).toBe(409);
  expect(web.visits.length).toBe(before);
  context.config.crawl.hostSeconds = 0.05;
});
