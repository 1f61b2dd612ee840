import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildSourceData } from './sources.fixtures.ts';

const app = await startTestApp();
const { call, context, signUp } = app;
const { db } = context;
const admin = await signUp({ admin: true });
const as = admin.cookie;
const { createListedDomains, createSource } = buildSourceData(app);

await createListedDomains({
  'a.test': ['Matomo', 'Piwik'],
  'b.test': ['Matomo'],
  'c.test': ['Matomo', { source: 'seller 50%', withdrawn: true }],
});
const [matomo, piwik, seller] = [
  await createSource('Matomo'),
  await createSource('Piwik'),
  await createSource('seller 50%'),
];

const list = async (query = '') => (await call('GET', `/api/admin/sources${query}`, { as })).json();
const change = (id: number, body: object) => call('PATCH', `/api/admin/sources/${id}`, { as, body });
const countRuns = async () => (await db.selectFrom('source_runs').select('id').execute()).length;

test('sources are listed with the exact number of their domains, and found by a part of the name or the kind', async () => {
  const day = '2026-01-01T00:00:00.000Z';
  const cells = { kind: 'manual', family: null, isPublic: false, firstSeen: day, lastSeen: day };
  expect(await list()).toEqual({
    sources: [
      { id: matomo, name: 'Matomo', domains: 3, ...cells },
      { id: piwik, name: 'Piwik', domains: 1, ...cells },
      { id: seller, name: 'seller 50%', domains: 0, ...cells },
    ],
    pagination: { page: 0, pageSize: 25, total: 3, totalPages: 1 },
  });
  expect((await list('?search=MATO')).sources).toMatchObject([{ name: 'Matomo' }]);
  expect((await list('?search=0%25')).sources).toMatchObject([{ name: 'seller 50%' }]);
  expect((await list('?search=%25_')).sources).toEqual([]);
  expect((await list('?kind=list')).sources).toEqual([]);
  expect(await list('?page=1&pageSize=2')).toMatchObject({
    sources: [{ name: 'seller 50%' }],
    pagination: { page: 1, pageSize: 2, total: 3, totalPages: 2 },
  });
});

test('a source is changed only by valid values, and a change that affects no domain starts no run', async () => {
  const before = await countRuns();
  for (const [body, status, field] of [
    [{ name: 'pIWIK' }, 409],
    [{ name: 'one, two' }, 400, 'name'],
    [{ name: 'x'.repeat(101) }, 400, 'name'],
    [{ name: ' ' }, 400, 'name'],
    [{ name: '""' }, 400, 'name'],
    [{ kind: 'blog' }, 400, 'kind'],
    [{ familyId: 999_999 }, 400, 'familyId'],
  ] as const) {
    const response = await change(matomo, body);
    expect([body, response.statusCode]).toEqual([body, status]);
    if (field) expect(response.json().fields).toHaveProperty(field);
  }
  for (const [id, body] of [
    [999_999, { kind: 'list' }],
    [999_999, {}],
  ] as const) {
    expect((await change(id, body)).statusCode).toBe(404);
  }
  const updated = await change(matomo, { isPublic: true, kind: 'manual', familyId: null, name: 'Matomo' });
  expect([updated.statusCode, updated.json()]).toMatchObject([200, { id: matomo, name: 'Matomo', isPublic: true }]);
  expect((await change(matomo, {})).json()).toMatchObject({ isPublic: true });
  expect(await countRuns()).toBe(before);
});

test('every change is in the audit log with the old and the new value', async () => {
  const { id: familyId } = await db
    .insertInto('families')
    .values({ name: 'Trackers' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const response = await change(piwik, { name: 'PIWIK', kind: 'list', familyId });
  expect(response.json()).toMatchObject({ name: 'PIWIK', kind: 'list', family: { id: familyId, name: 'Trackers' } });
  const event = await db
    .selectFrom('audit_events')
    .select(['event', 'details'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  expect(event).toEqual({
    event: 'Changed a source',
    details: {
      id: piwik,
      source: 'Piwik',
      changed: {
        name: { from: 'Piwik', to: 'PIWIK' },
        kind: { from: 'manual', to: 'list' },
        familyId: { from: null, to: familyId },
      },
      run: expect.any(Number),
    },
  });
});

test('a source is merged once, into another source that exists', async () => {
  const merge = (id: number, intoId: number) =>
    call('POST', `/api/admin/sources/${id}/merge`, { as, body: { intoId } });
  const source = await createSource('merged');
  expect((await merge(source, source)).json().fields).toEqual({ intoId: 'Select another source.' });
  expect((await merge(source, 999_999)).statusCode).toBe(400);
  expect((await merge(999_999, source)).statusCode).toBe(404);
  expect((await merge(source, matomo)).statusCode).toBe(202);
  for (const [id, intoId] of [
    [source, seller],
    [matomo, seller],
    [seller, source],
  ] as const) {
    expect([id, intoId, (await merge(id, intoId)).statusCode]).toEqual([id, intoId, 409]);
  }
  expect((await change(source, { kind: 'list' })).statusCode).toBe(409);
});
