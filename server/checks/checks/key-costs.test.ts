import { expect, test } from 'vitest';
import { startKeyApp } from './key-app.fixtures.ts';

const { call, admin, user, key, createKey, send, check, bulk, usage } = await startKeyApp();

/** Returns the number of requests that were counted during the work. */
const measureCost = async (work: () => Promise<unknown>) => {
  const before = (await usage()).dailyUsage;
  await work();
  return (await usage()).dailyUsage - before;
};

test('a check costs one request even if unchanged, a bulk check one per entry, and getting the usage none', async () => {
  const etag = String((await check('sold.example')).headers.etag);
  expect(await measureCost(() => check('sold.example'))).toBe(1);
  expect(await measureCost(() => check('sold.example', { method: 'HEAD' }))).toBe(1);
  expect(await measureCost(() => check('sold.example', { headers: { 'if-none-match': etag } }))).toBe(1);
  expect(await measureCost(() => bulk(['sold.example', 'sold.example', 'hello', '']))).toBe(4);
  expect(await measureCost(() => send('/check.csv?domains=sold.example,sold.example,hello,'))).toBe(4);
  expect(await measureCost(() => send('/check.csv?domains=sold.example,hello', { method: 'HEAD' }))).toBe(2);
  expect(await measureCost(() => send('/usage'))).toBe(0);
  await check('sold.example');
  const { headers } = await send('/usage');
  expect(headers['x-ratelimit-remaining']).toBe(String((await usage()).remaining));
});

test('refused calls cost nothing and return the rate limit headers', async () => {
  const many = Array.from({ length: 501 }, () => 'sold.example');
  const refused: [number, () => ReturnType<typeof send>][] = [
    [400, () => check('hello')],
    [400, () => check('')],
    [400, () => send('/check')],
    [400, () => send('/check?domain=a.example&domain=b.example')],
    [400, () => check('x'.repeat(3000))],
    [400, () => send('/check.csv')],
    [400, () => send('/check.csv?domains=a.example&domains=b.example')],
    [400, () => send(`/check.csv?domains=${many}`)],
    [400, () => bulk([])],
    [400, () => bulk(many)],
    [400, () => bulk(['sold.example', 1])],
    [400, () => bulk(['sold.example', null])],
    [400, () => bulk('sold.example')],
    [400, () => bulk(undefined)],
    [400, () => send('/check/bulk', { method: 'POST', payload: '[', headers: { 'content-type': 'application/json' } })],
    [413, () => bulk(Array.from({ length: 500 }, () => 'x'.repeat(5000)))],
    ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/csv', ''].map(
      (type): [number, () => ReturnType<typeof send>] => [
        415,
        () =>
          send('/check/bulk', {
            method: 'POST',
            payload: '{"domains":["a.example"]}',
            headers: { 'content-type': type },
          }),
      ],
    ),
  ];
  for (const [status, work] of refused) {
    const { remaining } = await usage();
    const response = await work();
    expect([response.statusCode, response.headers['x-ratelimit-remaining'], response.body]).toEqual([
      status,
      String(remaining),
      expect.stringMatching(/"error":"\w[^"]+"/),
    ]);
    expect((await usage()).remaining).toBe(remaining);
  }
});

test('responses have the rate limit headers, and the usage has the same numbers', async () => {
  const { value } = await createKey();
  const headers = { 'x-api-key': value };
  const response = await check('sold.example', { headers });
  const midnight = Math.ceil((Date.now() + 1) / 86_400_000) * 86_400;
  expect(response.headers).toMatchObject({
    'x-ratelimit-limit': '1000',
    'x-ratelimit-remaining': '999',
    'x-ratelimit-reset': String(midnight),
  });
  expect((await bulk(['a.example', 'b.example'], { headers })).headers['x-ratelimit-remaining']).toBe('997');
  expect((await send('/usage', { headers })).json()).toEqual({
    name: 'API Key',
    dailyLimit: 1000,
    dailyUsage: 3,
    remaining: 997,
    resetAt: new Date(midnight * 1000).toISOString(),
    usageCount: 3,
    lastUsed: expect.stringMatching(/^20\d\d-/),
  });
});

test('the list of keys shows the usage immediately', async () => {
  const before = (await usage()).dailyUsage;
  await check('sold.example');
  const keys = (await call('GET', `/api/users/${user.id}/api-keys`, { as: user.cookie })).json();
  expect(keys.find(({ id }: { id: number }) => id === key.id)).toMatchObject({ dailyUsage: before + 1 });
});

test('allows exactly the daily limit, and a bulk check above the remaining requests counts nothing', async () => {
  const { value } = await createKey(admin.cookie);
  const headers = { 'x-api-key': value };
  const domains = Array.from({ length: 500 }, (_, i) => `a${i}.example`);
  expect((await bulk(domains, { headers })).statusCode).toBe(200);
  expect((await bulk(domains.slice(0, 400), { headers })).headers['x-ratelimit-remaining']).toBe('100');
  const tooMany = await bulk(domains.slice(0, 101), { headers });
  const tomorrow = new Date(Math.ceil((Date.now() + 1) / 86_400_000) * 86_400_000).toISOString().slice(0, 10);
  expect([tooMany.statusCode, tooMany.json().error, tooMany.headers['x-ratelimit-remaining']]).toEqual([
    429,
    'This call needs 101 requests, but this key has 100 left today. Send fewer domains. ' +
      `The limit resets at 00:00 UTC on ${tomorrow}.`,
    '100',
  ]);
  const codes = (await Promise.all(Array.from({ length: 130 }, () => check('sold.example', { headers })))).map(
    ({ statusCode }) => statusCode,
  );
  expect([codes.filter((code) => code === 200).length, codes.filter((code) => code === 429).length]).toEqual([100, 30]);
  const over = await check('sold.example', { headers: { ...headers, origin: 'https://somewhere.example' } });
  expect([over.statusCode, over.json().error, over.headers['access-control-allow-origin']]).toEqual([
    429,
    `This key has used all of its 1,000 requests today. The limit resets at 00:00 UTC on ${tomorrow}.`,
    '*',
  ]);
  const seconds = Number(over.headers['retry-after']);
  expect(Math.abs(Date.now() / 1000 + seconds - Date.parse(`${tomorrow}T00:00:00Z`) / 1000)).toBeLessThan(5);
  expect(over.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-limit': '1000' });
  expect(await usage(value)).toMatchObject({ dailyUsage: 1000, remaining: 0, usageCount: 1000 });
});
