import { afterEach, expect, onTestFinished, test } from 'vitest';
import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { maintenanceJob } from '../../operations/admin/jobs.ts';
import { runInProcess } from '../../platform/processes/run-in-process.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { buildDisavowCalls } from '../../reports/disavow-files/upload.fixtures.ts';
import { listWatchedHosts } from '../../reports/watch/watch.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { insertSuggestions } from '../guard/queries.ts';
import { createSubdomainCounter } from '../guard/shared-hosts.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport, waitForImport } from '../imports/upload.fixtures.ts';
import { holdProtected } from './held.ts';

const testApp = await startTestApp({}, { work: [importJob, maintenanceJob, ...analysisJobs] });
const { call, context, signUp } = testApp;
const { db } = context;
const { cookie: as, id } = await signUp({ admin: true });

const listHosts = async () => (await call('GET', '/api/admin/shared-hosts', { as })).json();
const addHost = (host: string) => call('POST', '/api/admin/shared-hosts', { as, body: { host, reason: 'Free blogs' } });
const preview = async (host: string) =>
  (await call('GET', `/api/admin/shared-hosts/preview?host=${host}`, { as })).json();
const listNames = async () =>
  (await db.selectFrom('domains').select('name').orderBy('name').execute()).map(({ name }) => name);
async function importRows(...rows: string[]) {
  const response = await uploadImport(testApp, as, ['domain,source,evidenceUrl,notes', ...rows].join('\n'));
  return await waitForImport(testApp, as, response.json().jobId);
}

afterEach(async () => {
  for (const { id } of (await listHosts()).hosts) await call('DELETE', `/api/admin/shared-hosts/${id}`, { as });
  for (const table of ['site_rules', 'held_listings', 'domains', 'listings'] as const)
    await db.deleteFrom(table).execute();
});

test('a shared host splits its listings, holds those without a subdomain, and keeps those below it', async () => {
  await importRows(
    'freeblogs.test,Seller A,https://casino.freeblogs.test/post,a note',
    'freeblogs.test,Seller B,,',
    'spam.freeblogs.test,Seller B,,',
    'other.test,Seller B,,',
  );
  const counts = { splitCount: 1, heldCount: 1, subdomains: 1 };
  expect(await preview('https://www.freeblogs.test/')).toEqual({ host: 'freeblogs.test', ...counts });
  expect(await listNames()).toEqual(['freeblogs.test', 'other.test', 'spam.freeblogs.test']);

  const added = await addHost('FreeBlogs.test');
  expect([added.statusCode, added.json()]).toEqual([
    201,
    expect.objectContaining({ host: 'freeblogs.test', reason: 'Free blogs', ...counts }),
  ]);
  expect(await listNames()).toEqual(['casino.freeblogs.test', 'other.test', 'spam.freeblogs.test']);
  const split = await db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', 'casino.freeblogs.test')
    .executeTakeFirst();
  expect(split).toMatchObject({ source: ['Seller A'], notes: 'a note' });
  const { held } = (await call('GET', '/api/admin/held', { as })).json();
  expect(held).toMatchObject([
    { domain: 'freeblogs.test', source: 'Seller B', reason: expect.stringContaining('Free blogs') },
  ]);
  expect((await call('POST', `/api/admin/held/${held[0].id}`, { as, body: { decision: 'list' } })).statusCode).toBe(
    400,
  );
  const event = await db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
  expect(event).toMatchObject({ event: 'Added a shared host', details: { host: 'freeblogs.test', ...counts } });

  const rejected = await importRows('freeblogs.test,Seller C,,', 'new.freeblogs.test,Seller C,,');
  expect(rejected).toMatchObject({ imported: 1, failedCount: 1 });
  expect(rejected.failures[0]?.reason).toMatch(/hosts the websites of many owners/);

  const { hosts } = await listHosts();
  expect((await call('DELETE', `/api/admin/shared-hosts/${hosts[0].id}`, { as })).statusCode).toBe(204);
  expect(registrableDomain('a.freeblogs.test')).toBe('freeblogs.test');
  expect((await call('POST', `/api/admin/held/${held[0].id}`, { as, body: { decision: 'list' } })).statusCode).toBe(
    204,
  );
  expect(await listNames()).toContain('freeblogs.test');
});

test('an allow rule for a host has to be deleted first, and listings of protected subdomains are held', async () => {
  await importRows('freeblogs.test,Seller,https://good.freeblogs.test/post,', 'mine.test,Seller,https://a.mine.test/,');
  const protect = (domain: string) =>
    call('POST', '/api/admin/allow-rules', { as, body: { domain, reason: 'A partner' } });
  await protect('good.freeblogs.test');
  const counts = { splitCount: 0, heldCount: 1, subdomains: 0 };
  expect(await preview('freeblogs.test')).toMatchObject(counts);
  expect((await addHost('freeblogs.test')).json()).toMatchObject(counts);
  expect(await listNames()).toEqual(['mine.test']);

  await protect('mine.test');
  const error = 'An allow rule for mine.test protects mine.test and its subdomains. Delete the rule first.';
  expect(await preview('mine.test')).toMatchObject({ error });
  const refused = await addHost('mine.test');
  expect([refused.statusCode, refused.json().error]).toEqual([409, error]);
});

