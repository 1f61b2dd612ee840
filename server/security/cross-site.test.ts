import { expect, test } from 'vitest';
import { publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import { type RouteRights, rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, users } = scenario;

/** Headers of requests that do not come from our own pages, by their origin. */
const foreignHeaders: Record<string, Record<string, string>> = {
  'another site': { 'sec-fetch-site': 'cross-site' },
  'a sibling subdomain': { 'sec-fetch-site': 'same-site' },
  'a sibling subdomain that sends only Origin': { origin: 'http://sibling.localhost:3000' },
  'another site in an older browser': { origin: 'https://evil.example' },
  'another port of our host': { origin: 'http://localhost:4000' },
  'a sandboxed frame': { origin: 'null' },
  'a forged Sec-Fetch-Site with another origin': {
    'sec-fetch-site': 'same-origin',
    origin: 'https://evil.example',
  },
  'no origin at all, with a cookie': {},
  'another site, over plain HTTP': { referer: 'https://evil.example/' },
  'a site over plain HTTP whose name starts with ours': { referer: 'http://localhost:3000.evil.example/' },
  'a site over plain HTTP with our name in its URL': {
    referer: 'http://localhost:3000@evil.example/http://localhost:3000/',
  },
  'another port of our host, over plain HTTP': { referer: 'http://localhost:4000/' },
  'another site with a forged Referer': { 'sec-fetch-site': 'cross-site', referer: 'http://localhost:3000/' },
};

const changing = Object.entries(rights)
  .map(([name, right]) => {
    const [method, path = '/'] = name.split(' ');
    return { name, method: method as Method, path, right };
  })
  .filter(({ method, path }) => method !== 'GET' || changes(path));

/** Whether the route is one of the few GETs of older clients that change something. */
function changes(path: string): boolean {
  return app.allRoutes.some(({ method, url, config }) => method === 'GET' && url === path && config?.changes === true);
}

/** The cookie of a user whose call would succeed. */
const getCookie = ({ owner }: RouteRights) => (owner === 403 ? users.admin.cookie : users.owner.cookie);

/** Routes that use no cookie, or that browsers open like a page. */
const crossSite = app.allRoutes.filter(({ config }) => config?.crossSite).map(({ method, url }) => `${method} ${url}`);

const byCookie = changing.filter(({ name, right }) => !right.withKey && !crossSite.includes(name));

test.each(byCookie)('$name is refused from another site, and nothing changes', async ({ method, path, right }) => {
  const { body, payload, headers, ...urlParts } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
  const before = await scenario.tableHashes();
  for (const [from, foreign] of Object.entries(foreignHeaders)) {
    const { statusCode, json } = await app.inject({
      method,
      url: buildUrl(path, urlParts),
      remoteAddress: scenario.newAddress(),
      headers: { host: 'localhost:3000', cookie: getCookie(right), ...headers, ...foreign },
      ...((body || payload) && { payload: body ?? payload }),
    });
    expect([from, statusCode, json().error]).toEqual([from, 403, 'This request came from another site.']);
  }
  expect(await scenario.tableHashes()).toEqual(before);
});

test.each(byCookie)(
  '$name over plain HTTP: only a GET from our own pages is accepted',
  async ({ method, path, right }) => {
    const { body, payload, headers, ...urlParts } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    const { statusCode } = await app.inject({
      method,
      url: buildUrl(path, urlParts),
      remoteAddress: scenario.newAddress(),
      headers: {
        host: 'localhost:3000',
        cookie: getCookie(right),
        referer: 'http://localhost:3000/account',
        ...headers,
      },
      ...((body || payload) && { payload: body ?? payload }),
    });
    expect(statusCode).toBe(method === 'GET' ? 200 : 403);
    await scenario.waitForIdle();
  },
);

test('unsubscribing with the link of an email, and the calls of OAuth without cookies, are accepted from any site', async () => {
  const name = 'POST /unsubscribe/:token';
  const oauth = ['token', 'revoke', 'register'].map((call) => `POST /api/oauth/${call}`);
  // Browsers open these: a sign-in starts and ends at the provider, and only the browser that started can finish it.
  const oidc = ['start', 'callback'].flatMap((call) =>
    ['GET', 'HEAD'].map((method) => `${method} /api/auth/oidc/:provider/${call}`),
  );
  expect(crossSite).toEqual([...oidc, ...oauth, name]);
  const request = (await rights[name]?.buildRequest?.(scenario, users.owner)) ?? {};
  for (const [from, foreign] of Object.entries(foreignHeaders)) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: buildUrl('/unsubscribe/:token', request),
      remoteAddress: scenario.newAddress(),
      headers: { host: 'localhost:3000', cookie: users.admin.cookie, ...foreign },
    });
    expect([from, statusCode]).toEqual([from, 200]);
  }
});

