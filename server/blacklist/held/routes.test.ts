import type pg from 'pg';
import { expect, test, vi } from 'vitest';
import { maintenanceJob } from '../../operations/admin/jobs.ts';
import type { Db } from '../../platform/db/database.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../platform/db/locks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { saveListRule } from '../guard/queries.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport, waitForImport } from '../imports/upload.fixtures.ts';
import { holdProtected } from './held.ts';

const testApp = await startTestApp({}, { work: [importJob, maintenanceJob] });
const { call, signUp, context } = testApp;
const admin = await signUp({ admin: true });
const as = admin.cookie;

interface HeldListing {
  id: number;
  domain: string;
  source: string;
  reason: string;
  heldAt: string;
}

const listHeld = async (query = '?pageSize=100') => (await call('GET', `/api/admin/held${query}`, { as })).json();
const findHeld = async (domain: string): Promise<HeldListing[]> =>
  (await listHeld()).held.filter((row: HeldListing) => row.domain === domain);
const decide = (id: number, decision: string) => call('POST', `/api/admin/held/${id}`, { as, body: { decision } });
const createRule = (domain: string, reason = 'A partner') =>
  call('POST', '/api/admin/allow-rules', { as, body: { domain, reason } });
const createDomain = (domain: string, cells: object = {}) =>
  call('POST', '/api/domains', { as, body: { domain, source: 'crawler', ...cells } });
