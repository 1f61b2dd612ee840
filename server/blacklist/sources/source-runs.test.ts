import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Db } from '../../platform/db/database.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../platform/db/locks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { addListing } from '../domains/domains.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport } from '../imports/upload.fixtures.ts';
import { sourceRunJob } from './jobs.ts';
import { updateManualKinds } from './queries.ts';
import { buildSourceData } from './sources.fixtures.ts';
import { deleteMergedSource, lockMergedSource } from './store-sources.ts';

const app = await startTestApp({}, { work: [importJob, sourceRunJob] });
const { call, context, signUp } = app;
const { db } = context;
const admin = await signUp({ admin: true });
const { createListedDomains, createSource, getStored, listMismatches, waitForSourceRuns } = buildSourceData(app);

const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  call(method, path, { as: admin.cookie, ...(body && { body }) });

/** Sends a change and waits until the domains are updated. @returns the body of the response */
async function change(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
  const response = await send(method, path, body);
  expect(response.statusCode, response.body).toBeLessThan(300);
  expect(await waitForSourceRuns()).toEqual([]);
  expect(await listMismatches()).toEqual([]);
  return response.statusCode === 204 ? undefined : response.json();
}

beforeEach(async () => {
  await sql`truncate domains, listings`.execute(db);
  await sql`delete from sources`.execute(db);
  await sql`delete from families`.execute(db);
});

test('a renamed source has the new name in every domain, at the same place', async () => {
  await createListedDomains({ 'a.test': ['x', 'crawler', 'y'], 'b.test': ['crawler'], 'c.test': ['crawler 2'] });
  const before = await getStored('a.test');
  const id = await createSource('crawler');
  expect(await change('PATCH', `/api/admin/sources/${id}`, { name: ' Site  crawler ' })).toMatchObject({
    id,
    name: 'Site crawler',
  });
  expect(await getStored('a.test')).toEqual({ ...before, source: 'x, Site crawler, y' });
  expect(await getStored('b.test')).toMatchObject({ source: 'Site crawler' });
  expect(await getStored('c.test')).toMatchObject({ source: 'crawler 2' });
});

test('a source that took the earlier name of another one keeps its domains during and after the rename', async () => {
  await createListedDomains({ 'a.test': ['first'], 'b.test': ['second'], 'c.test': ['first', 'second'] });
  const [first, second] = [await createSource('first'), await createSource('second')];
  expect((await send('PATCH', `/api/admin/sources/${first}`, { name: 'third' })).statusCode).toBe(200);
  await change('PATCH', `/api/admin/sources/${second}`, { name: 'first' });
  expect(await getStored('a.test')).toMatchObject({ source: 'third' });
  expect(await getStored('b.test')).toMatchObject({ source: 'first' });
  expect((await getStored('c.test')).source.split(', ').sort()).toEqual(['first', 'third']);
});

test('a kind decides what the listings prove, and the levels stay', async () => {
  await createListedDomains({
    'plain.test': ['shop'],
    'priced.test': [{ source: 'shop', price: '$90' }],
    'shown.test': [{ source: 'shop', evidenceUrl: 'https://shop.test/offer' }, 'x'],
    'other.test': [{ source: 'x', price: '$90' }],
  });
  const id = await createSource('shop');
  await change('PATCH', `/api/admin/sources/${id}`, { kind: 'inventory' });
  const proofs = async () =>
    (await db.selectFrom('domains').select(['name', 'proof']).orderBy('name').execute()).map(({ proof }) => proof);
  expect(await proofs()).toEqual([0, 1, 2, 2]);
  await change('PATCH', `/api/admin/sources/${id}`, { kind: 'list' });
  expect(await proofs()).toEqual([0, 0, 0, 0]);
});

test('sources of one family count once, until the family is deleted; a level set by hand stays', async () => {
  const five = ['a', 'b', 'c', 'd', 'e'];
  await createListedDomains({ 'five.test': five, 'given.test': five, 'one.test': ['a'] });
  await db.updateTable('domains').set({ risk_level: 3, risk_given: true }).where('name', '=', 'given.test').execute();
  const before = await getStored('five.test');
  expect(before).toMatchObject({ risk: 4, copies: 0 });
  const one = await getStored('one.test');
  const sourceIds = await Promise.all(['a', 'b', 'c'].map((name) => createSource(name)));
  const family = await change('POST', '/api/admin/families', { name: 'Copies', sourceIds });
  const after = await getStored('five.test');
  expect(after).toMatchObject({ risk: 2, copies: 2, source: before.source });
  expect(after.updatedAt.getTime()).toBeGreaterThan(before.updatedAt.getTime());
  expect(await getStored('given.test')).toMatchObject({ risk: 3, copies: 2 });
  expect(await getStored('one.test')).toEqual(one);
  await change('PATCH', `/api/admin/sources/${sourceIds[0]}`, { familyId: null });
  expect(await getStored('five.test')).toMatchObject({ risk: 3, copies: 1 });
  await change('PATCH', `/api/admin/sources/${await createSource('e')}`, { familyId: family.id });
  expect(await getStored('five.test')).toMatchObject({ risk: 2, copies: 2 });
  await change('DELETE', `/api/admin/families/${family.id}`);
  expect(await getStored('five.test')).toMatchObject({ risk: 4, copies: 0 });
  expect(await getStored('given.test')).toMatchObject({ risk: 3, copies: 0 });
});

