import { expect, test } from 'vitest';
import { startKeyApp } from './key-app.fixtures.ts';

const { app, call, context, signUp, admin, user, key, createKey, send, check, bulk } = await startKeyApp();

test('returns 401 without a valid key, even to a signed-in user', async () => {
  const deleted = await createKey();
  await call('DELETE', `/api/api-keys/${deleted.id}`, { as: user.cookie });
  const disabledUser = await signUp();
  const disabled = await createKey(disabledUser.cookie);
  await context.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabledUser.id).execute();
  const unknown = 'lsv_000000000000000000000000000000003hCVk6';
  const missing = 'Send an API key in the X-API-Key header. You can create one in the API Keys tab of your account.';
  const invalid =
    'This API key is not valid. Copy it again from the API Keys tab of your account, or create another one.';
  const wrong: [string | undefined, string][] = [
    [undefined, missing],
    ['', missing],
    ['hello', invalid],
    [`${key.value}x`, invalid],
    [`${key.value}, ${key.value}`, invalid],
    [unknown, invalid],
    [deleted.value, invalid],
    [disabled.value, invalid],
  ];
  for (const [value, error] of wrong) {
    const headers = { 'x-api-key': value, cookie: admin.cookie, authorization: `Bearer ${key.value}` };
    for (const response of [
      await check('sold.example', { headers }),
      await bulk(['sold.example'], { headers }),
      await send('/check.csv?domains=sold.example', { headers }),
      await send(`/usage?key=${key.value}&apiKey=${key.value}&X-API-Key=${key.value}`, { headers }),
    ]) {
      expect([value, response.statusCode, response.json()]).toMatchObject([
        value,
        401,
        { error, code: 'unauthorized' },
      ]);
      expect(response.headers['x-ratelimit-limit']).toBeUndefined();
    }
  }
});

test('a key gives access to the public API only', async () => {
  for (const path of ['/api/account', '/api/domains', `/api/users/${user.id}/api-keys`]) {
    expect((await app.inject({ url: path, headers: { 'x-api-key': key.value } })).statusCode).toBe(401);
  }
});

test('websites of any origin can call the API: preflights need no key, and every response is readable', async () => {
  const origin = 'https://somewhere.example';
  for (const path of ['/check', '/check/bulk', '/check.csv', '/usage']) {
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { origin, 'x-api-key': undefined, 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'X-API-Key, Content-Type, If-None-Match, Idempotency-Key, Upload-Id, Upload-Offset',
      'access-control-max-age': '86400',
    });
  }
  const foreign = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' };
  const responses = [
    await check('sold.example', { headers: foreign }),
    await bulk(['sold.example'], { headers: foreign }),
    await send('/usage', { headers: foreign }),
    await check('hello', { headers: foreign }),
    await check('sold.example', { headers: { ...foreign, 'x-api-key': undefined } }),
    await send('/check/bulk', { method: 'POST', payload: 'x', headers: { ...foreign, 'content-type': 'a/b' } }),
  ];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 400, 401, 415]);
  for (const { headers } of responses) {
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringMatching(/RateLimit-Policy.*Retry-After.*Idempotency-Replayed/),
      ratelimit: expect.stringMatching(/^"(day|without-key)";r=\d+;t=\d+$/),
      'ratelimit-policy': expect.stringMatching(/^"(day|without-key)";q=\d+;w=\d+$/),
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('other paths send no CORS headers', async () => {
  const headers = {
    origin: 'https://somewhere.example',
    'access-control-request-method': 'GET',
    'x-api-key': key.value,
  };
  for (const [method, url] of [
    ['OPTIONS', '/api/account'],
    ['OPTIONS', '/api/check?domain=a.example'],
    ['OPTIONS', '/'],
    ['OPTIONS', '*'],
    ['GET', '/api/check?domain=a.example'],
    ['GET', '/api/account'],
    ['GET', '/'],
    ['POST', '/api/contact'],
  ] as const) {
    const response = await app.inject({ method, url, headers });
    const corsHeaders = Object.keys(response.headers).filter((name) => name.startsWith('access-control'));
    expect([method, url, corsHeaders]).toEqual([method, url, []]);
    if (method === 'OPTIONS') expect([url, response.statusCode]).toEqual([url, 404]);
  }
});

test('other methods and paths return 404, as problem details with the rate limit', async () => {
  for (const [method, path] of [
    ['POST', '/check'],
    ['GET', '/check/bulk'],
    ['PUT', '/check/bulk'],
    ['DELETE', '/usage'],
    ['GET', '/nothing-here'],
  ] as const) {
    const { statusCode, headers, json } = await send(path, { method });
    expect([path, statusCode, headers['content-type']]).toEqual([path, 404, 'application/problem+json']);
    expect(headers.ratelimit).toMatch(/^"day";r=/);
    const detail = 'The API has no such call.';
    expect(json()).toMatchObject({ title: 'Not Found', status: 404, detail, error: detail, code: 'not_found' });
  }
  expect((await check('sold.example', { method: 'HEAD' })).body).toBe('');
});

test('an IP address can use many keys in a burst, and is limited only for wrong keys', async () => {
  const from = '203.0.113.9';
  const keys = await Promise.all([createKey(admin.cookie), createKey(admin.cookie)]);
  const wrong = { from, headers: { 'x-api-key': 'lsv_guess' } };
  const statuses: number[] = [];
  for (let i = 0; i < 125; i++) statuses.push((await check('sold.example', wrong)).statusCode);
  expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([120, 429]);
  const limited = await check('sold.example', wrong);
  expect([Number(limited.headers['retry-after']) > 0, limited.headers['access-control-allow-origin']]).toEqual([
    true,
    '*',
  ]);
  expect((await check('sold.example', { ...wrong, from: '203.0.113.10' })).statusCode).toBe(401);
  for (let round = 0; round < 7; round++) {
    const work = keys.flatMap(({ value }) =>
      Array.from({ length: 100 }, () => check('sold.example', { from, headers: { 'x-api-key': value } })),
    );
    const codes = new Set((await Promise.all(work)).map(({ statusCode }) => statusCode));
    expect([...codes]).toEqual([200]);
  }
});

test('limits calls that cost nothing to 1200 per minute with one key', async () => {
  const { value } = await createKey(admin.cookie);
  const getUsage = () => send('/usage', { headers: { 'x-api-key': value } });
  const codes: number[] = [];
  for (let batch = 0; batch < 11; batch++) {
    const responses = await Promise.all(Array.from({ length: 110 }, getUsage));
    codes.push(...responses.map(({ statusCode }) => statusCode));
  }
  expect([codes.filter((code) => code === 200).length, codes.at(-1)]).toEqual([1200, 429]);
  expect((await getUsage()).headers['x-ratelimit-remaining']).toBe('1000');
});
