import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildSourceData } from './sources.fixtures.ts';

const app = await startTestApp();
const { call, context, signUp } = app;
const { db } = context;
const admin = await signUp({ admin: true });
const { createSource } = buildSourceData(app);
const as = admin.cookie;
const suggestions = async () => (await call('GET', '/api/admin/families/suggestions', { as })).json();

let domains = 0;
/** Lists `count` new domains with the same sources. */
async function listDomains(count: number, ...sources: string[]): Promise<void> {
  for (const source of sources) await createSource(source);
  domains += count;
  await sql`
    insert into domains (name, tld, risk_level, source)
    select 'd' || n || '.test', 'test', 1, ${sources} from generate_series(${domains - count}::integer, ${domains - 1}::integer) as n
  `.execute(db);
}

beforeEach(async () => {
  await sql`truncate domains`.execute(db);
  await sql`delete from sources`.execute(db);
  await sql`delete from families`.execute(db);
});

test('a list of which at least 60% are in a larger list is suggested as its family', async () => {
  await listDomains(30, 'small', 'large');
  await listDomains(10, 'large', 'small', 'other');
  await listDomains(10, 'small');
  await listDomains(100, 'large');
  await listDomains(60, 'other');
  const sources = [
    { id: await createSource('small'), name: 'small', domains: 50, family: null },
    { id: await createSource('large'), name: 'large', domains: 140, family: null },
  ];
  expect(await suggestions()).toEqual([{ sources, shared: 40, containment: 0.8 }]);
});

test('a containment below 60% and a list of fewer than 50 domains are not suggested', async () => {
  await listDomains(59, 'first', 'second');
  await listDomains(41, 'first');
  await listDomains(41, 'second');
  await listDomains(49, 'tiny', 'first');
  expect(await suggestions()).toEqual([]);
  await listDomains(1, 'tiny', 'first');
  expect(await suggestions()).toMatchObject([{ shared: 50, containment: 1 }]);
});

test('lists of sources that are longer than the stored start are counted exactly', async () => {
  const [one, two] = ['first list with a name that is long', 'second list with a name that is long'];
  const exact = ['x'.repeat(31), 'y'.repeat(31)];
  await listDomains(25, one, two, 'alpha');
  await listDomains(30, one, two, 'beta');
  await listDomains(50, ...exact);
  expect(`${exact.join(', ')}`).toHaveLength(64);
  expect(await suggestions()).toMatchObject([
    { sources: [{ name: one }, { name: two }], shared: 55, containment: 1 },
    { sources: [{ name: exact[0] }, { name: exact[1] }], shared: 50, containment: 1 },
  ]);
});

test('linked pairs form one group with the figures of the weakest pair, and pairs of one family are left out', async () => {
  await listDomains(60, 'a', 'b');
  await listDomains(45, 'b', 'c');
  await listDomains(15, 'c');
  const ids = [await createSource('a'), await createSource('b'), await createSource('c')];
  expect(await suggestions()).toMatchObject([
    { sources: [{ name: 'a' }, { name: 'c' }, { name: 'b' }], shared: 45, containment: 0.75 },
  ]);
  const create = (name: string, sourceIds: (number | undefined)[]) =>
    call('POST', '/api/admin/families', { as, body: { name, sourceIds } });
  const created = await create('Two', ids.slice(0, 2));
  expect([created.statusCode, created.json()]).toMatchObject([
    201,
    { name: 'Two', sources: [{ name: 'b' }, { name: 'a' }] },
  ]);
  expect(await suggestions()).toMatchObject([
    {
      sources: [
        { name: 'c', family: null },
        { name: 'b', family: { name: 'Two' } },
      ],
      shared: 45,
    },
  ]);
  expect((await create('All', ids)).statusCode).toBe(201);
  expect(await suggestions()).toEqual([]);
});

test('a family needs a free name and sources that exist; its sources leave their earlier family', async () => {
  const ids = [await createSource('a'), await createSource('b')];
  const create = (body: object) => call('POST', '/api/admin/families', { as, body });
  const first = (await create({ name: 'First', sourceIds: ids })).json();
  for (const [body, status] of [
    [{ name: 'fIRST', sourceIds: ids }, 409],
    [{ name: ' ', sourceIds: ids }, 400],
    [{ name: 'Second', sourceIds: [] }, 400],
    [{ name: 'Second', sourceIds: [...ids, 999_999] }, 400],
    [{ name: 'x'.repeat(101), sourceIds: ids }, 400],
  ] as const) {
    const response = await create(body);
    expect([body, response.statusCode]).toEqual([body, status]);
  }
  const second = (await create({ name: 'Second', sourceIds: [ids[0], ids[0]] })).json();
  expect((await call('GET', '/api/admin/families', { as })).json()).toEqual([
    { id: first.id, name: 'First', sources: [{ id: ids[1], name: 'b', domains: 0 }] },
    { id: second.id, name: 'Second', sources: [{ id: ids[0], name: 'a', domains: 0 }] },
  ]);
  const remove = () => call('DELETE', `/api/admin/families/${first.id}`, { as });
  expect((await remove()).statusCode).toBe(204);
  expect((await remove()).statusCode).toBe(404);
  const events = await db
    .selectFrom('audit_events')
    .select(['event', 'details'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  expect(events).toEqual([
    {
      event: 'Deleted a family of sources',
      details: { id: first.id, family: 'First', sources: 1, run: expect.any(Number) },
    },
    {
      event: 'Created a family of sources',
      details: { id: second.id, family: 'Second', sources: ['a'], run: expect.any(Number) },
    },
  ]);
});