test('uploads know an added host at once, also in processes of their own', async () => {
  await importRows('spam.freeblogs.test,Seller,,');
  await addHost('freeblogs.test');
  const { runWork } = context;
  onTestFinished(() => {
    context.runWork = runWork;
  });
  context.runWork = runInProcess;
  const { cookie, site } = await buildDisavowCalls(testApp).createOwner();
  const content = ['https://spam.freeblogs.test/a', 'https://good.freeblogs.test/b', 'https://fine.test/'].join('\n');
  await buildDisavowCalls(testApp).analyze(cookie, site.id, content);
  const hosts = (await listWatchedHosts(db, site.id)).map(({ host, domain }) => ({ host, domain }));
  expect(hosts).toEqual([
    { host: 'fine.test', domain: undefined },
    { host: 'good.freeblogs.test', domain: undefined },
    { host: 'spam.freeblogs.test', domain: 'spam.freeblogs.test' },
  ]);
});

test.each([
  ['', 400],
  ['not a name', 400],
  ['co.uk', 400],
  ['wordpress.com', 400],
  ['http://192.0.2.1/', 400],
])('%j cannot be added', async (host, status) => {
  expect((await addHost(host)).statusCode).toBe(status);
  expect(
    (await call('GET', `/api/admin/shared-hosts/preview?host=${encodeURIComponent(host)}`, { as })).statusCode,
  ).toBe(400);
});

test('an upload with many subdomains of one domain suggests it once, and a dismissed suggestion stays away', async () => {
  const build = (domain: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ host: `blog-${i}.${domain}`, registrableDomain: domain }));
  const suggest = async () => {
    const counter = createSubdomainCounter();
    const hosts = [
      ...build('freeblogs.test', 20),
      ...build('few.test', 19),
      ...build('wikipedia.org', 90),
      ...build('x.edu', 50),
    ];
    expect([...counter.count(hosts)]).toEqual(hosts);
    await counter.suggest(db, { userId: id, now: new Date() });
    return (await listHosts()).suggestions.map(({ host }: { host: string }) => host);
  };
  expect(await suggest()).toEqual(['freeblogs.test']);
  expect((await listHosts()).suggestions[0].reason).toBe('An upload contains 20 of its subdomains.');
  expect(await suggest()).toEqual(['freeblogs.test']);
  const dismissal = { as, body: { host: 'freeblogs.test' } };
  expect((await call('POST', '/api/admin/shared-hosts/dismissals', dismissal)).statusCode).toBe(204);
  expect((await call('POST', '/api/admin/shared-hosts/dismissals', dismissal)).statusCode).toBe(409);
  expect(await suggest()).toEqual([]);
  expect((await addHost('freeblogs.test')).statusCode).toBe(201);
  expect((await listHosts()).hosts).toHaveLength(1);
});

test('the uploads of one account can suggest a limited number of hosts', async () => {
  const { id: userId } = await signUp();
  const name = (i: number) => `host-${i}.test`;
  const rows = Array.from({ length: 30 }, (_, i) => ({ domain: name(i), reason: 'Many subdomains' }));
  await insertSuggestions(db, rows, { userId, now: new Date() });
  expect((await listHosts()).suggestions).toHaveLength(20);
  await insertSuggestions(db, rows.slice(20), { userId: id, now: new Date() });
  expect((await listHosts()).suggestions).toHaveLength(30);
});

test('maintenance holds names that have become shared hosts', async () => {
  await db
    .insertInto('domains')
    .values({ name: 'wordpress.com', tld: 'com', source: ['Seller'], risk_level: 1, added_by: 'admin' })
    .execute();
  const source = await db
    .insertInto('sources')
    .values({ name: 'Seller of hosts', kind: 'manual' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const now = new Date();
  await db
    .insertInto('listings')
    .values({ name: 'wordpress.com', source_id: source.id, first_seen_at: now, last_seen_at: now })
    .execute();
  const run = { id: 1, userId: null, username: 'admin' };
  const work = {
    db,
    now: () => now,
    onPage: () => undefined,
    onWait: () => undefined,
    inTransaction: (change: Parameters<ReturnType<typeof db.transaction>['execute']>[0]) =>
      db.transaction().execute(change) as Promise<number>,
  };
  expect(await holdProtected(work, run)).toBe(1);
  expect(await listNames()).toEqual([]);
  const { held } = (await call('GET', '/api/admin/held', { as })).json();
  expect(held).toMatchObject([{ domain: 'wordpress.com', reason: expect.stringMatching(/many owners/) }]);
});
