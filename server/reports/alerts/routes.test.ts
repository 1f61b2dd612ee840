import { expect, test } from 'vitest';
import type { Alert } from '#shared/reports/alerts.ts';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWatchCalls } from '../watch/watch.fixtures.ts';
import { alertRetention } from './store-retention.ts';

const testApp = await startTestApp();
const { call, context, signUp } = testApp;
const { createWebsite, analyze, setLevel, match } = buildWatchCalls(testApp);
const name = (alert: Alert) => alert.domain;

test('alerts have the website, the change with its evidence, the decision and the report with the domain', async () => {
  await setLevel('known.com', 'low');
  const website = await createWebsite(['https://known.com/a', 'https://known.com/b', 'https://later.com/']);
  const reportId = await analyze(website, ['https://known.com/a', 'https://known.com/b', 'https://later.com/']);
  await setLevel('later.com', 'high', 'fiverr, another list');
  await setLevel('known.com', 'medium');
  await match();
  const decision = { domains: ['later.com'], decision: 'disavow' };
  await call('PUT', `/api/profiles/${website.websiteId}/decisions`, { as: website.as, body: decision });
  const { alerts, pagination, unread } = (await call('GET', '/api/alerts', { as: website.as })).json();
  const common = { profileId: website.websiteId, website: website.domain, at: expect.any(String), readAt: null };
  expect(alerts).toEqual([
    {
      ...common,
      id: expect.any(Number),
      runId: expect.any(Number),
      domain: 'later.com',
      event: 'listed',
      from: null,
      to: 'high',
      backlinks: 1,
      confidence: 'probable',
      sourceCount: 2,
      independentSourceCount: 2,
      decision: 'disavow',
      reportId: null,
    },
    {
      ...common,
      id: expect.any(Number),
      runId: alerts[0].runId,
      domain: 'known.com',
      event: 'raised',
      from: 'low',
      to: 'medium',
      backlinks: 2,
      confidence: 'reported',
      sourceCount: 1,
      independentSourceCount: 1,
      decision: null,
      reportId,
    },
  ]);
  await setLevel('known.com', undefined);
  await match();
  const [delisted] = (await call('GET', '/api/alerts', { as: website.as })).json().alerts;
  const unknown = { to: null, confidence: null, sourceCount: null, independentSourceCount: null };
  expect(delisted).toMatchObject({ domain: 'known.com', event: 'delisted', from: 'medium', ...unknown, reportId });
  expect([pagination, unread]).toEqual([{ page: 0, pageSize: 50, total: 2, totalPages: 1 }, 2]);
});

test('alerts are filtered by website, event and state, and marked as read one by one, by website or all', async () => {
  const website = await createWebsite(['a.com', 'b.com', 'c.com', 'd.com'].map((host) => `https://${host}/`));
  const { as, websiteId } = website;
  const body = { domain: `second-${website.domain}` };
  const second = (await call('POST', '/api/profiles', { as, body })).json();
  await analyze({ ...website, websiteId: second.id }, ['https://a.com/', 'https://b.com/']);
  for (const domain of ['a.com', 'b.com', 'c.com', 'd.com']) await setLevel(domain, 'low');
  await match();
  await setLevel('a.com', 'high');
  await match();
  const get = async (query: string) => (await call('GET', `/api/alerts?${query}`, { as })).json();
  expect((await get('')).pagination.total).toBe(8);
  expect((await get(`profileId=${second.id}`)).alerts.map(name)).toEqual(['a.com', 'a.com', 'b.com']);
  expect((await get('event=raised')).alerts.map(({ website: site }: Alert) => site)).toEqual([
    body.domain,
    website.domain,
  ]);
  const { alerts: exported } = (await call('GET', '/api/account/data', { as })).json();
  expect(exported).toHaveLength(8);
  expect(exported[7]).toMatchObject({
    website: body.domain,
    domain: 'a.com',
    event: 'raised',
    from: 'low',
    to: 'high',
  });
  const page = await get('pageSize=3&page=2');
  expect([page.alerts.length, page.pagination.totalPages]).toEqual([2, 3]);

  const mark = async (read: object) => (await call('POST', '/api/alerts/read', { as, body: read })).json().unread;
  const [first] = (await get(`profileId=${websiteId}`)).alerts;
  expect(await mark({ ids: [first.id, 999_999_999] })).toBe(7);
  expect((await get('unread=false')).alerts.map(({ id }: Alert) => id)).toEqual([first.id]);
  const websites = (await call('GET', '/api/profiles', { as })).json();
  expect(websites.map(({ watch }: { watch: object }) => watch)).toEqual([
    { enabled: true, digest: 'off', hosts: 2, unread: { listed: 2, raised: 1, lowered: 0, delisted: 0 } },
    { enabled: true, digest: 'off', hosts: 4, unread: { listed: 4, raised: 0, lowered: 0, delisted: 0 } },
  ]);
  expect(await mark({ all: true, profileId: second.id })).toBe(4);
  expect((await get('unread=1')).pagination.total).toBe(4);
  const all = (await call('POST', '/api/alerts/read', { as, body: { all: true } })).json();
  expect(all.unread).toBe(0);
  expect(await mark({ undo: all.readAt })).toBe(4);
  const other = await signUp();
  await call('POST', '/api/alerts/read', { as, body: { all: true } });
  expect((await call('POST', '/api/alerts/read', { as: other.cookie, body: { undo: all.readAt } })).statusCode).toBe(
    200,
  );
  expect((await get('unread=1')).pagination.total).toBe(0);
});

test.each([
  [{}, 'Send ids, or all: true.'],
  [{ ids: [1], all: true }, 'Send ids, or all: true.'],
  [{ ids: [1], undo: '2026-11-24T08:12:00.000Z' }, 'Send ids, or all: true.'],
  [{ ids: ['1'] }, undefined],
  [{ ids: Array.from({ length: 1001 }, (_, i) => i + 1) }, 'Mark up to 1000 alerts at a time.'],
])('marking as read refuses %j and names the field', async (body, message) => {
  const { cookie: as } = await signUp();
  const response = await call('POST', '/api/alerts/read', { as, body });
  expect(response.statusCode).toBe(400);
  const { fields } = response.json();
  expect(Object.keys(fields)[0]).toMatch(/^ids/);
  if (message) expect(Object.values(fields)).toEqual([message]);
});

test.each([
  ['unread=maybe', 400],
  ['event=sold', 400],
  ['profileId=0', 400],
  ['page=-1', 400],
])('%s is refused', async (query, status) => {
  const { cookie: as } = await signUp();
  expect((await call('GET', `/api/alerts?${query}`, { as })).statusCode).toBe(status);
});

test('alerts are deleted after more than a year', async () => {
  const website = await createWebsite(['https://old-alert.com/']);
  await setLevel('old-alert.com', 'low');
  await match();
  const count = async () => (await call('GET', '/api/alerts', { as: website.as })).json().pagination.total;
  const deleteIn = (days: number) => {
    const later = { ...context, now: () => new Date(Date.now() + days * 86_400_000) };
    return deleteExpiredRows(later, [alertRetention], new AbortController().signal);
  };
  await deleteIn(399);
  expect(await count()).toBe(1);
  await deleteIn(401);
  expect(await count()).toBe(0);
});
