import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { purgeDeletedRows, undoMs } from '../reports/jobs.ts';
import { changeHosts, deleteOldHosts, storeHosts } from './hosts.ts';
import { repeatedMatching } from './jobs.ts';
import { buildWatchCalls, listWatchedHosts, type WatchedWebsite } from './watch.fixtures.ts';

const testApp = await startTestApp();
const { call, context, signUp } = testApp;
const { db } = context;
const { createWebsite, analyze, setLevel, match, listAlerts, updateWatch } = buildWatchCalls(testApp);
const admin = await signUp({ admin: true });

const list = (domain: string) => setLevel(domain, 'high');

/** Deletes what can no longer be restored, a minute later. */
const purge = () =>
  purgeDeletedRows({ db, now: () => new Date(Date.now() + 2 * undoMs) }, new AbortController().signal);

let names = 0;
const newName = () => `seller${++names}.com`;

const listLinks = async (websiteId: number) =>
  (await listWatchedHosts(db, websiteId)).map(({ host, backlinks }) => [host, backlinks]);
const countHosts = async (as: string, websiteId: number) =>
  (await call('GET', `/api/profiles/${websiteId}/watch`, { as })).json().hosts;

test('an analysis stores every host with its links', async () => {
  const website = await createWebsite([
    'https://a.one.com/1',
    'https://a.one.com/2',
    'https://www.two.co.uk/',
    'https://github.io/',
  ]);
  expect(await listLinks(website.websiteId)).toEqual([
    ['a.one.com', 2],
    ['github.io', 1],
    ['two.co.uk', 1],
  ]);
  expect((await call('GET', `/api/profiles/${website.websiteId}/watch`, { as: website.as })).json()).toEqual({
    enabled: true,
    events: { listed: true, raised: true, lowered: true, delisted: true },
    digest: 'off',
    hosts: 3,
    exports: 1,
    exportedAt: expect.any(String),
    emailPaused: false,
  });
});

test('hosts of earlier exports stay, with the days they were first and last in an export', async () => {
  const website = await createWebsite(['https://old.com/', 'https://both.com/']);
  const { websiteId } = website;
  const day = Date.parse('2020-01-01') / 86_400_000;
  await db
    .transaction()
    .execute((trx) => changeHosts(trx, websiteId, (host) => ({ ...host, firstDay: day, lastDay: day })));
  await analyze(website, ['https://both.com/1', 'https://both.com/2', 'https://new.com/']);
  const data = (await call('GET', '/api/account/data', { as: website.as })).json();
  const today = new Date().toISOString().slice(0, 10);
  expect(data.linkingHosts).toEqual([
    { website: website.domain, host: 'both.com', backlinks: 2, firstSeen: '2020-01-01', lastSeen: today },
    { website: website.domain, host: 'new.com', backlinks: 1, firstSeen: today, lastSeen: today },
    { website: website.domain, host: 'old.com', backlinks: 1, firstSeen: '2020-01-01', lastSeen: '2020-01-01' },
  ]);
  await deleteOldHosts(db, 365);
  expect(await listLinks(websiteId)).toEqual([
    ['both.com', 2],
    ['new.com', 1],
  ]);
  expect(await countHosts(website.as, websiteId)).toBe(2);
});

test('deleting a report forgets the hosts that only its export had', async () => {
  const website = await createWebsite(['https://one.com/', 'https://two.com/']);
  const { as, websiteId } = website;
  const wrong = await analyze(website, ['https://two.com/', 'https://mistake.com/']);
  expect(await countHosts(as, websiteId)).toBe(3);
  await call('DELETE', `/api/reports/${wrong}`, { as });
  await purge();
  expect(await listLinks(websiteId)).toEqual([
    ['one.com', 1],
    ['two.com', 1],
  ]);
  expect(await countHosts(as, websiteId)).toBe(2);
  const [first] = (await call('GET', `/api/profiles/${websiteId}/reports`, { as })).json();
  await analyze(website, ['https://two.com/', 'https://three.com/']);
  await call('DELETE', `/api/reports/${first.id}`, { as });
  await purge();
  expect((await listLinks(websiteId)).map(([host]) => host)).toEqual(['three.com', 'two.com']);
});

test('deleting a website deletes its hosts and alerts', async () => {
  const name = newName();
  const website = await createWebsite([`https://${name}/`]);
  await list(name);
  await match();
  await call('DELETE', `/api/profiles/${website.websiteId}`, { as: website.as });
  await purge();
  expect(await listLinks(website.websiteId)).toEqual([]);
  expect(await db.selectFrom('alerts').where('website_id', '=', website.websiteId).selectAll().execute()).toEqual([]);
});

test('deleting an account that keeps its reports ends the watch of its websites', async () => {
  const name = newName();
  const website = await createWebsite([`https://${name}/`]);
  await list(name);
  await match();
  const { as, websiteId } = website;
  const { username } = (await call('GET', '/api/auth/current-user', { as })).json();
  const body = { password: 'correct horse battery staple', username, keepReports: true };
  expect((await call('DELETE', '/api/account', { as, body })).statusCode).toBe(204);
  await purge();
  expect(await listLinks(websiteId)).toEqual([]);
  expect(await db.selectFrom('alerts').where('website_id', '=', websiteId).selectAll().execute()).toEqual([]);
  await list(newName());
  await match();
});

