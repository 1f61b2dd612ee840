import { expect, test } from 'vitest';
import { openKeyCalls } from './key-calls.fixtures.ts';

const { call, admin, list, ask, check, bulk } = await openKeyCalls();

test('one domain is answered, and nothing that is for admins', async () => {
  const response = await check('https://blog.Sold.example/offer');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    domain: 'blog.sold.example',
    listed: true,
    matchedDomain: 'sold.example',
    riskLevel: 'high',
    sourceCount: 2,
    niche: 'Health',
    dateAdded: expect.stringMatching(/^20\d\d-/),
    lastUpdated: expect.stringMatching(/^20\d\d-/),
    checkedAt: expect.stringMatching(/^20\d\d-/),
  });
  expect((await check('clean.example')).json()).toEqual({
    domain: 'clean.example',
    listed: false,
    matchedDomain: null,
    riskLevel: null,
    sourceCount: null,
    niche: null,
    dateAdded: null,
    lastUpdated: null,
    checkedAt: expect.any(String),
  });
});

test('many asked at the same moment each get their own answer', async () => {
  await list('wide.example');
  const asked = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? `a${i}.wide.example` : `clean${i}.example`));
  const answers = await Promise.all(asked.map((domain) => check(domain)));
  expect(answers.map((answer) => [answer.json().domain, answer.json().matchedDomain])).toEqual(
    asked.map((domain) => [domain, domain.endsWith('.wide.example') ? 'wide.example' : null]),
  );
});

test('an answer is never behind: what is listed, changed or taken off counts from the next call on', async () => {
  expect((await check('new.example')).json().listed).toBe(false);
  const { id } = (await list('new.example')).json();
  expect((await check('new.example')).json().listed).toBe(true);
  await call('DELETE', `/api/domains/${id}`, { as: admin.cookie });
  expect((await check('new.example')).json().listed).toBe(false);
});

test('many are answered in their order; an entry that is no domain says why and spoils no other', async () => {
  const long = `https://sold.example/${'x'.repeat(2048)}`;
  const asked = ['sold.example', 'hello', '', 'clean.example', '192.0.2.1', long, 'SOLD.example', 'a\0b.example'];
  const response = await bulk(asked);
  expect(response.statusCode).toBe(200);
  const { results, listed, total } = response.json();
  expect([listed, total]).toEqual([2, 8]);
  expect(results.map((result: Record<string, unknown>) => result.error ?? [result.domain, result.listed])).toEqual([
    ['sold.example', true],
    'This is not a domain name: enter a name such as example.com.',
    'The domain is missing: enter a name such as example.com.',
    ['clean.example', false],
    'This is an IP address: enter a domain name such as example.com.',
    'This is longer than 2048 characters.',
    ['sold.example', true],
    'This is not a domain name: enter a name such as example.com.',
  ]);
  expect(results[5]).toEqual({ domain: long, error: expect.any(String) });
  expect(Object.keys(results[0]).sort()).toEqual(Object.keys((await check('sold.example')).json()).sort());
});

test('members that nobody asked for are passed over', async () => {
  const response = await ask('/check/bulk', {
    method: 'POST',
    payload: { domains: ['a.example'], userId: 1, key: 'x' },
  });
  expect([response.statusCode, response.json().total]).toEqual([200, 1]);
});

test('an answer is named by its facts: it is asked for anew each time and sent again only when they have changed', async () => {
  await list('moving.example', { riskLevel: 'low' });
  const first = await check('moving.example');
  const etag = String(first.headers.etag);
  expect(first.headers).toMatchObject({
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    'cache-control': 'private, no-cache',
    vary: expect.stringContaining('X-API-Key'),
  });
  for (const named of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const same = await check('moving.example', { headers: { 'if-none-match': named } });
    expect([named, same.statusCode, same.body, same.headers.etag]).toEqual([named, 304, '', etag]);
    expect(same.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  }
  expect((await check('www.moving.example', { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  expect((await check('a.moving.example', { headers: { 'if-none-match': etag } })).statusCode).toBe(200);
  const { id } = (await call('GET', '/api/domains?search=moving.example', { as: admin.cookie })).json().domains[0];
  const body = { domain: 'moving.example', source: 'fiverr', riskLevel: 'high' };
  await call('PUT', `/api/domains/${id}`, { as: admin.cookie, body });
  const changed = await check('moving.example', { headers: { 'if-none-match': etag } });
  expect([changed.statusCode, changed.json().riskLevel]).toEqual([200, 'high']);
  for (const response of [await ask('/usage'), await bulk(['a.example'])]) {
    expect([response.headers['cache-control'], response.headers.etag]).toEqual(['no-store', undefined]);
  }
});