const findDomain = async (name: string) => {
  const { domains } = (await call('GET', `/api/domains?search=${name}`, { as })).json();
  return domains.find(({ domain }: { domain: string }) => domain === name);
};
async function importRows(...rows: string[]) {
  const response = await uploadImport(testApp, as, ['domain,source,cost,niche,evidenceUrl', ...rows].join('\n'));
  return await waitForImport(testApp, as, response.json().jobId);
}
const lastEvent = () =>
  context.db
    .selectFrom('audit_events')
    .select(['event', 'details'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();

test('an import holds well-known sites, public institutions and pages, and lists the rest', async () => {
  const result = await importRows(
    'microsoft.com,Seller A,$90,Tech,https://seller.example/offer',
    'library.mit.edu,Seller A,,,',
    'https://blog.example/sponsored-post,Seller A,,,',
    'https://plain.example/,Seller A,,,',
  );
  expect(result).toMatchObject({
    status: 'completed',
    processedCount: 4,
    totalCount: 4,
    imported: 1,
    updated: 0,
    failedCount: 0,
    heldCount: 3,
    message: '1 imported, 0 updated. 3 rows are held for review.',
  });
  expect(await findHeld('microsoft.com')).toEqual([
    {
      id: expect.any(Number),
      domain: 'microsoft.com',
      source: 'Seller A',
      reason: 'microsoft.com is a well-known site.',
      heldAt: expect.stringMatching(/^20\d\d-.*Z$/),
    },
  ]);
  expect((await findHeld('library.mit.edu'))[0]?.reason).toBe('Names under .edu belong to public institutions.');
  expect((await findHeld('blog.example'))[0]?.reason).toContain('https://blog.example/sponsored-post');
  expect(await findDomain('plain.example')).toBeDefined();
  for (const name of ['microsoft.com', 'library.mit.edu', 'blog.example'])
    expect(await findDomain(name)).toBeUndefined();
});

test('the same file again holds the same rows and changes nothing', async () => {
  const rows = ['apple.com,Seller B,,,', 'harmless.example,Seller B,,,'];
  const first = await importRows(...rows);
  const before = await listHeld();
  const second = await importRows(...rows);
  expect(second).toMatchObject({ imported: 0, updated: 0, failedCount: 0, heldCount: first.heldCount });
  expect(second.message).toBe('0 imported, 0 updated. 1 unchanged. 1 row is held for review.');
  expect(await listHeld()).toEqual(before);
});

test('a held site is listed with its fields, and later imports of exactly this name pass', async () => {
  await importRows('amazon.de,Seller C,$70,Shops,https://seller.example/amazon');
  const [held] = await findHeld('amazon.de');
  expect((await decide(held?.id ?? 0, 'list')).statusCode).toBe(204);
  expect(await lastEvent()).toEqual({
    event: 'Decided on a held listing',
    details: {
      id: held?.id,
      domain: 'amazon.de',
      source: 'Seller C',
      decision: 'list',
      overruled: 'amazon.de is a well-known site.',
    },
  });
  const listed = await findDomain('amazon.de');
  expect(listed).toMatchObject({ source: 'Seller C', cost: '$70', niche: 'Shops', addedBy: admin.username });
  const listings = (await call('GET', `/api/domains/${listed.id}/listings`, { as })).json();
  expect(listings).toMatchObject([{ price: '$70', evidenceUrl: 'https://seller.example/amazon' }]);
  expect(await findHeld('amazon.de')).toEqual([]);
  expect(await importRows('amazon.de,Seller D,,,', 'pay.amazon.de,Seller D,,,')).toMatchObject({
    updated: 1,
    heldCount: 1,
  });
  expect(await findDomain('amazon.de')).toMatchObject({ source: 'Seller C, Seller D' });
  expect((await decide(held?.id ?? 0, 'list')).statusCode).toBe(404);
});

test('a rejected listing is not queued again, but one of another source is', async () => {
  await importRows('netflix.com,Seller E,,,');
  const [held] = await findHeld('netflix.com');
  expect((await decide(held?.id ?? 0, 'reject')).statusCode).toBe(204);
  expect(await findHeld('netflix.com')).toEqual([]);
  const again = await importRows('netflix.com,Seller E,,,');
  expect(again).toMatchObject({ heldCount: 0, failedCount: 0, imported: 0 });
  expect(again.message).toBe('0 imported, 0 updated. 1 row was skipped because an admin rejected it.');
  expect(await importRows('netflix.com,Seller F,,,')).toMatchObject({ heldCount: 1 });
  expect(await findHeld('netflix.com')).toMatchObject([{ source: 'Seller F' }]);
  expect(await findDomain('netflix.com')).toBeUndefined();
  expect((await decide(held?.id ?? 0, 'reject')).statusCode).toBe(404);
});

test('several held listings are decided at once, and the queue has pages and a search', async () => {
  await importRows('spotify.com,Bulk,,,', 'reddit.com,Bulk,,,', 'quora.com,"Bulk, Other",,,');
  const search = await listHeld('?search=bulk&pageSize=2&page=1');
  expect(search.pagination).toEqual({ page: 1, pageSize: 2, total: 3, totalPages: 2 });
  expect(search.held).toHaveLength(1);
  expect((await listHeld('?search=quora')).held.map(({ source }: HeldListing) => source).sort()).toEqual([
    'Bulk',
    'Other',
  ]);
  const ids = (await listHeld('?search=bulk')).held.map(({ id }: HeldListing) => id);
  const bulk = (body: object) => call('POST', '/api/admin/held/decisions', { as, body });
  expect((await bulk({ ids: [...ids, 999_999], decision: 'list' })).json()).toEqual({ count: 3 });
  expect(await lastEvent()).toMatchObject({
    event: 'Decided on held listings',
    details: { decision: 'list', count: 3 },
  });
  expect((await findDomain('quora.com')).source).toBe('Bulk');
  const [other] = await findHeld('quora.com');
  await decide(other?.id ?? 0, 'list');
  expect((await findDomain('quora.com')).source).toBe('Bulk, Other');
  expect((await bulk({ ids: [], decision: 'list' })).statusCode).toBe(400);
  expect((await bulk({ ids: [1], decision: 'later' })).statusCode).toBe(400);
});

test('an allow rule removes a domain and its subdomains, and holds the listing of each source', async () => {
  await createDomain('partner.example', { source: 'one, two', cost: '$5' });
  await createDomain('blog.partner.example');
  await createDomain('not-partner.example');
  const response = await createRule('https://www.Partner.example/');
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({
    id: expect.any(Number),
    domain: 'partner.example',
    reason: 'A partner',
    createdBy: admin.username,
    dateCreated: expect.stringMatching(/^20/),
    heldCount: 3,
  });
  expect(await lastEvent()).toEqual({
    event: 'Added an allow rule',
    details: { domain: 'partner.example', reason: 'A partner', heldCount: 3 },
  });
  expect(await findDomain('partner.example')).toBeUndefined();
  expect(await findDomain('blog.partner.example')).toBeUndefined();
  expect(await findDomain('not-partner.example')).toBeDefined();
  expect((await findHeld('partner.example')).map(({ source }) => source).sort()).toEqual(['one', 'two']);
  expect(await findHeld('blog.partner.example')).toMatchObject([
    { source: 'crawler', reason: 'An admin added an allow rule for partner.example: A partner' },
  ]);
  expect((await createRule('partner.example')).statusCode).toBe(409);
  const { rules, pagination } = (await call('GET', '/api/admin/allow-rules?search=partner.ex', { as })).json();
  expect(rules).toMatchObject([{ domain: 'partner.example', createdBy: admin.username }]);
  expect(pagination.total).toBe(1);

  expect(await importRows('new.partner.example,Seller,,,')).toMatchObject({ imported: 0, heldCount: 1 });
  const [held] = (await findHeld('partner.example')).filter(({ source }) => source === 'one');
  await decide(held?.id ?? 0, 'list');
  expect(await findDomain('partner.example')).toMatchObject({ source: 'one', cost: '$5' });
  expect((await call('GET', '/api/admin/allow-rules?search=partner.ex', { as })).json().rules).toEqual([]);
});

test('an import that is being written delays new allow rules, and one that is read starts again with them', async () => {
  const client = await context.pool.connect();
  const counted = async (message: string) =>
    (await context.db.selectFrom('imports').select('id').where('message', '=', message).execute()).length;
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [locks.merge]);
    const result = importRows('sudden.example,Seller,,,', 'usual.example,Seller,,,');
    await vi.waitUntil(() => counted('Waiting for another import to finish'), { timeout: 20_000 });
    expect((await createRule('sudden.example')).statusCode).toBe(503);
    await insertAllowRule(client, 'sudden.example');
    await client.query('commit');
    expect(await result).toMatchObject({ imported: 1, heldCount: 1, processedCount: 2 });
  } finally {
    client.release();
  }
  expect(await findDomain('sudden.example')).toBeUndefined();
  expect(await findDomain('usual.example')).toBeDefined();
});

