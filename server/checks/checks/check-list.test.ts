import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxListChecksPerHour } from './checks.ts';

const { app, call, signUp, context } = await startTestApp({ SEARCH_LIMIT: '2' });
const admin = await signUp({ admin: true });
const createDomain = (domain: string, cells: object = {}) =>
  call('POST', '/api/domains', { as: admin.cookie, body: { domain, source: 'fiverr', ...cells } });
await createDomain('sold.example', { domainRating: 20, notes: 'secret' });
await createDomain('parent.example', { source: 'fiverr, adsy', domainRating: 50 });
await createDomain('bücher.example', { domainRating: 30 });

const check = async (as: string, names: readonly string[], query: object = {}) =>
  call('POST', '/api/domains/lookup', { as, body: { names, ...query } });
const getNames = (body: { domains: { domain: string }[] }) => body.domains.map(({ domain }) => domain);

const list = [
  'https://www.Sold.example/offer?a=1',
  'sold.example',
  'shop.parent.example',
  'clean.example',
  'BÜCHER.example',
  'not a name',
  '8.8.8.8',
];

test('a list is compared with the blacklist: listed, listed through a parent, not listed, and invalid', async () => {
  const { cookie } = await signUp();
  const response = await check(cookie, list, { sort: 'dr-desc' });
  expect(response.statusCode).toBe(200);
  const body = response.json();
  expect(getNames(body)).toEqual(['parent.example', 'xn--bcher-kva.example', 'sold.example']);
  expect(body).toMatchObject({
    total: 4,
    listed: 3,
    unlisted: ['clean.example'],
    throughParent: [{ domain: 'shop.parent.example', matchedDomain: 'parent.example' }],
    invalid: [{ domain: 'not a name' }, { domain: '8.8.8.8' }],
    counts: { low: 2, medium: 1, high: 0, veryHigh: 0 },
    pagination: { page: 0, pageSize: 25, total: 3, totalPages: 1 },
  });
  expect(response.body).not.toContain('secret');
});

test('the listed names can be filtered, sorted and paged like the blacklist', async () => {
  const { cookie } = await signUp();
  const names = async (query: object) => getNames((await check(cookie, list, query)).json());
  expect(await names({ page: 1, pageSize: 2 })).toEqual(['xn--bcher-kva.example']);
  expect(await names({ riskLevel: 'medium' })).toEqual(['parent.example']);
  expect(await names({ search: 'sold' })).toEqual(['sold.example']);
  expect(await names({ tld: 'com' })).toEqual([]);
  const filtered = (await check(cookie, list, { riskLevel: 'medium' })).json();
  expect(filtered).toMatchObject({ total: 4, listed: 3, counts: { low: 2, medium: 1 } });
  expect((await check(cookie, list, { source: 'fiverr' })).statusCode).toBe(403);
  expect(getNames((await check(admin.cookie, list, { source: 'ADSY' })).json())).toEqual(['parent.example']);
});

test('a list of names that are not listed has no rows', async () => {
  const { cookie } = await signUp();
  expect((await check(cookie, ['clean.example'])).json()).toMatchObject({
    domains: [],
    total: 1,
    listed: 0,
    counts: { low: 0, medium: 0, high: 0, veryHigh: 0 },
    pagination: { total: 0 },
  });
});

test('up to 500 names are checked', async () => {
  const { cookie } = await signUp();
  const names = Array.from({ length: 500 }, (_, i) => `name-${i}.example`);
  expect((await check(cookie, names)).json()).toMatchObject({ total: 500, listed: 0 });
  for (const wrong of [[...names, 'one-more.example'], []]) {
    expect((await check(cookie, wrong)).statusCode).toBe(400);
  }
});

test('the results are exported in the order of the list, with the errors', async () => {
  const { cookie } = await signUp();
  const response = await call('POST', '/api/domains/lookup/csv', { as: cookie, body: { names: list } });
  expect(response.headers['content-disposition']).toMatch(/linksieve-list-20\d\d-\d\d-\d\d\.csv/);
  const lines = response.body.trim().split('\r\n');
  expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'domain,listed,matchedDomain,riskLevel',
    'sold.example,true,sold.example,low',
    'shop.parent.example,true,parent.example,medium',
    'clean.example,false,,',
    'xn--bcher-kva.example,true,xn--bcher-kva.example,low',
    'not a name,,,',
    '8.8.8.8,,,',
  ]);
  expect(lines[5]).toMatch(/\.$/);
});

test('a list counts as one search, whatever its pages, sorts and exports', async () => {
  const { cookie } = await signUp();
  const getCount = async () => (await call('GET', '/api/auth/current-user', { as: cookie })).json().searchesUsed;
  for (const query of [{}, { page: 1 }, { sort: 'dr-asc' }]) await check(cookie, ['a.example', 'b.example'], query);
  const body = { names: ['a.example', 'b.example'] };
  await call('POST', '/api/domains/lookup/csv', { as: cookie, body });
  expect(await getCount()).toBe(1);
  await check(cookie, ['a.example']);
  expect(await getCount()).toBe(2);
  const refused = await check(cookie, ['c.example']);
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'search_limit']);
});

test('an account that checks too many lists in an hour gets 429', async () => {
  const { id, cookie } = await signUp();
  const uses = Array.from({ length: maxListChecksPerHour.user }, () => ({ key: `check-list:account:${id}` }));
  await context.db.insertInto('login_failures').values(uses).execute();
  const refused = await check(cookie, ['a.example']);
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test('clients that do not read their CSV file keep no turn of other requests', async () => {
  const { cookie } = await signUp();
  const label = 'a'.repeat(60);
  const names = Array.from({ length: 500 }, (_, i) => `${label}.${label}.${label}.n${i}.example`);
  const unread = await Promise.all(
    Array.from({ length: 2 }, () =>
      app.inject({
        method: 'POST',
        url: '/api/domains/lookup/csv',
        headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie },
        payload: { names },
        payloadAsStream: true,
      }),
    ),
  );
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect((await check(cookie, ['sold.example'])).statusCode).toBe(200);
  for (const response of unread) response.stream().destroy();
});