test('a merge unites the listings of both sources, withdrawn ones too, and deletes the first source', async () => {
  const from = { source: 'old', firstSeen: '2025-05-01T00:00:00Z', lastSeen: '2026-05-01T00:00:00Z', note: 'old note' };
  const into = { source: 'new', firstSeen: '2025-06-01T00:00:00Z', lastSeen: '2026-04-01T00:00:00Z' };
  await createListedDomains({
    'both.test': ['x', { ...from, price: '$1' }, { ...into, price: '$2' }],
    'only-old.test': [from, 'x'],
    'active-old.test': [from, { ...into, withdrawn: true }, 'x'],
    'gone.test': [{ ...from, withdrawn: true }],
  });
  const [oldId, newId] = [await createSource('old'), await createSource('new')];
  await db
    .updateTable('sources')
    .set({ first_seen_at: new Date('2025-05-01T00:00:00Z') })
    .where('id', '=', oldId)
    .execute();
  const held = (domain: string, source_id: number) => ({
    domain,
    source_id,
    reason: domain,
    cells: '{}',
    held_at: new Date(),
  });
  await db
    .insertInto('held_listings')
    .values([held('held.test', oldId), held('twice.test', oldId), held('twice.test', newId)])
    .execute();
  const run = await change('POST', `/api/admin/sources/${oldId}/merge`, { intoId: newId });
  const waiting = await db
    .selectFrom('held_listings')
    .select(['domain', 'source_id as id'])
    .orderBy('domain')
    .execute();
  expect(waiting).toEqual([
    { domain: 'held.test', id: newId },
    { domain: 'twice.test', id: newId },
  ]);
  expect(run).toMatchObject({ status: 'processing', title: 'Merge old into new', startedBy: admin.username });
  const listings = await db
    .selectFrom('listings')
    .select(['name', 'first_seen_at as first', 'last_seen_at as last', 'withdrawn_at as withdrawn', 'price', 'note'])
    .where('source_id', '=', newId)
    .orderBy('name')
    .execute();
  const dates = { first: new Date(from.firstSeen), last: new Date(from.lastSeen), note: 'old note' };
  expect(listings).toEqual([
    { name: 'active-old.test', ...dates, withdrawn: null, price: null },
    { name: 'both.test', ...dates, withdrawn: null, price: '$2' },
    { name: 'gone.test', ...dates, withdrawn: expect.any(Date), price: null },
    { name: 'only-old.test', ...dates, withdrawn: null, price: null },
  ]);
  expect(await getStored('both.test')).toMatchObject({ source: 'x, new' });
  expect(await getStored('only-old.test')).toMatchObject({ source: 'new, x' });
  const sources = await db.selectFrom('sources').select(['name', 'first_seen_at as first']).orderBy('name').execute();
  expect(sources).toEqual([
    { name: 'new', first: new Date('2025-05-01T00:00:00Z') },
    { name: 'x', first: new Date('2026-01-01T00:00:00Z') },
  ]);
});

