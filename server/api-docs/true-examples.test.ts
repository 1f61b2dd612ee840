import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import type { NoDomain } from '#shared/key-checks.ts';
import { openApiDocument } from '#shared/openapi.ts';
import { problems } from '#shared/openapi-components.ts';
import {
  bulkAnswer,
  bulkQuestion,
  exampleNames,
  keyUsage,
  listedCheck,
  unknownCheck,
} from '#shared/openapi-examples.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', {
  as: admin.cookie,
  body: { domain: exampleNames.listed, source: 'a, b, c', niche: 'Health' },
});
const newKey = async (name?: string): Promise<string> =>
  (await call('POST', '/api/api-keys', { as: admin.cookie, body: { name } })).json().keyValue;
const key = await newKey();

interface Asking {
  method?: 'GET' | 'POST';
  payload?: string | object;
  headers?: Record<string, string>;
}
const ask = (path: string, { headers = { 'x-api-key': key }, ...rest }: Asking = {}) =>
  app.inject({ url: path, remoteAddress: '192.0.2.1', headers, ...rest });
const bulk = (domains: string[], value = key) =>
  ask('/api/v1/check/bulk', { method: 'POST', payload: { domains }, headers: { 'x-api-key': value } });
const sent = (payload: string, type: string) =>
  ask('/api/v1/check/bulk', { method: 'POST', payload, headers: { 'x-api-key': key, 'content-type': type } });
const check = '/api/v1/check';
const many = (count: number) => Array.from({ length: count }, () => exampleNames.unknown);

/** Times and days are those of the test. */
const timeless = (value: object): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/20\d\d-\d\d-\d\d(T[\d:.]+Z)?/g, (_, time) => (time ? 'time' : 'day')));

test('the examples of answers are what the server says', async () => {
  const listed = await ask(`${check}?domain=${exampleNames.subdomain}`);
  expect(timeless(listed.json())).toEqual(timeless(listedCheck));
  expect(timeless((await ask(`${check}?domain=${exampleNames.unknown}`)).json())).toEqual(timeless(unknownCheck));
  expect(timeless((await bulk(bulkQuestion.domains)).json())).toEqual(timeless(bulkAnswer));
  const usage = await ask('/api/v1/usage');
  expect(Object.keys(usage.json()).sort()).toEqual(Object.keys(keyUsage).sort());
  const same = { headers: { 'x-api-key': key, 'if-none-match': String(listed.headers.etag) } };
  expect((await ask(`${check}?domain=${exampleNames.subdomain}`, same)).statusCode).toBe(304);
});

test('the headers that the document names come with the answers', async () => {
  const { paths } = openApiDocument('https://linksieve.example');
  for (const [path, method, payload] of [
    [check, 'get'],
    ['/api/v1/check/bulk', 'post', bulkQuestion],
    ['/api/v1/usage', 'get'],
  ] as const) {
    const answer = paths[path]?.[method]?.responses[200];
    const names = answer && 'headers' in answer ? Object.keys(answer.headers).map((name) => name.toLowerCase()) : [];
    expect(names.length).toBeGreaterThan(2);
    const { headers } = payload
      ? await ask(path, { method: 'POST', payload })
      : await ask(`${path}?domain=${exampleNames.unknown}`);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
  }
});

test('what the page says of names is what the server does', async () => {
  const { results } = (
    await bulk([
      'https://user@www.Shop.example:8443/offer',
      'shop.example.',
      ' shop.example ',
      'straße.example',
      ...['localhost', '192.0.2.1', 'name@shop.example', '*.shop.example', 'shop .example', 'x'.repeat(2049)],
    ])
  ).json();
  const same = 'shop.example';
  expect(results.slice(0, 4).map(({ domain, error }: NoDomain) => error ?? domain)).toEqual([
    same,
    same,
    same,
    'xn--strae-oqa.example',
  ]);
  for (const refused of results.slice(4))
    expect(refused).toEqual({ domain: refused.domain, error: expect.any(String) });
});

test('what the page says of fields and of wrong addresses is what the server says', async () => {
  expect((await sent('{"domains":["a.example",1]}', 'application/json')).json().fields).toHaveProperty(['domains.1']);
  expect((await sent('[]', 'application/json')).json().fields).toHaveProperty('body');
  for (const wrong of [await ask('/api/v1/checks'), await ask(check, { method: 'POST', payload: {} })]) {
    expect([wrong.statusCode, wrong.json().code]).toEqual([404, 'not_found']);
  }
});

/** How each example of an error comes about. A database that is away is tried in server/http. */
const ways: Record<string, () => Promise<LightMyRequestResponse>> = {
  'BadDomain address': () => ask(`${check}?domain=${exampleNames.none}`),
  'BadDomain missing': () => ask(check),
  'BadList broken': () => sent('{', 'application/json'),
  'BadList tooMany': () => bulk(many(501)),
  'Unauthorized unknown': () => ask(check, { headers: { 'x-api-key': 'lsv_made-up' } }),
  'Unauthorized missing': () => ask(check, { headers: {} }),
  'TooLarge body': () => bulk(['x'.repeat(3_000_000)]),
  'NotJson form': () => sent('domains=a', 'application/x-www-form-urlencoded'),
  'TooManyEntries left': async () => {
    const value = await newKey();
    for (const count of [500, 498]) await bulk(many(count), value);
    return bulk(many(3), value);
  },
  'TooManyRequests day': async () => {
    const value = await newKey();
    for (const count of [500, 500]) await bulk(many(count), value);
    return bulk(many(1), value);
  },
  'TooManyRequests minute': async () => {
    const headers = { 'x-api-key': await newKey() };
    let last = await ask('/api/v1/usage', { headers });
    for (let i = 0; i < 1300 && last.statusCode === 200; i++) last = await ask('/api/v1/usage', { headers });
    return last;
  },
  'TooManyRequests failures': async () => {
    let last = await ask(check, { headers: {} });
    for (let i = 0; i < 200 && last.statusCode === 401; i++) last = await ask(check, { headers: {} });
    return last;
  },
  'Internal unexpected': async () => {
    await context.pool.query('alter table domains rename to domains_gone');
    const answer = await ask(`${check}?domain=${exampleNames.unknown}`);
    await context.pool.query('alter table domains_gone rename to domains');
    return answer;
  },
};

/** An example that several errors share is tried once. */
const tried = new Set<string>();
const examples = Object.entries(problems).flatMap(([name, { status, response }]) =>
  Object.entries(response.content['application/json'].examples).flatMap(([one, { summary, value }]) => {
    if (tried.has(summary)) return [];
    tried.add(summary);
    return { name: `${name} ${one}`, status, headers: Object.keys(response.headers), value: value as ErrorBody };
  }),
);

test('each example of an error has a way, but the one of a database that is away', () => {
  const names = examples.map(({ name }) => name).filter((name) => name !== 'Unavailable database');
  expect(Object.keys(ways).sort()).toEqual(names.sort());
});

test.each(examples.filter(({ name }) => name in ways))(
  'the error $name is what the server says',
  async ({ name, status, headers, value }) => {
    const answer = await ways[name]?.();
    const said = answer?.json();
    expect([answer?.statusCode, timeless(said)]).toEqual([status, timeless({ ...value, requestId: said.requestId })]);
    const withKey = name !== 'TooManyRequests failures';
    const named = headers.filter((header) => withKey || header === 'Retry-After').map((header) => header.toLowerCase());
    expect(Object.keys(answer?.headers ?? {})).toEqual(expect.arrayContaining(named));
  },
);