const insertAllowRule = (client: pg.PoolClient, domain: string) =>
  client.query("insert into site_rules (domain, decision, reason) values ($1, 'allow', 'A partner')", [domain]);

test('a deleted allow rule no longer protects its domain', async () => {
  const { id } = (await createRule('once.example')).json();
  expect(await importRows('once.example,Seller,,,')).toMatchObject({ heldCount: 1 });
  const remove = () => call('DELETE', `/api/admin/allow-rules/${id}`, { as });
  expect((await remove()).statusCode).toBe(204);
  expect(await lastEvent()).toEqual({ event: 'Deleted an allow rule', details: { id, domain: 'once.example' } });
  expect((await remove()).statusCode).toBe(404);
  expect(await importRows('once.example,Seller 2,,,')).toMatchObject({ imported: 1, heldCount: 0 });
});

test.each([
  [{ domain: 'com', reason: 'x' }, 'domain'],
  [{ domain: '', reason: 'x' }, 'domain'],
  [{ domain: 'blogspot.com', reason: 'x' }, 'domain'],
  [{ domain: 'a.example', reason: ' ' }, 'reason'],
])('an allow rule of %j is rejected with a message for %s', async (body, field) => {
  const response = await call('POST', '/api/admin/allow-rules', { as, body });
  expect(response.statusCode).toBe(400);
  expect(response.json().fields).toHaveProperty(field);
});

test('adding a protected site needs a confirmation, which also replaces its allow rule', async () => {
  const refused = await createDomain('wikipedia.org');
  expect(refused.statusCode).toBe(409);
  expect(refused.json()).toMatchObject({ code: 'needs_confirmation', error: 'wikipedia.org is a well-known site.' });
  expect((await createDomain('wikipedia.org', { confirmed: true })).statusCode).toBe(201);
  expect((await lastEvent()).details).toMatchObject({ overruled: 'wikipedia.org is a well-known site.' });
  expect((await createDomain('wikipedia.org')).json()).toMatchObject({
    code: 'conflict',
    existingId: expect.any(Number),
  });
  expect(await importRows('wikipedia.org,Seller,,,')).toMatchObject({ updated: 1, heldCount: 0 });

  await createRule('mine.example', 'My own site');
  expect((await createDomain('mine.example')).json().error).toBe('An allow rule protects mine.example: My own site.');
  expect((await createDomain('mine.example', { confirmed: true })).statusCode).toBe(201);
  expect((await lastEvent()).details).toMatchObject({ overruled: 'An allow rule protects mine.example: My own site.' });
  expect((await call('GET', '/api/admin/allow-rules?search=mine.example', { as })).json().rules).toEqual([]);
});

test('renaming a domain to a protected site needs a confirmation, and other changes do not', async () => {
  const { id } = (await createDomain('typo.example')).json();
  const change = (body: object) => call('PUT', `/api/domains/${id}`, { as, body: { source: 'crawler', ...body } });
  expect((await change({ domain: 'linkedin.com' })).json().code).toBe('needs_confirmation');
  expect((await change({ domain: 'linkedin.com', confirmed: true })).statusCode).toBe(200);
  expect((await lastEvent()).details).toMatchObject({ overruled: 'linkedin.com is a well-known site.' });
  expect((await change({ domain: 'linkedin.com', niche: 'Jobs' })).statusCode).toBe(200);
});