test('a run waits for the merge of an import, and the source counts its domains under both names', async () => {
  await createListedDomains({ 'a.test': ['crawler'], 'b.test': ['crawler'] });
  const id = await createSource('crawler');
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${locks.merge})`.execute(trx);
    expect((await send('PATCH', `/api/admin/sources/${id}`, { name: 'spider' })).statusCode).toBe(200);
    const list = async () => (await call('GET', '/api/admin/source-runs', { as: admin.cookie })).json();
    await expect
      .poll(async () => (await list())[0])
      .toMatchObject({ status: 'processing', message: 'Waiting for an import to finish' });
    expect(await getStored('a.test')).toMatchObject({ source: 'crawler' });
    const { sources } = (await call('GET', '/api/admin/sources', { as: admin.cookie })).json();
    expect(sources).toMatchObject([{ name: 'spider', domains: 2 }]);
  });
  expect(await waitForSourceRuns()).toEqual([]);
  expect(await getStored('a.test')).toMatchObject({ source: 'spider' });
});

test('files and forms with the earlier name of a renamed or merged source add listings of that source', async () => {
  await createListedDomains({ 'a.test': ['Old'], 'b.test': ['Kept'] });
  const [id, intoId] = [await createSource('Old'), await createSource('Kept')];
  await change('PATCH', `/api/admin/sources/${id}`, { name: 'New' });
  const upload = async (text: string) => (await uploadImport(app, admin.cookie, text)).json();
  expect(await upload('domain,source\na.test,old\nc.test,Old\n')).toMatchObject({ imported: 1, updated: 0 });
  expect(await getStored('a.test')).toMatchObject({ source: 'New' });
  expect(await getStored('c.test')).toMatchObject({ source: 'New' });
  await change('POST', `/api/admin/sources/${id}/merge`, { intoId });
  const { statusCode } = await send('POST', '/api/domains', { domain: 'd.test', source: 'new, OLD' });
  expect(statusCode).toBe(201);
  expect(await getStored('d.test')).toMatchObject({ source: 'Kept' });
  await change('PATCH', `/api/admin/sources/${intoId}`, { name: 'Old' });
  expect(await getStored('d.test')).toMatchObject({ source: 'Old' });
  expect(await upload('domain,source\nd.test,"Old, New, Kept"\n')).toMatchObject({ imported: 0, updated: 0 });
  expect(await listMismatches()).toEqual([]);
});

test('a merge takes along the listing that a form is writing', async () => {
  await createListedDomains({ 'a.test': ['Old'], 'b.test': ['Kept'] });
  const [id, intoId] = [await createSource('Old'), await createSource('Kept')];
  const holder = await context.pool.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock($1)', [locks.merge]);
  expect((await send('POST', `/api/admin/sources/${id}/merge`, { intoId })).statusCode).toBe(202);
  await db.transaction().execute(async (trx) => {
    await addListing(trx, { domain: 'c.test', sources: ['Old'] }, admin.username, new Date());
    await holder.query('commit');
    holder.release();
    await expect.poll(() => listLockWaiters(context.pool, '%from "sources"%for update%')).toHaveLength(1);
  });
  expect(await waitForSourceRuns()).toEqual([]);
  expect(await getStored('c.test')).toMatchObject({ source: 'Kept' });
  expect(await listMismatches()).toEqual([]);
});

test('a form waits for a change of its source, and fails if the source was merged', async () => {
  await createListedDomains({ 'a.test': ['Old'], 'b.test': ['Kept'] });
  const [id, intoId] = [await createSource('Old'), await createSource('Kept')];
  const merge = async (trx: Db) => {
    await sql`update listings set source_id = ${intoId} where source_id = ${id}`.execute(trx);
    await sql`update domains set source = '{Kept}' where source = '{Old}'`.execute(trx);
    await deleteMergedSource(trx, id, intoId);
  };
  const setKind = (trx: Db) => updateManualKinds(trx, [{ id: intoId, kind: 'inventory' }]);
  for (const [change, status] of [
    [merge, 409],
    [setKind, 201],
  ] as const) {
    const add = () => send('POST', '/api/domains', { domain: `${change.name.toLowerCase()}.test`, source: 'Old' });
    const adding: ReturnType<typeof add>[] = [];
    await db.transaction().execute(async (trx) => {
      await change(trx);
      adding.push(add());
      await expect.poll(() => listLockWaiters(context.pool, '%for key share%')).toHaveLength(1);
    });
    expect(await Promise.all(adding)).toMatchObject([{ statusCode: status }]);
    if (status === 409) expect((await add()).statusCode).toBe(201);
  }
  expect(await getStored('merge.test')).toMatchObject({ source: 'Kept' });
  expect(await getStored('setkind.test')).toMatchObject({ source: 'Kept', proof: 1 });
});

test('a decision on a held listing and the end of a merge of its source do not deadlock', async () => {
  await createListedDomains({ 'a.test': ['Old'], 'b.test': ['Kept'] });
  const [id, intoId] = [await createSource('Old'), await createSource('Kept')];
  const held = await db
    .insertInto('held_listings')
    .values({ domain: 'c.test', source_id: id, reason: 'Well known', cells: '{}', held_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const deciding: ReturnType<typeof send>[] = [];
  await db.transaction().execute(async (trx) => {
    await lockMergedSource(trx, id);
    deciding.push(send('POST', `/api/admin/held/${held.id}`, { decision: 'list' }));
    await expect.poll(() => listLockWaiters(context.pool, '%held_listings%for update%')).toHaveLength(1);
    await deleteMergedSource(trx, id, intoId);
  });
  expect(await Promise.all(deciding)).toMatchObject([{ statusCode: 204 }]);
  expect(await getStored('c.test')).toMatchObject({ source: 'Kept' });
});

test('an import that read a source before it was merged reads the file again', async () => {
  await createListedDomains({ 'a.test': ['Old'], 'b.test': ['Kept'] });
  const [id, intoId] = [await createSource('Old'), await createSource('Kept')];
  const holder = await context.pool.connect();
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock($1)', [locks.merge]);
  const importing = uploadImport(app, admin.cookie, 'domain,source\nc.test,Old\n');
  const isWaiting = async () =>
    (await db.selectFrom('imports').select('message').where('status', '=', 'running').executeTakeFirst())?.message;
  await expect.poll(isWaiting).toBe('Waiting for another import to finish');
  // A whole merge, which the lock would not let through here.
  await sql`update listings set source_id = ${intoId} where source_id = ${id}`.execute(db);
  await sql`update domains set source = '{Kept}' where source = '{Old}'`.execute(db);
  await db.transaction().execute((trx) => deleteMergedSource(trx, id, intoId));
  const run = { started_by: 'admin', title: 'Merge Old into Kept', source_ids: [id], into_id: intoId };
  await db
    .insertInto('source_runs')
    .values({ ...run, status: 'completed' })
    .execute();
  await holder.query('commit');
  holder.release();
  expect((await importing).json()).toMatchObject({ imported: 1 });
  expect(await waitForSourceRuns()).toEqual([]);
  expect(await getStored('c.test')).toMatchObject({ source: 'Kept' });
  expect(await listMismatches()).toEqual([]);
});

test('an imported file sets the kind of a source of the default kind, and a run updates all its domains', async () => {
  await createListedDomains({ 'a.test': ['Shop'], 'b.test': [{ source: 'Shop', price: '$5' }] });
  const text = 'domain,source,sourceKind\nc.test,Shop,inventory\n';
  expect((await uploadImport(app, admin.cookie, text)).json()).toMatchObject({ imported: 1 });
  await expect.poll(async () => (await getStored('a.test')).proof).toBe(1);
  expect(await waitForSourceRuns()).toEqual([]);
  expect(await getStored('b.test')).toMatchObject({ proof: 2 });
  expect(await getStored('c.test')).toMatchObject({ proof: 1 });
});

test('an interrupted run continues after its last batch', async () => {
  await createListedDomains({ 'a.test': ['p', 'q'], 'b.test': ['p', 'q'] });
  const { id: familyId } = await db
    .insertInto('families')
    .values({ name: 'Two' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('sources').set({ family_id: familyId }).execute();
  const [first] = await db.selectFrom('domains').select('id').orderBy('id').execute();
  const { id: runId } = await db
    .insertInto('source_runs')
    .values({
      started_by: 'admin',
      title: 'Create the family Two',
      source_ids: [await createSource('p')],
      only_shared: true,
      last_id: first?.id ?? 0,
      done_count: 1,
      status: 'failed',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await change('POST', `/api/admin/source-runs/${runId}/retry`)).toMatchObject({ id: runId });
  expect(await getStored('a.test')).toMatchObject({ copies: 0 });
  expect(await getStored('b.test')).toMatchObject({ copies: 1 });
  const [run] = (await call('GET', '/api/admin/source-runs', { as: admin.cookie })).json();
  expect(run).toMatchObject({ id: runId, status: 'completed', progress: 100, message: '2 domains were checked' });
  const { jobs } = (await call('GET', '/api/admin/jobs?kind=sources', { as: admin.cookie })).json();
  expect(jobs[0]).toMatchObject({
    kind: 'sources',
    state: 'completed',
    message: 'Create the family Two. 2 domains were checked.',
  });
  expect((await send('POST', `/api/admin/source-runs/${runId}/retry`)).statusCode).toBe(409);
  expect((await send('POST', '/api/admin/source-runs/999999/retry')).statusCode).toBe(404);
});

test('the sources of a failed merge cannot be merged or renamed before it is retried', async () => {
  const [fromId, intoId, otherId] = [
    await createSource('from'),
    await createSource('into'),
    await createSource('other'),
  ];
  await createListedDomains({ 'a.test': ['from'] });
  const { id: runId } = await db
    .insertInto('source_runs')
    .values({
      started_by: 'admin',
      title: 'Merge from into into',
      source_ids: [fromId],
      old_name: 'from',
      into_id: intoId,
      status: 'failed',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect((await send('POST', `/api/admin/sources/${intoId}/merge`, { intoId: otherId })).statusCode).toBe(409);
  expect((await send('PATCH', `/api/admin/sources/${fromId}`, { name: 'renamed' })).statusCode).toBe(409);
  await change('POST', `/api/admin/source-runs/${runId}/retry`);
  expect(await getStored('a.test')).toMatchObject({ source: 'into' });
  expect((await send('POST', `/api/admin/sources/${intoId}/merge`, { intoId: otherId })).statusCode).toBe(202);
});