test('a website that is not watched, and events that are not wanted, create no alerts, now or later', async () => {
  const [first, second, third] = [newName(), newName(), newName()];
  const website = await createWebsite([first, second, third].map((name) => `https://${name}/`));
  await updateWatch(website, { enabled: false });
  await list(first);
  await match();
  await updateWatch(website, { enabled: true, events: { listed: false } });
  await list(second);
  await match();
  const saved = await updateWatch(website, { events: { listed: true } });
  expect(saved.json()).toMatchObject({ enabled: true, events: { listed: true, raised: true } });
  await list(third);
  await match();
  expect(await listAlerts(website)).toEqual([`listed ${third}: none to high`]);
});

/** Analyzes an export, and calls `change` after the lookups of its hosts, before they are stored. */
async function analyzeDuring(
  website: WatchedWebsite,
  links: readonly string[],
  change: () => Promise<unknown>,
): Promise<void> {
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select from websites where id = $1 for no key update', [website.websiteId]);
  const analyzing = analyze(website, links);
  await expect.poll(() => listLockWaiters(context.pool, 'select "user_id"%')).toHaveLength(1);
  await change();
  await client.query('commit');
  client.release();
  await analyzing;
}

test('a change that was matched while an analysis ran creates one alert, for new and for known hosts', async () => {
  const [known, added, unrelated] = [newName(), newName(), newName()];
  const website = await createWebsite([`https://${known}/`]);
  const other = await createWebsite([`https://${unrelated}/`]);
  const links = [known, `shop.${known}`, added].map((name) => `https://${name}/`);
  await analyzeDuring(website, links, async () => {
    for (const name of [known, added, unrelated]) await list(name);
    await match();
  });
  expect((await listAlerts(website)).sort()).toEqual([
    `listed ${known}: none to high`,
    `listed ${added}: none to high`,
  ]);
  expect(await match()).toBe(0);
  expect(await listAlerts(website)).toHaveLength(2);
  expect(await listAlerts(other)).toEqual([`listed ${unrelated}: none to high`]);
});

test('a website without an owner gets no hosts', async () => {
  const website = await createWebsite([`https://${newName()}/`]);
  const { websiteId } = website;
  await db.updateTable('websites').set({ user_id: null }).where('id', '=', websiteId).execute();
  await db.deleteFrom('website_host_blocks').where('website_id', '=', websiteId).execute();
  const host = { host: 'a.com', registrableDomain: 'a.com', backlinks: 1, domain: undefined, riskLevel: undefined };
  const exported = { websiteId, reportId: 1, hosts: [host], since: new Date() };
  await db.transaction().execute((trx) => storeHosts(trx, exported));
  expect(await listLinks(websiteId)).toEqual([]);
});

test('an allow rule for a subdomain creates no alert while its parent stays listed', async () => {
  const name = newName();
  await list(name);
  const website = await createWebsite([`https://shop.${name}/`, `https://${name}/`]);
  const body = { domain: `shop.${name}`, reason: 'Its owner is known.' };
  expect((await call('POST', '/api/admin/allow-rules', { as: admin.cookie, body })).statusCode).toBeLessThan(300);
  await match();
  expect(await listAlerts(website)).toEqual([]);
  const rows = (await listWatchedHosts(db, website.websiteId)).map(({ host, domain }) => ({ host, domain }));
  expect(rows).toEqual([
    { host: name, domain: name },
    { host: `shop.${name}`, domain: undefined },
  ]);
});

test('an allow rule that is deleted again creates no alert for a domain that decides about other hosts', async () => {
  const name = newName();
  await list(name);
  const website = await createWebsite([`https://shop.${name}/`, `https://${name}/`]);
  const body = { domain: `shop.${name}`, reason: 'Its owner is known.' };
  const { id } = (await call('POST', '/api/admin/allow-rules', { as: admin.cookie, body })).json();
  await match();
  await call('DELETE', `/api/admin/allow-rules/${id}`, { as: admin.cookie });
  await match();
  expect(await listAlerts(website)).toEqual([]);
});

test('emptying the whole blacklist creates no alerts, and neither does the first comparison after it', async () => {
  const [kept, gone, changed] = [newName(), newName(), newName()];
  for (const name of [kept, gone, changed]) await list(name);
  const website = await createWebsite([kept, gone, changed].map((name) => `https://${name}/`));
  const body = { confirmationCode: 'DELETE ALL DOMAINS' };
  expect((await call('POST', '/api/admin/delete-all-domains', { as: admin.cookie, body })).statusCode).toBe(200);
  await repeatedMatching.run(context, new AbortController().signal);
  await list(kept);
  await setLevel(changed, 'low');
  await match();
  expect(await listAlerts(website)).toEqual([]);
  await list(gone);
  await setLevel(`sub.${changed}`, 'low');
  await match();
  expect(await listAlerts(website)).toEqual([`listed ${gone}: none to high`]);
});

test('alerts belong to the owner of the website', async () => {
  const name = newName();
  const website = await createWebsite([`https://${name}/`]);
  await list(name);
  await match();
  const other = await signUp();
  expect((await call('GET', '/api/alerts', { as: other.cookie })).json()).toMatchObject({ alerts: [], unread: 0 });
  const path = `/api/alerts?profileId=${website.websiteId}`;
  expect((await call('GET', path, { as: other.cookie })).statusCode).toBe(404);
  const { alerts } = (await call('GET', path, { as: website.as })).json();
  await call('POST', '/api/alerts/read', { as: other.cookie, body: { ids: [alerts[0].id] } });
  expect((await call('GET', path, { as: website.as })).json()).toMatchObject({ unread: 1 });
});
