import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { classifySearch } from './accounts.ts';

const limit = 3;
const limited = await startTestApp({ SEARCH_LIMIT: String(limit) });
const { call, context, signUp } = limited;
const { db } = context;

const search = (as: string, text: string, more = '') =>
  call('GET', `/api/domains?search=${encodeURIComponent(text)}${more}`, { as });
const user = async (as: string) => (await call('GET', '/api/auth/current-user', { as })).json();
const getCounts = async (as: string) => {
  const { searchCount, searchesUsed } = await user(as);
  return [searchCount, searchesUsed];
};

const start = new Date('2026-11-21T08:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);

test.each([
  ['shop', 'shop', 3599, 'same'],
  ['shop', 'sho', 3599, 'same'],
  ['shop', 'shop', 3600, 'new'],
  ['sh', 'shop', 59, 'extended'],
  ['sh', 'shop', 60, 'new'],
  ['shop', 'shirt', 1, 'new'],
  ['shop', 'workshop', 1, 'new'],
])('after %s, searching %s %i seconds later is: %s', (last, text, seconds, kind) => {
  expect(classifySearch(text, { lastSearch: last, lastSearchAt: start }, after(seconds))).toBe(kind);
});

test('the first search is new', () => {
  expect(classifySearch('shop', { lastSearch: null, lastSearchAt: null }, start)).toBe('new');
});

test('sorting, paging, filtering and repeating a search, and listing without one, are not counted', async () => {
  const { cookie } = await signUp();
  await call('GET', '/api/domains', { as: cookie });
  await call('GET', '/api/domains?search=&page=2', { as: cookie });
  expect(await getCounts(cookie)).toEqual([0, 0]);
  for (const more of ['', '', '&sort=domain-desc', '&page=1', '&pageSize=100', '&riskLevel=high']) {
    expect((await search(cookie, 'shop', more)).statusCode).toBe(200);
  }
  await search(cookie, ' SHOP ');
  await search(cookie, 'https://shop/');
  expect((await call('GET', '/api/domains/counts?search=shop', { as: cookie })).statusCode).toBe(200);
  expect(await getCounts(cookie)).toEqual([1, 1]);
});

test('typing a word counts as one search, and text that no domain can contain is not counted', async () => {
  const { cookie } = await signUp();
  for (const text of ['s', 'sh', 'sho', 'shop', 'sho', 'shop']) await search(cookie, text);
  expect(await getCounts(cookie)).toEqual([1, 1]);
  await search(cookie, 'no name');
  expect(await getCounts(cookie)).toEqual([1, 1]);
  await search(cookie, 'shirt');
  expect(await getCounts(cookie)).toEqual([2, 2]);
});

test('over the limit, a new search returns 403 and the last search and the list still work', async () => {
  const { cookie } = await signUp();
  expect(await user(cookie)).toMatchObject({ searchLimit: limit, searchesUsed: 0 });
  for (const text of ['one', 'two', 'three']) await search(cookie, text);
  for (const more of ['', '&page=1', '&page=7&pageSize=1']) {
    const refused = await search(cookie, 'four', more);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      error: 'Search limit reached',
      code: 'search_limit',
      message: 'You have used all 3 of your searches.',
      searchesUsed: limit,
      searchLimit: limit,
    });
  }
  expect((await call('GET', '/api/domains/counts?search=four', { as: cookie })).statusCode).toBe(403);
  expect((await search(cookie, 'three', '&page=1')).statusCode).toBe(200);
  expect((await call('GET', '/api/domains', { as: cookie })).statusCode).toBe(200);
  expect(await getCounts(cookie)).toEqual([3, 3]);
});

test('refused queries, HEAD requests and links from other sites are not counted', async () => {
  const { cookie } = await signUp();
  const statuses = [
    (await search(cookie, 'shop', '&source=crawler')).statusCode,
    (await call('HEAD', '/api/domains?search=shop', { as: cookie })).statusCode,
    (await call('GET', '/api/domains?search=shop', { as: cookie, headers: { 'sec-fetch-site': 'cross-site' } }))
      .statusCode,
  ];
  expect(statuses).toEqual([403, 200, 200]);
  expect(await getCounts(cookie)).toEqual([0, 0]);
});

test('resetting the limit sets searchesUsed to 0 and keeps searchCount', async () => {
  const { cookie, id } = await signUp();
  for (const text of ['one', 'two', 'three', 'four']) await search(cookie, text);
  const response = await call('GET', `/api/reset-search-limit/${id}`, { as: cookie });
  expect(response.json()).toMatchObject({ id, searchesUsed: 0, searchCount: 3, searchLimit: limit });
  expect(response.headers['cache-control']).toBe('no-store');
  expect((await search(cookie, 'four')).statusCode).toBe(200);
  expect(await getCounts(cookie)).toEqual([4, 1]);
});

test('other users, other sites, links outside the site and HEAD requests cannot reset the limit', async () => {
  const [mine, other] = [await signUp(), await signUp({ admin: true })];
  await search(mine.cookie, 'one');
  const url = `/api/reset-search-limit/${mine.id}`;
  const statuses = [
    (await call('GET', url, { as: other.cookie })).statusCode,
    (await call('GET', url)).statusCode,
    (await call('GET', url, { as: mine.cookie, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode,
    (await call('GET', url, { as: mine.cookie, headers: { 'sec-fetch-site': 'none' } })).statusCode,
    (await call('HEAD', url, { as: mine.cookie })).statusCode,
  ];
  expect(statuses).toEqual([403, 401, 403, 403, 200]);
  expect(await getCounts(mine.cookie)).toEqual([1, 1]);
});

test('concurrent searches cannot exceed the limit, and each accepted one is counted', async () => {
  const { cookie } = await signUp();
  await search(cookie, 'zero');
  const texts = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
  const statuses = (await Promise.all(texts.map((text) => search(cookie, text)))).map(({ statusCode }) => statusCode);
  expect(statuses.toSorted()).toEqual([200, 200, 403, 403, 403, 403]);
  expect(await getCounts(cookie)).toEqual([limit, limit]);
});

test('concurrent identical searches are counted once', async () => {
  const { cookie } = await signUp();
  await Promise.all([1, 2, 3, 4, 5].map(() => search(cookie, 'shop')));
  expect(await getCounts(cookie)).toEqual([1, 1]);
});

test('the limit of an account takes precedence over the setting, and admins have none', async () => {
  const [{ cookie, id }, admin] = [await signUp(), await signUp({ admin: true })];
  await db.updateTable('users').set({ search_limit: 1 }).where('id', 'in', [id, admin.id]).execute();
  expect((await user(cookie)).searchLimit).toBe(1);
  expect((await user(admin.cookie)).searchLimit).toBeNull();
  for (const [text, status] of [
    ['one', 200],
    ['two', 403],
  ] as const) {
    expect((await search(cookie, text)).statusCode).toBe(status);
    expect((await search(admin.cookie, text)).statusCode).toBe(200);
  }
});

test('without SEARCH_LIMIT searches are counted and never refused', async () => {
  const unlimited = await startTestApp();
  const { cookie } = await unlimited.signUp();
  for (let count = 0; count < 12; count++) {
    const { statusCode } = await unlimited.call('GET', `/api/domains?search=${'abcdefghijkl'[count]}-shop`, {
      as: cookie,
    });
    expect(statusCode).toBe(200);
  }
  const response = await unlimited.call('GET', '/api/auth/current-user', { as: cookie });
  expect(response.json()).toMatchObject({ searchCount: 12, searchesUsed: 12, searchLimit: null });
});
