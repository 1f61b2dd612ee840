import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { registrableDomain, setAddedSharedHosts } from '../../hostnames/coverage/coverage.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { purgeDeletedRows, undoMs } from '../reports/jobs.ts';
import type { ExportedHost } from './host-blocks.ts';
import { moveHosts, storeHosts } from './hosts.ts';
import { repeatedMatching, repeatedMoving } from './jobs.ts';
import { buildWatchCalls, listWatchedHosts } from './watch.fixtures.ts';

const testApp = await startTestApp();
const { call, context } = testApp;
const { db } = context;
const { createWebsite, setLevel, match, listAlerts } = buildWatchCalls(testApp);
const never = new AbortController().signal;
const move = () => repeatedMoving.run(context, never);

/** Stores hosts of a website as version 0.2 did, with the report and the days of their number. */
async function insertRows(websiteId: number, hosts: readonly string[], domain: string | null = null): Promise<void> {
  await sql`
    insert into website_hosts
    select ${websiteId}, host, host, number, number, number + 1, date '2026-01-01' + number::integer,
      date '2026-02-01' + number::integer, ${domain}, ${domain === null ? null : 2}::smallint
    from unnest(${hosts}::text[]) with ordinality as hosts (host, number)
  `.execute(db);
}

const countRows = async () => (await db.selectFrom('website_hosts').select('host').execute()).length;
const countBlocks = async (websiteId: number) =>
  (await db.selectFrom('website_host_blocks').select('bucket').where('website_id', '=', websiteId).execute()).length;
