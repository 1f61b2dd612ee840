import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Right, rights } from './rights-table.fixtures.ts';
import { addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, people } = scenario;

const cookieOf = ({ owner }: Right) => (owner === 403 ? people.admin.cookie : people.owner.cookie);

/** Names of the values that a route reads from its query, by its contract. */
function queryOf(path: string): string[] {
  const schema = app.allRoutes.find(({ url, method }) => url === path && method === 'GET')?.schema?.querystring;
  return schema && typeof schema === 'object' && 'def' in schema
    ? Object.keys((schema as { def: { shape: object } }).def.shape)
    : [];
}

const reading = Object.entries(rights)
  .filter(([name]) => name.startsWith('GET /api/'))
  .map(([name, right]) => ({ path: name.slice(4), right, query: queryOf(name.slice(4)) }));

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
  'no value in the query of $path is a fault of ours',
  async ({ path, right, query }) => {
    const ask = (await right.ask?.(scenario, people.owner)) ?? {};
    const place = addressOf(path, { ...ask, query: {} });
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
        const { statusCode, body } = await call('GET', `${place}?${shape}`, {
          as: cookieOf(right),
          ...(ask.headers && { headers: ask.headers }),
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
  'the pages of $path are whole numbers from 0 on',
  async ({ path, right }) => {
    for (const page of ['-1', '1.5', 'first', '1e400', '99999999999999999999', '1&page=2']) {
      const { statusCode } = await call('GET', `${path}?page=${page}`, { as: cookieOf(right) });
      expect([page, statusCode]).toEqual([page, 400]);
    }
  },
);

const withId = Object.entries(rights).filter(([name]) => name.includes('/:'));

test.each(withId)('%s knows no object by a hostile id', async (name, right) => {
  const [method, path = '/'] = name.split(' ');
  const { body, payload, headers } = (await right.ask?.(scenario, people.owner)) ?? {};
  const before = await scenario.contents();
  for (const id of ['0', '-1', '1.5', '1e3', 'abc', '%00', '1%00', '9007199254740993', '1;--', '__proto__', '..%2f1']) {
    const response = await call(method as Method, path.replace(/:\w+/, id), {
      as: cookieOf(right),
      ...(body && { body }),
      ...(payload && { payload }),
      ...(headers && { headers }),
    });
    expect([id, [400, 403, 404].includes(response.statusCode) || response.body]).toEqual([id, true]);
  }
  expect(await scenario.contents()).toEqual(before);
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
  'no body of %s is a fault of ours',
  async (name, right) => {
    const [method, path = '/'] = name.split(' ');
    const asker = right.alone ? await scenario.signUp() : people.owner;
    const { body, ...place } = (await right.ask?.(scenario, asker)) ?? {};
    if (!body) return;
    const fields = Object.keys(body).flatMap((field) => cells.map((cell) => ({ ...body, [field]: cell })));
    for (const hostile of [...bodies, ...fields]) {
      const response = await call(method as Method, addressOf(path, place), {
        as: right.alone ? asker.cookie : cookieOf(right),
        payload: JSON.stringify(hostile),
        headers: { ...place.headers, 'content-type': 'application/json' },
      });
      const told = JSON.stringify(hostile).slice(0, 200);
      expect([told, response.statusCode < 500, response.body.slice(0, 200)]).toEqual([
        told,
        true,
        response.body.slice(0, 200),
      ]);
    }
  },
);

test('a body that is packed or no JSON is refused', async () => {
  const as = people.owner.cookie;
  const json = { 'content-type': 'application/json' };
  const packed = gzipSync(JSON.stringify({ domain: 'packed.example' }));
  for (const [payload, headers] of [
    [packed, { ...json, 'content-encoding': 'gzip' }],
    [Buffer.from('{"domain":'), json],
    [Buffer.from('{"domain": "a.example"}{}'), json],
    [Buffer.from([0xff, 0xfe, 0x7b]), json],
  ] as const) {
    expect((await call('POST', '/api/profiles', { as, payload, headers })).statusCode).toBe(400);
  }
});

test('a packed upload is not unpacked', async () => {
  const [analyze, upload] = ['POST /api/backlinks/analyze', 'POST /api/domains/upload'];
  for (const name of [analyze, upload]) {
    const right = rights[name ?? ''];
    const { payload = '', headers } = (await right?.ask?.(scenario, people.owner)) ?? {};
    const response = await call('POST', String(name).slice(5), {
      as: name === upload ? people.admin.cookie : people.owner.cookie,
      payload: gzipSync(String(payload)),
      headers: { ...headers, 'content-encoding': 'gzip' },
    });
    expect([name, response.statusCode]).toEqual([name, 400]);
  }
});
