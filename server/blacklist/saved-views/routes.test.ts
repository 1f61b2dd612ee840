import { expect, test } from 'vitest';
import { maxSavedViews } from '#shared/platform/usage.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, signUp } = await startTestApp();
const query = { search: 'shop', filter: 'recent', riskLevel: 'high', niche: 'Travel', sort: 'dr-desc' };

const save = (as: string, name: string, body: object = query) =>
  call('POST', '/api/views', { as, body: { name, query: body } });
const change = (as: string, id: number, body: object) => call('PUT', `/api/views/${id}`, { as, body });
const list = async (as: string) => (await call('GET', '/api/views', { as })).json();

test('a view is saved with its filters and sort, and views are listed by name', async () => {
  const { cookie } = await signUp();
  const first = await save(cookie, '  Travel sites ');
  const view = { id: expect.any(Number), name: 'Travel sites', query, isDefault: false };
  expect([first.statusCode, first.json()]).toEqual([201, view]);
  const second = await save(cookie, 'casinos', { search: 'casino', page: 3, made: 'up' });
  expect(second.json().query).toEqual({ search: 'casino', filter: 'all' });
  expect(await list(cookie)).toEqual([second.json(), first.json()]);
});

test('a view is renamed, overwritten and deleted', async () => {
  const { cookie } = await signUp();
  const { id } = (await save(cookie, 'Mine')).json();
  await save(cookie, 'Other');
  expect((await change(cookie, id, { name: 'Renamed' })).json()).toMatchObject({ name: 'Renamed', query });
  expect((await change(cookie, id, { query: { tld: 'com' } })).json()).toMatchObject({
    name: 'Renamed',
    query: { filter: 'all', tld: 'com' },
  });
  expect((await change(cookie, id, { name: 'renamed' })).statusCode).toBe(200);
  expect((await call('DELETE', `/api/views/${id}`, { as: cookie })).statusCode).toBe(204);
  expect((await call('DELETE', `/api/views/${id}`, { as: cookie })).statusCode).toBe(404);
  expect(await list(cookie)).toMatchObject([{ name: 'Other' }]);
});

test('names are unique per user, ignoring case', async () => {
  const [one, two] = [await signUp(), await signUp()];
  await save(one.cookie, 'Shops');
  const taken = await save(one.cookie, 'SHOPS');
  expect([taken.statusCode, taken.json().fields]).toEqual([400, { name: 'You already have a view named SHOPS.' }]);
  const { id } = (await save(one.cookie, 'Others')).json();
  expect((await change(one.cookie, id, { name: 'shops' })).json().fields).toEqual({
    name: 'You already have a view named shops.',
  });
  expect((await save(two.cookie, 'Shops')).statusCode).toBe(201);
});

test.each([
  ['', {}],
  ['x'.repeat(61), {}],
  ['Fine', { riskLevel: 'huge' }],
  ['Fine', { sort: 'sideways' }],
  ['Fine', { search: 'x'.repeat(3000) }],
])('the view %s %o is rejected', async (name, wrong) => {
  const { cookie } = await signUp();
  expect((await save(cookie, name, wrong)).statusCode).toBe(400);
});

test('a user has at most one default view, and none of another user changes with it', async () => {
  const [one, two] = [await signUp(), await signUp()];
  const ids: number[] = [];
  for (const name of ['A', 'B']) ids.push((await save(one.cookie, name)).json().id);
  const other = (await save(two.cookie, 'A')).json();
  await change(two.cookie, other.id, { isDefault: true });
  for (const id of ids) expect((await change(one.cookie, id, { isDefault: true })).json().isDefault).toBe(true);
  expect(await list(one.cookie)).toMatchObject([
    { name: 'A', isDefault: false },
    { name: 'B', isDefault: true },
  ]);
  await change(one.cookie, ids[1] ?? 0, { isDefault: false });
  expect((await list(one.cookie)).some(({ isDefault }: { isDefault: boolean }) => isDefault)).toBe(false);
  expect(await list(two.cookie)).toMatchObject([{ isDefault: true }]);
  expect((await change(two.cookie, ids[0] ?? 0, { name: 'Stolen' })).statusCode).toBe(404);
});

test('concurrent calls cannot save more views than allowed, and a deleted one makes room', async () => {
  const { cookie } = await signUp();
  for (let i = 1; i < maxSavedViews; i++) await save(cookie, `View ${i}`);
  const responses = await Promise.all(['X', 'Y', 'Z'].map((name) => save(cookie, name)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  const views = await list(cookie);
  expect(views).toHaveLength(maxSavedViews);
  await call('DELETE', `/api/views/${views[0].id}`, { as: cookie });
  expect((await save(cookie, 'One more')).statusCode).toBe(201);
});