const listNames = async (websiteId: number) => (await listWatchedHosts(db, websiteId)).map(({ host }) => host);
const buildNames = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}.com`);

/** Stores an export of these hosts, each with one link. */
async function store(websiteId: number, reportId: number, names: readonly string[], backlinks = 1): Promise<void> {
  const hosts = names.map(
    (host): ExportedHost => ({
      host,
      registrableDomain: registrableDomain(host) ?? host,
      backlinks,
      domain: undefined,
      riskLevel: undefined,
    }),
  );
  const exported = { websiteId, reportId, hosts, since: new Date() };
  await db.transaction().execute((trx) => storeHosts(trx, exported));
}

test('the hosts that an earlier version stored are moved with all that is known about them', async () => {
  const { websiteId, as } = await createWebsite(['https://row-1.com/', 'https://new.com/']);
  await insertRows(websiteId, buildNames('row', 500), 'com');
  await move();
  const today = Math.floor(Date.now() / 86_400_000);
  const hosts = await listWatchedHosts(db, websiteId);
  expect(hosts).toHaveLength(501);
  const [firstDay, lastDay] = [Date.parse('2026-01-01') / 86_400_000, Date.parse('2026-02-01') / 86_400_000];
  const verdict = { domain: 'com', riskLevel: 2 };
  expect(hosts.find(({ host }) => host === 'row-9.com')).toEqual({
    ...{ host: 'row-9.com', backlinks: 10, reportId: 11, lastDay: lastDay + 10 },
    ...{ firstReportId: 10, firstDay: firstDay + 10, ...verdict },
  });
  // The export is newer, and the row has the first day.
  expect(hosts.find(({ host }) => host === 'row-1.com')).toMatchObject({
    ...{ backlinks: 1, lastDay: today, firstReportId: 2, firstDay: firstDay + 2, ...verdict },
  });
  expect(await countBlocks(websiteId)).toBe(8);
  expect((await call('GET', `/api/profiles/${websiteId}/watch`, { as })).json().hosts).toBe(501);
  expect(await countRows()).toBe(0);
});

test('changes are compared when the hosts of all websites are in blocks', async () => {
  const website = await createWebsite(['https://elsewhere.com/']);
  await insertRows(website.websiteId, ['waiting.com']);
  await setLevel('waiting.com', 'high');
  await sql`update domain_changes set changed_at = changed_at - interval '1 minute'`.execute(db);
  await repeatedMatching.run(context, never);
  expect(await listAlerts(website)).toEqual([]);
  await move();
  await repeatedMatching.run(context, never);
  expect(await listAlerts(website)).toEqual(['listed waiting.com: none to high']);
});

test('an export and the deletion of a report move the hosts of their website first, and the data of an account has them', async () => {
  const { websiteId, as } = await createWebsite(['https://elsewhere.com/']);
  await insertRows(websiteId, ['row.com']);
  await store(websiteId, 1000, ['later.com', 'row.com']);
  expect(await countRows()).toBe(0);
  expect(await listWatchedHosts(db, websiteId)).toMatchObject([
    { host: 'elsewhere.com' },
    { host: 'later.com', reportId: 1000 },
    { host: 'row.com', reportId: 1000, firstReportId: 1 },
  ]);
  await insertRows(websiteId, ['first.com', 'second.com']);
  const { linkingHosts } = (await call('GET', '/api/account/data', { as })).json();
  expect(linkingHosts.map(({ host }: { host: string }) => host)).toContain('second.com');
  expect(await countRows()).toBe(2);
  await insertRows(websiteId, ['third.com']);
  const [report] = (await call('GET', `/api/profiles/${websiteId}/reports`, { as })).json();
  await call('DELETE', `/api/reports/${report.id}`, { as });
  await purgeDeletedRows({ db, now: () => new Date(Date.now() + 2 * undoMs) }, never);
  expect(await listNames(websiteId)).toEqual(['first.com', 'later.com', 'row.com', 'second.com', 'third.com']);
  expect(await countRows()).toBe(0);
});

test('a move that is interrupted leaves each website in one place, and the next one continues', async () => {
  const [first, second] = [await createWebsite(['https://a.com/']), await createWebsite(['https://a.com/'])];
  for (const { websiteId } of [first, second]) await insertRows(websiteId, buildNames('kept', 200));
  await expect(
    db.transaction().execute(async (trx) => {
      await moveHosts(trx, first.websiteId);
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  expect(await countRows()).toBe(400);
  await db.transaction().execute(async (trx) => {
    await sql`select from websites where id = ${second.websiteId} for update`.execute(trx);
    const interrupted = expect(move()).rejects.toThrow();
    await expect.poll(() => listLockWaiters(context.pool, '%for no key update')).toHaveLength(1);
    const [pid] = await listLockWaiters(context.pool, '%for no key update');
    await sql`select pg_terminate_backend(${pid})`.execute(trx);
    await interrupted;
  });
  expect(await countRows()).toBe(200);
  await move();
  expect(await countRows()).toBe(0);
  for (const { websiteId } of [first, second]) expect(await listNames(websiteId)).toHaveLength(201);
});

test('two workers and an analysis move a website once', async () => {
  const { websiteId } = await createWebsite(['https://a.com/']);
  const names = buildNames('once', 300);
  await insertRows(websiteId, names);
  await Promise.all([move(), store(websiteId, 1000, [...names.slice(100), 'new.com']), move()]);
  expect(await listNames(websiteId)).toEqual([...names, 'a.com', 'new.com'].sort());
  expect(await countRows()).toBe(0);
});

test('the rows of a website without owner are deleted', async () => {
  const { websiteId } = await createWebsite(['https://a.com/']);
  await insertRows(websiteId, ['row.com']);
  await insertRows(1_000_000, ['row.com']);
  await db.updateTable('websites').set({ user_id: null }).where('id', '=', websiteId).execute();
  await move();
  expect(await countRows()).toBe(0);
});

test('a website that grows and shrinks has blocks for its number of hosts', async () => {
  const { websiteId } = await createWebsite(['https://a.com/']);
  const names = buildNames('grows', 3000);
  await store(websiteId, 1000, names.slice(0, 50));
  expect(await countBlocks(websiteId)).toBe(1);
  await store(websiteId, 1001, names);
  expect(await countBlocks(websiteId)).toBe(64);
  expect(await listNames(websiteId)).toEqual(['a.com', ...names].sort());
  await store(websiteId, 1002, names.slice(10), 0);
  expect(await countBlocks(websiteId)).toBe(1);
  const hosts = await listWatchedHosts(db, websiteId);
  expect(hosts.map(({ host }) => host)).toEqual(['a.com', ...names.slice(0, 10)]);
  expect(hosts[3]).toMatchObject({ firstReportId: 1000, reportId: 1001 });
});

test('a change is compared with websites of one block and of many, and changes no other host', async () => {
  const [small, large] = [await createWebsite(['https://a.com/']), await createWebsite(['https://a.com/'])];
  const names = buildNames('many', 2000).flatMap((name) => [name, `shop.${name}`]);
  await store(small.websiteId, 1000, names.slice(0, 8));
  await store(large.websiteId, 1000, names);
  expect([await countBlocks(small.websiteId), await countBlocks(large.websiteId)]).toEqual([1, 64]);
  const before = await listWatchedHosts(db, large.websiteId);
  await setLevel('many-3.com', 'high');
  await setLevel('many-1999.com', 'low');
  await match();
  expect(await listAlerts(small)).toEqual(['listed many-3.com: none to high']);
  expect(await listAlerts(large)).toEqual(['listed many-3.com: none to high', 'listed many-1999.com: none to low']);
  const verdicts = { 'many-3.com': 3, 'many-1999.com': 1 };
  const expected = before.map((host) => {
    const [domain, riskLevel] =
      Object.entries(verdicts).find(([name]) => host.host === name || host.host.endsWith(`.${name}`)) ?? [];
    return { ...host, domain, riskLevel };
  });
  expect(await listWatchedHosts(db, large.websiteId)).toEqual(expected);
});

test('a host whose registrable domain has changed since the last export is stored once', async () => {
  const { websiteId } = await createWebsite(['https://a.com/']);
  const blogs = Array.from({ length: 20 }, (_, i) => `blog-${i}.freeblogs.test`);
  const names = [...buildNames('other', 500), ...blogs];
  await store(websiteId, 1000, names);
  setAddedSharedHosts(['freeblogs.test']);
  onTestFinished(() => setAddedSharedHosts([]));
  await store(websiteId, 1001, [...names.slice(100)]);
  expect(await listNames(websiteId)).toEqual(['a.com', ...names].sort());
  const hosts = await listWatchedHosts(db, websiteId);
  const known = hosts.filter(({ host }) => blogs.includes(host));
  expect(known.every(({ firstReportId, reportId }) => firstReportId === 1000 && reportId === 1001)).toBe(true);
});