test('the key API accepts calls with a key from any site, and never a session alone', async () => {
  for (const [from, foreign] of Object.entries(foreignHeaders)) {
    const send = (key: object) =>
      app.inject({
        method: 'POST',
        url: '/api/v1/check/bulk',
        remoteAddress: scenario.newAddress(),
        headers: { host: 'localhost:3000', cookie: users.admin.cookie, ...key, ...foreign },
        payload: { domains: ['listed-in-the-scenario.test'] },
      });
    const codes = [(await send({ 'x-api-key': users.owner.key })).statusCode, (await send({})).statusCode];
    expect([from, ...codes]).toEqual([from, 200, 401]);
  }
  await scenario.waitForIdle();
});

test.each(changing)(
  '$name refuses every body type that a plain HTML form can send',
  async ({ method, path, right }) => {
    const { body, headers, ...urlParts } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    if (!body) return;
    const before = await scenario.tableHashes();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream', '']) {
      const { statusCode } = await app.inject({
        method,
        url: buildUrl(path, urlParts),
        remoteAddress: scenario.newAddress(),
        headers: {
          host: 'localhost:3000',
          'sec-fetch-site': 'same-origin',
          cookie: getCookie(right),
          ...headers,
          ...(type && { 'content-type': type }),
        },
        payload: Buffer.from(JSON.stringify(body)),
      });
      expect([type, [400, 415].includes(statusCode) || statusCode]).toEqual([type, true]);
    }
    expect(await scenario.tableHashes()).toEqual(before);
  },
);

/** Tables that a GET may write: exports by an admin and showing keys are recorded, checks and searches are counted. */
const writtenTables: Record<string, string> = {
  'GET /api/domains': 'users',
  'GET /api/admin/export/csv': 'audit_events',
  'GET /api/admin/audit-events/export/csv': 'audit_events',
  'GET /api/users/:userId/api-keys': 'account_events',
  'GET /api/check': 'login_failures',
  'GET /api/oauth/authorize': 'login_failures',
  'GET /api/domains/by-name/:name': 'login_failures',
  'GET /api/domain-lists/:id': 'login_failures',
  'GET /api/domain-lists/:id/csv': 'login_failures',
  'GET /domain/:name': 'login_failures',
  'GET /shared/:token': 'login_failures',
  'GET /api/shared/:token': 'login_failures',
  'GET /api/shared/:token/logo': 'login_failures',
  'GET /api/shared/:token/domains': 'login_failures',
  'GET /api/shared/:token/backlinks': 'login_failures',
  'GET /alerts/:token.xml': 'login_failures',
  'GET /api/v1/check': 'api_keys',
  'GET /api/v1/check.csv': 'api_keys',
  ...Object.fromEntries(publishedFormats.map((format) => [`GET ${publishedLists[format].path}`, 'login_failures'])),
};

test.each(Object.entries(rights).filter(([name]) => name.startsWith('GET ')))(
  '%s changes nothing except its audit event or count',
  async (name, right) => {
    const { body: _, ...request } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    await scenario.waitForIdle();
    const before = await scenario.tableHashes();
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      await app.inject({
        method,
        url: buildUrl(name.slice(4), request),
        remoteAddress: scenario.newAddress(),
        headers: { host: 'localhost:3000', cookie: getCookie(right), ...request.headers },
      });
    }
    await scenario.waitForIdle();
    const after = await scenario.tableHashes();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    expect(changed).toEqual(writtenTables[name] ? [writtenTables[name]] : []);
  },
);
