import { expect, test } from 'vitest';
import { type Right, rights } from './rights-table.fixtures.ts';
import { addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, people } = scenario;

/** What a browser, or a program without one, says of a request that is not ours. */
const foreign: Record<string, Record<string, string>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'a sibling of our site': { 'sec-fetch-site': 'same-site' },
  'a sibling that says so by its origin only': { origin: 'http://sibling.localhost:3000' },
  'another site in an older browser': { origin: 'https://evil.example' },
  'another port of our host': { origin: 'http://localhost:4000' },
  'a sandboxed frame': { origin: 'null' },
  'a site that says it is ours and whose origin is another': {
    'sec-fetch-site': 'same-origin',
    origin: 'https://evil.example',
  },
  'nowhere, with a cookie': {},
  'another site, over plain HTTP': { referer: 'https://evil.example/' },
  'a site over plain HTTP whose name begins as ours': { referer: 'http://localhost:3000.evil.example/' },
  'a site over plain HTTP that names us': { referer: 'http://localhost:3000@evil.example/http://localhost:3000/' },
  'another port of our host, over plain HTTP': { referer: 'http://localhost:4000/' },
  'another site whose page is ours, it says': { 'sec-fetch-site': 'cross-site', referer: 'http://localhost:3000/' },
};

const changing = Object.entries(rights)
  .map(([name, right]) => {
    const [method, path = '/'] = name.split(' ');
    return { name, method: method as Method, path, right };
  })
  .filter(({ method, path }) => method !== 'GET' || changes(path));

/** Older clients change a few things by a GET. */
function changes(path: string): boolean {
  return app.allRoutes.some(({ method, url, config }) => method === 'GET' && url === path && config?.changes === true);
}

/** Whoever would succeed. */
const cookieOf = ({ owner }: Right) => (owner === 403 ? people.admin.cookie : people.owner.cookie);

const byCookie = changing.filter(({ right }) => !right.withKey);

test.each(byCookie)('$name is refused from another site, and nothing changes', async ({ method, path, right }) => {
  const { body, payload, headers, ...place } = (await right.ask?.(scenario, people.owner)) ?? {};
  const before = await scenario.contents();
  for (const [from, said] of Object.entries(foreign)) {
    const { statusCode, json } = await app.inject({
      method,
      url: addressOf(path, place),
      remoteAddress: scenario.newAddress(),
      headers: { host: 'localhost:3000', cookie: cookieOf(right), ...headers, ...said },
      ...((body || payload) && { payload: body ?? payload }),
    });
    expect([from, statusCode, json().error]).toEqual([from, 403, 'This request came from another site.']);
  }
  expect(await scenario.contents()).toEqual(before);
});

test.each(byCookie)('$name over plain HTTP: a GET counts from our own pages', async ({ method, path, right }) => {
  const { body, payload, headers, ...place } = (await right.ask?.(scenario, people.owner)) ?? {};
  const { statusCode } = await app.inject({
    method,
    url: addressOf(path, place),
    remoteAddress: scenario.newAddress(),
    headers: { host: 'localhost:3000', cookie: cookieOf(right), referer: 'http://localhost:3000/account', ...headers },
    ...((body || payload) && { payload: body ?? payload }),
  });
  expect(statusCode).toBe(method === 'GET' ? 200 : 403);
  await scenario.waitForIdle();
});

test('a call with a key is taken from anywhere, and a session without one from nowhere', async () => {
  for (const [from, said] of Object.entries(foreign)) {
    const asked = (key: object) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/check/bulk',
        remoteAddress: scenario.newAddress(),
        headers: { host: 'localhost:3000', cookie: people.admin.cookie, ...key, ...said },
        payload: { domains: ['listed-in-the-scenario.test'] },
      });
    const codes = [(await asked({ 'x-api-key': people.owner.key })).statusCode, (await asked({})).statusCode];
    expect([from, ...codes]).toEqual([from, 200, 401]);
  }
  await scenario.waitForIdle();
});

test.each(changing)('$name takes no body that a plain form can send', async ({ method, path, right }) => {
  const { body, headers, ...place } = (await right.ask?.(scenario, people.owner)) ?? {};
  if (!body) return;
  const before = await scenario.contents();
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', '']) {
    const { statusCode } = await app.inject({
      method,
      url: addressOf(path, place),
      remoteAddress: scenario.newAddress(),
      headers: {
        host: 'localhost:3000',
        'sec-fetch-site': 'same-origin',
        cookie: cookieOf(right),
        ...headers,
        ...(type && { 'content-type': type }),
      },
      payload: Buffer.from(JSON.stringify(body)),
    });
    expect([type, [400, 415].includes(statusCode) || statusCode]).toEqual([type, true]);
  }
  expect(await scenario.contents()).toEqual(before);
});

/** What reading writes down: an export is an act of an admin, a check and a search are counted. */
const written: Record<string, string> = {
  'GET /api/domains': 'users',
  'GET /api/admin/export/csv': 'admin_acts',
  'GET /api/admin/acts/export/csv': 'admin_acts',
  'GET /api/check': 'login_failures',
  'GET /api/v1/check': 'api_keys',
};

test.each(Object.entries(rights).filter(([name]) => name.startsWith('GET ')))(
  '%s changes nothing',
  async (name, right) => {
    const { body: _, ...ask } = (await right.ask?.(scenario, people.owner)) ?? {};
    await scenario.waitForIdle();
    const before = await scenario.contents();
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      await app.inject({
        method,
        url: addressOf(name.slice(4), ask),
        remoteAddress: scenario.newAddress(),
        headers: { host: 'localhost:3000', cookie: cookieOf(right), ...ask.headers },
      });
    }
    await scenario.waitForIdle();
    const after = await scenario.contents();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed).toEqual(written[name] ? [written[name]] : []);
  },
);