test('maintenance moves protected sites to the queue that were listed earlier, except those that an admin listed', async () => {
  const cells = { confirmed: true, source: 'Old list, Older list', niche: 'News', riskLevel: 'high' };
  const protectedNames = ['nytimes.com', 'pay.nytimes.com', 'office.gov.uk'];
  for (const domain of [...protectedNames, 'theguardian.com']) {
    expect((await createDomain(domain, cells)).statusCode).toBe(201);
  }
  expect((await createDomain('plain-list.example')).statusCode).toBe(201);
  // As if they had been listed before Linksieve protected them.
  await context.db.deleteFrom('site_rules').where('domain', 'in', protectedNames).execute();
  const waiting = (await listHeld()).pagination.total;

  expect((await call('POST', '/api/admin/maintenance', { as })).statusCode).toBe(202);
  const lastRun = async () => (await call('GET', '/api/admin/maintenance', { as })).json()[0];
  await expect.poll(async () => (await lastRun()).status).toBe('completed');
  expect((await lastRun()).message).toContain('3 protected sites were moved from the blacklist to the review queue.');
  expect(await lastEvent()).toEqual({
    event: 'Held protected sites',
    details: { run: (await lastRun()).id, count: 3, domains: ['nytimes.com', 'office.gov.uk', 'pay.nytimes.com'] },
  });
  for (const gone of protectedNames) expect([gone, await findDomain(gone)]).toEqual([gone, undefined]);
  for (const kept of ['theguardian.com', 'plain-list.example']) expect(await findDomain(kept)).toBeDefined();
  expect((await findHeld('pay.nytimes.com')).map(({ source, reason }) => [source, reason]).toSorted()).toEqual([
    ['Old list', 'pay.nytimes.com belongs to nytimes.com, a well-known site.'],
    ['Older list', 'pay.nytimes.com belongs to nytimes.com, a well-known site.'],
  ]);
  expect((await listHeld()).pagination.total).toBe(waiting + 6);

  for (const { id } of await findHeld('office.gov.uk')) expect((await decide(id, 'list')).statusCode).toBe(204);
  expect(await findDomain('office.gov.uk')).toMatchObject({ niche: 'News', riskLevel: 'high', sourceCount: 2 });
});

const inTransaction = (change: (trx: Db) => Promise<number>) => context.db.transaction().execute(change);

test('maintenance reads the names in pages, and listings that an admin rejected stay rejected', async () => {
  for (const domain of ['bbc.co.uk', 'cnn.com', 'weather.com']) await createDomain(domain, { confirmed: true });
  await context.db.deleteFrom('site_rules').where('domain', 'in', ['cnn.com', 'weather.com']).execute();
  const crawler = await context.db.selectFrom('sources').select('id').where('name', '=', 'crawler').executeTakeFirst();
  const rejected = { domain: 'cnn.com', source_id: crawler?.id ?? 0, reason: 'Rejected', cells: '{}' };
  await context.db
    .insertInto('held_listings')
    .values({ ...rejected, held_at: new Date(), rejected_at: new Date() })
    .execute();
  const { total } = (await call('GET', '/api/stats/count', { as })).json();
  const checked: number[] = [];
  const onPage = (count: number) => void checked.push(count);
  const run = { id: 1, userId: null, username: admin.username };
  const hold = () => holdProtected({ ...context, inTransaction, onPage, onWait: () => undefined }, run, 2);
  expect(await hold()).toBe(2);
  expect(checked).toEqual(Array.from({ length: Math.ceil(total / 2) }, (_, page) => page * 2));
  expect(await findDomain('bbc.co.uk')).toBeDefined();
  expect(await findHeld('cnn.com')).toEqual([]);
  expect(await findHeld('weather.com')).toHaveLength(1);
  expect(await hold()).toBe(0);
});

test('maintenance spares a site that an admin decides to list while it waits', async () => {
  await createDomain('spiegel.de', { confirmed: true });
  await context.db.deleteFrom('site_rules').where('domain', '=', 'spiegel.de').execute();
  const run = { id: 1, userId: null, username: admin.username };
  const holding: Promise<number>[] = [];
  await context.db.transaction().execute(async (trx) => {
    await trx.selectFrom('domains').select('id').where('name', '=', 'spiegel.de').forUpdate().execute();
    holding.push(holdProtected({ ...context, inTransaction, onPage: () => undefined, onWait: () => undefined }, run));
    await expect.poll(() => listLockWaiters(context.pool, '%from "domains"%for update%')).toHaveLength(1);
    await saveListRule(trx, { domain: 'spiegel.de', reason: 'It is well known.', userId: admin.id, now: new Date() });
  });
  expect(await Promise.all(holding)).toEqual([0]);
  expect(await findDomain('spiegel.de')).toBeDefined();
});
