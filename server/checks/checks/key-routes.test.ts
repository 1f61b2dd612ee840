import { expect, test } from 'vitest';
import { startKeyApp } from './key-app.fixtures.ts';

const { call, admin, createDomain, send, check, bulk } = await startKeyApp();

test('checks one domain, without the fields for admins', async () => {
  const response = await check('https://blog.Sold.example/offer');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    domain: 'blog.sold.example',
    listed: true,
    matchedDomain: 'sold.example',
    riskLevel: 'high',
    confidence: 'probable',
    sourceCount: 2,
    independentSourceCount: 2,
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
    confidence: null,
    sourceCount: null,
    independentSourceCount: null,
    niche: null,
    dateAdded: null,
    lastUpdated: null,
    checkedAt: expect.any(String),
  });
});

test('concurrent checks each get their own result', async () => {
  await createDomain('wide.example');
  const domains = Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? `a${i}.wide.example` : `clean${i}.example`));
  const responses = await Promise.all(domains.map((domain) => check(domain)));
  expect(responses.map((response) => [response.json().domain, response.json().matchedDomain])).toEqual(
    domains.map((domain) => [domain, domain.endsWith('.wide.example') ? 'wide.example' : null]),
  );
});

test('a check returns the current state of a domain that was just listed or deleted', async () => {
  expect((await check('new.example')).json().listed).toBe(false);
  const { id } = (await createDomain('new.example')).json();
  expect((await check('new.example')).json().listed).toBe(true);
  await call('DELETE', `/api/domains/${id}`, { as: admin.cookie });
  expect((await check('new.example')).json().listed).toBe(false);
});

test('a bulk check returns results in order, and an error for an entry that is not a domain', async () => {
  const long = `https://sold.example/${'x'.repeat(2048)}`;
  const domains = ['sold.example', 'hello', '', 'clean.example', '192.0.2.1', long, 'SOLD.example', 'a\0b.example'];
  const response = await bulk(domains);
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

test('a check as CSV returns a row for each entry in order, and neutralizes formulas', async () => {
  const domains = ['sold.example', 'https://blog.sold.example/x?y=1', 'sold.example', 'clean.example', '=1+1', ''];
  const response = await send(`/check.csv?domains=${encodeURIComponent(domains.join())}`);
  expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'no-store',
  ]);
  expect(response.headers['content-disposition']).toMatch(/linksieve-list-20\d\d-\d\d-\d\d\.csv/);
  const [header, ...rows] = response.body.trimEnd().split('\r\n');
  expect(header).toBe(
    'domain,listed,matchedDomain,riskLevel,confidence,sourceCount,independentSourceCount,niche,dateAdded,lastUpdated,error',
  );
  expect(rows.map((row) => row.replaceAll(/20\d\d-[\dT:.-]+Z/g, 'time'))).toEqual([
    'sold.example,true,sold.example,high,probable,2,2,Health,time,time,',
    'blog.sold.example,true,sold.example,high,probable,2,2,Health,time,time,',
    'sold.example,true,sold.example,high,probable,2,2,Health,time,time,',
    'clean.example,false,,,,,,,,,',
    "'=1+1,,,,,,,,,,This is not a domain name: enter a name such as example.com.",
    ',,,,,,,,,,The domain is missing: enter a name such as example.com.',
  ]);
});

test('ignores unknown fields in the body', async () => {
  const response = await send('/check/bulk', {
    method: 'POST',
    payload: { domains: ['a.example'], userId: 1, key: 'x' },
  });
  expect([response.statusCode, response.json().total]).toEqual([200, 1]);
});

test('returns 304 for the ETag of a result until the result changes', async () => {
  await createDomain('moving.example', { riskLevel: 'low' });
  const first = await check('moving.example');
  const etag = String(first.headers.etag);
  expect(first.headers).toMatchObject({
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    'cache-control': 'private, no-cache',
    vary: expect.stringContaining('X-API-Key'),
  });
  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const same = await check('moving.example', { headers: { 'if-none-match': tag } });
    expect([tag, same.statusCode, same.body, same.headers.etag]).toEqual([tag, 304, '', etag]);
    expect(same.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  }
  expect((await check('www.moving.example', { headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  expect((await check('a.moving.example', { headers: { 'if-none-match': etag } })).statusCode).toBe(200);
  const { id } = (await call('GET', '/api/domains?search=moving.example', { as: admin.cookie })).json().domains[0];
  const body = { domain: 'moving.example', source: 'fiverr', riskLevel: 'high' };
  await call('PUT', `/api/domains/${id}`, { as: admin.cookie, body });
  const changed = await check('moving.example', { headers: { 'if-none-match': etag } });
  expect([changed.statusCode, changed.json().riskLevel]).toEqual([200, 'high']);
  for (const response of [await send('/usage'), await bulk(['a.example'])]) {
    expect([response.headers['cache-control'], response.headers.etag]).toEqual(['no-store', undefined]);
  }
});
