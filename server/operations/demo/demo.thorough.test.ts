import { expect, test, vi } from 'vitest';
import type { Feed } from '#shared/blacklist/feeds.ts';
import type { Alert } from '#shared/reports/alerts.ts';
import type { ReportSummary } from '#shared/reports/reports.ts';
import type { SignalResult } from '#shared/reports/signals.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { demoAccounts, fillDemo } from './demo.ts';
import { reservedTlds } from './files.ts';

const { call, context } = await startTestApp();
/** The address of a list that does not exist. */
const origin = /^https:\/\/lists\.example\//;
// The reports of several months are created one after another.
vi.setConfig({ testTimeout: 120_000 });

test('the demo has domains with reserved TLDs, two accounts and reports of five websites, and is created once', async () => {
  await fillDemo(context, undefined, 2000);
  const { username, password } = demoAccounts.user;
  const login = await call('POST', '/api/auth/login', { body: { username, password } });
  const as = String(login.headers['set-cookie']).split(';')[0];

  const { domains, pagination } = (await call('GET', '/api/domains?pageSize=100&sort=risk-desc', { as })).json();
  // Feeds, the approved submission and the changes since the last reports add some.
  expect(pagination.total).toBeGreaterThan(2100);
  expect(pagination.total).toBeLessThan(2220);
  expect(domains[0].riskLevel).toBe('very high');
  for (const { domain } of domains) expect(reservedTlds).toContain(domain.split('.').at(-1));

  const websites: { id: number; domain: string }[] = (await call('GET', '/api/profiles', { as })).json();
  expect(websites.map(({ domain }) => domain).sort()).toEqual([
    'city-hotel.test',
    'garden-tools.example',
    'harbour-cafe.test',
    'lake-yoga.example',
    'village-bakery.example',
  ]);
  const listReports = async (domain: string): Promise<ReportSummary[]> => {
    const id = websites.find((website) => website.domain === domain)?.id;
    return (await call('GET', `/api/profiles/${id}/reports`, { as })).json();
  };

  const garden = await listReports('garden-tools.example');
  expect(garden.length).toBeGreaterThan(3);
  expect(new Set(garden.map(({ dateCreated }) => dateCreated.slice(0, 7))).size).toBeGreaterThan(3);
  for (const { lostBacklinks, includingLost, nofollowBacklinks, harmfulBacklinks } of garden) {
    const lostHarmful = (includingLost?.harmfulBacklinks ?? 0) - harmfulBacklinks;
    expect(lostHarmful).toBeGreaterThan(0);
    expect(lostBacklinks).toBeGreaterThan(lostHarmful);
    expect(nofollowBacklinks).toBeGreaterThan(0);
  }

  const review = (await call('GET', `/api/reports/${garden[0]?.id}/overview`, { as })).json();
  expect(review.previous.newDomains).toBeGreaterThan(3);
  expect(review.previous.newDomains).toBeLessThan(review.domains / 2);
  for (const count of Object.values(review.decisionCounts)) expect(count).toBeGreaterThan(0);

  const [file, older] = (await call('GET', `/api/profiles/${garden[0]?.profileId}/disavow-files`, { as })).json();
  expect(older.fileName).toBe('disavow-2023-11.txt');
  for (const status of ['kept', 'takenBack', 'redundant', 'invalidCount', 'allowed', 'noLongerListed', 'added'])
    expect(file[status], status).toBeGreaterThan(0);
  const { signals } = (await call('GET', `/api/reports/${garden[0]?.id}`, { as })).json();
  const shown = signals.filter(({ domains }: SignalResult) => domains > 0).map(({ signal }: SignalResult) => signal);
  expect(shown).toEqual(['repeatedAnchors', 'linkBursts', 'linkFarmPages', 'sharedTitles']);
  for (const { signal, domains } of review.signalCounts) {
    if (!shown.includes(signal)) expect(domains).toBe(0);
    else {
      expect(domains).toBeGreaterThan(10);
      expect(domains).toBeLessThan(review.domains);
    }
  }

  const [hotel, ...olderHotel] = await listReports('city-hotel.test');
  expect(hotel?.formats.map(({ tool }) => tool)).toEqual(['Semrush', 'Google Search Console']);
  expect(hotel?.formats[1]?.backlinks).toBeGreaterThan(100);
  expect(hotel?.formats[1]?.duplicates).toBeGreaterThan(100);
  expect(hotel?.skipped.map(({ reason }) => reason)).toEqual(['IP address', 'unknown top-level domain', 'own site']);
  for (const { formats } of olderHotel) expect(formats.map(({ tool }) => tool)).toEqual(['Semrush']);

  const bakery = await listReports('village-bakery.example');
  expect(bakery).toMatchObject([{ uniqueDomains: 11, toxicDomains: 2 }]);

  const { alerts, unread } = (await call('GET', '/api/alerts?pageSize=100', { as })).json();
  expect(new Set(alerts.map(({ event }: Alert) => event))).toEqual(new Set(['listed', 'raised', 'delisted']));
  expect(new Set(alerts.map(({ runId }: Alert) => runId)).size).toBe(3);
  expect(alerts.filter(({ readAt }: Alert) => readAt === null)).toHaveLength(unread);
  expect(unread).toBeGreaterThan(5);
  expect(unread).toBeLessThan(alerts.length);

  const [crawl, sheet] = (await call('GET', `/api/users/${login.json().id}/api-keys`, { as })).json();
  expect(sheet).toMatchObject({ expiresAt: null, scopes: ['check', 'read'], lastAddress: expect.any(String) });
  expect(Date.parse(crawl.expiresAt) - Date.now()).toBeLessThan(7 * 86_400_000);
  expect(crawl).toMatchObject({ active: true, dailyUsage: expect.any(Number) });

  const { submissions } = (await call('GET', '/api/site-submissions/mine', { as })).json();
  expect(new Set(submissions.map(({ status }: { status: string }) => status))).toEqual(
    new Set(['pending', 'approved', 'rejected']),
  );

  const admin = await call('POST', '/api/auth/login', { body: demoAccounts.admin });
  const asAdmin = String(admin.headers['set-cookie']).split(';')[0];
  const readAsAdmin = async (path: string) => (await call('GET', path, { as: asAdmin })).json();
  expect(await readAsAdmin('/api/admin/families')).toMatchObject([
    { name: 'PBN Watch', sources: [{ name: 'pbn-watch' }, { name: 'pbn-watch mirror' }] },
  ]);
  expect(await readAsAdmin('/api/admin/families/suggestions')).toMatchObject([
    { sources: [{ name: 'toxic-referrers fork' }, { name: 'toxic-referrers' }] },
  ]);

  const { hosts: added } = await readAsAdmin('/api/admin/shared-hosts');
  expect(added).toMatchObject([{ host: 'hobby-journals.example' }]);
  expect(await readAsAdmin('/api/domains?search=hobby-journals.example')).toMatchObject({ pagination: { total: 2 } });

  const feeds: Feed[] = await readAsAdmin('/api/admin/feeds');
  expect(feeds.map(({ name, state }) => [name, state])).toEqual([
    ['Agency Disavow Pool', 'ok'],
    ['Expired Domain Radar', 'disabled'],
    ['Guest Post Monitor', 'failing'],
    ['Link Seller Index', 'ok'],
    ['Spun Content Watch', 'review'],
    ['Trusted Publishers', 'ok'],
  ]);
  for (const { url, homepage, licence } of feeds) {
    expect([url, homepage]).toEqual([expect.stringMatching(origin), expect.stringMatching(origin)]);
    expect(licence).toMatch(/\w/);
  }

  const verdict = (await call('GET', '/api/domains/by-name/daily-finance-wire.example', { as })).json();
  expect(verdict).toMatchObject({ listed: true, ownerStatement: expect.stringContaining('relaunched') });
  const { count } = await context.db
    .selectFrom('messages')
    .select(({ fn }) => fn.count<number>('appeal_id').as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(2);

  await fillDemo(context, undefined, 2000);
  expect((await call('GET', '/api/profiles', { as })).json()).toHaveLength(5);
});
