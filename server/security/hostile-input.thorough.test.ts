import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recordPages } from '#shared/pages.ts';
import { type RouteRights, rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, users } = scenario;

const getCookie = ({ owner }: RouteRights) => (owner === 403 ? users.admin.cookie : users.owner.cookie);

/** The query parameters that a route declares. */
function listQueryParameters(path: string): string[] {
  const schema = app.allRoutes.find(({ url, method }) => url === path && method === 'GET')?.schema?.querystring;
  return schema && typeof schema === 'object' && 'def' in schema
    ? Object.keys((schema as { def: { shape: object } }).def.shape)
    : [];
}

const reading = Object.entries(rights)
  .filter(([name]) => name.startsWith('GET /api/'))
  .map(([name, right]) => ({ path: name.slice(4), right, query: listQueryParameters(name.slice(4)) }));

const values = [
  '%00',
  'a%00b',
  '%EF%BF%BE',
  '%ED%A0%80',
  '%',
  '%27%3B--',
  '%25%5F%5C',
  '-1',
  '1e309',
  'NaN',
  '99999999999999999999999',
  '0x10',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(5000),
];

test.each(reading.filter(({ query }) => query.length > 0))(
  'no query value of $path causes a server error',
  async ({ path, right, query }) => {
    const request = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    const urlParts = buildUrl(path, { ...request, query: {} });
    for (const name of query) {
      const shapes = values.map((value) => `${name}=${value}`);
      shapes.push(
        `${name}=1&${name}=2`,
        `${name}[]=1`,
        `${name}[__proto__]=1`,
        `${name}=1%002`,
        name,
        `${name}==&&=&${name}`,
      );
      for (const shape of shapes) {
        const { statusCode, body } = await call('GET', `${urlParts}?${shape}`, {
          as: getCookie(right),
          ...(request.headers && { headers: request.headers }),
        });
        expect([shape.slice(0, 60), statusCode < 500, body.slice(0, 200)]).toEqual([
          shape.slice(0, 60),
          true,
          body.slice(0, 200),
        ]);
      }
    }
  },
);

test.each(reading.filter(({ query }) => query.includes('page')))(
  '$path accepts only whole page numbers from 0',
  async ({ path, right }) => {
    for (const page of ['-1', '1.5', 'first', '1e400', '99999999999999999999', '1&page=2']) {
      const { statusCode } = await call('GET', `${path}?page=${page}`, { as: getCookie(right) });
      expect([page, statusCode]).toEqual([page, 400]);
    }
  },
);

/** Screens of one record are the same app for every id. */
const screens: string[] = recordPages.map((path) => `GET ${path}`);
const withId = Object.entries(rights).filter(([name]) => name.includes('/:') && !screens.includes(name));

test.each(withId)('%s refuses hostile ids and changes nothing', async (name, right) => {
  const [method, path = '/'] = name.split(' ');
  const { body, payload, headers } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
  const before = await scenario.tableHashes();
  for (const id of ['0', '-1', '1.5', '1e3', 'abc', '%00', '1%00', '9007199254740993', '1;--', '__proto__', '..%2f1']) {
    const response = await call(method as Method, path.replace(/:\w+/, id), {
      as: getCookie(right),
      ...(body && { body }),
      ...(payload && { payload }),
      ...(headers && { headers }),
    });
    expect([id, [400, 403, 404].includes(response.statusCode) || response.body]).toEqual([id, true]);
  }
  expect(await scenario.tableHashes()).toEqual(before);
});

const bodies: unknown[] = [null, true, 1, 'text', [], [[]], {}];
const cells: unknown[] = [
  '\0',
  'a\0b',
  '\ud800',
  -1,
  1e308,
  null,
  [],
  ['a', 'b'],
  {},
  { toString: 1 },
  true,
  'x'.repeat(100_000),
];

test.each(Object.entries(rights).filter(([name]) => !name.startsWith('GET ')))(
  'no body of %s causes a server error',
  async (name, right) => {
    const [method, path = '/'] = name.split(' ');
    const user = right.needsNewUser ? await scenario.signUp() : users.owner;
    const { body, ...urlParts } = (await right.buildRequest?.(scenario, user)) ?? {};
    if (!body) return;
    const fields = Object.keys(body).flatMap((field) => cells.map((cell) => ({ ...body, [field]: cell })));
    for (const hostile of [...bodies, ...fields]) {
      const response = await call(method as Method, buildUrl(path, urlParts), {
        as: right.needsNewUser ? user.cookie : getCookie(right),
        payload: JSON.stringify(hostile),
        headers: { ...urlParts.headers, 'content-type': 'application/json' },
      });
      const sent = JSON.stringify(hostile).slice(0, 200);
      expect([sent, response.statusCode < 500, response.body.slice(0, 200)]).toEqual([
        sent,
        true,
        response.body.slice(0, 200),
      ]);
    }
  },
);

test('a compressed body and invalid JSON return 400', async () => {
  const as = users.owner.cookie;
  const json = { 'content-type': 'application/json' };
  const compressed = gzipSync(JSON.stringify({ domain: 'compressed.example' }));
  for (const [payload, headers] of [
    [compressed, { ...json, 'content-encoding': 'gzip' }],
    [Buffer.from('{"domain":'), json],
    [Buffer.from('{"domain": "a.example"}{}'), json],
    [Buffer.from([0xff, 0xfe, 0x7b]), json],
  ] as const) {
    expect((await call('POST', '/api/profiles', { as, payload, headers })).statusCode).toBe(400);
  }
});

test('a compressed upload returns 400', async () => {
  const [analyze, upload] = ['POST /api/backlinks/analyze', 'POST /api/domains/upload'];
  for (const name of [analyze, upload]) {
    const right = rights[name ?? ''];
    const { payload = '', headers } = (await right?.buildRequest?.(scenario, users.owner)) ?? {};
    const response = await call('POST', String(name).slice(5), {
      as: name === upload ? users.admin.cookie : users.owner.cookie,
      payload: gzipSync(String(payload)),
      headers: { ...headers, 'content-encoding': 'gzip' },
    });
    expect([name, response.statusCode]).toEqual([name, 400]);
  }
});
