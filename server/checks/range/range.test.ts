import { hash } from 'node:crypto';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { minRangeHashes, type Range, type RangeHash } from '#shared/checks/range.ts';
import { buildApp } from '../../app.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { chooseHashCount, choosePrefixLength } from './range.ts';

const { app, call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const listed = ['paid.test', 'sub.paid.test', ...Array.from({ length: 300 }, (_, i) => `seller-${i}.test`)];
for (const domain of listed.slice(0, 2)) {
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain, source: 'fiverr, crawler' } });
}
await context.db
  .insertInto('domains')
  .values(listed.slice(2).map((name) => ({ name, tld: 'test', source: ['crawler'], risk_level: 1 })))
  .execute();

const toPrefix = (name: string, length = 4) => hash('sha256', name).slice(0, length);
const get = (prefix: string, headers: Record<string, string> = {}) =>
  app.inject({ url: `/api/v1/range/${prefix}`, headers });
const getRange = async (prefix: string) => (await get(prefix)).json<Range>();
const findEntry = ({ hashes }: Range, name: string): RangeHash | undefined =>
  hashes.find((entry) => entry.hash === hash('sha256', name));

test('a range contains the listed names whose hashes start with its prefix', async () => {
  for (const length of [4, 5, 6, 7, 8]) {
    const range = await getRange(toPrefix('paid.test', length));
    expect(range.prefix).toBe(toPrefix('paid.test', length));
    expect(findEntry(range, 'paid.test')).toEqual({
      hash: hash('sha256', 'paid.test'),
      riskLevel: 'medium',
      confidence: 'probable',
      sourceCount: 2,
      dateAdded: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(range.hashes.every((entry) => entry.hash.startsWith(range.prefix))).toBe(true);
  }
  for (const name of listed) expect(findEntry(await getRange(toPrefix(name)), name), name).toBeDefined();
});

test('every range has at least 50 hashes in their order, and the same length', async () => {
  const prefixes = [...listed, 'unlisted.test', 'other.test'].map((name) => toPrefix(name));
  const bodies: string[] = [];
  // One after another, because a busy machine refuses calls that have waited for long.
  for (const prefix of [...prefixes, '0000', 'ffff']) {
    const { statusCode, body } = await get(prefix);
    expect(statusCode, body).toBe(200);
    bodies.push(body);
  }
  expect(new Set(bodies.map((body) => body.length)).size).toBe(1);
  for (const body of bodies) {
    const hashes = (JSON.parse(body) as Range).hashes.map((entry) => entry.hash);
    expect(hashes).toHaveLength(minRangeHashes);
    expect(new Set(hashes).size).toBe(minRangeHashes);
    expect(hashes).toEqual(hashes.toSorted());
  }
});

test('made-up hashes are the same after the blacklist has changed', async () => {
  const before = await getRange(toPrefix('new.test'));
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'new.test', source: 'a' } });
  const after = await getRange(toPrefix('new.test'));
  expect(after.version).not.toBe(before.version);
  expect(findEntry(before, 'new.test')).toBeUndefined();
  expect(findEntry(after, 'new.test')).toMatchObject({ riskLevel: 'low', confidence: 'reported' });
  const others = after.hashes.filter((entry) => entry !== findEntry(after, 'new.test'));
  expect(before.hashes).toEqual(expect.arrayContaining(others));
});

test('a name with an allow rule has no risk level, listed or not', async () => {
  for (const domain of ['allowed.paid.test', 'seller-7.test']) {
    const rule = { domain, decision: 'allow' as const, reason: 'Asked for it', created_at: new Date() };
    await context.db.insertInto('site_rules').values(rule).execute();
    expect(findEntry(await getRange(toPrefix(domain)), domain)).toMatchObject({ riskLevel: null, confidence: null });
  }
});

test('a listed name that has become a public suffix is left out', async () => {
  await context.db
    .insertInto('domains')
    .values({ name: 'github.io', tld: 'io', source: ['a'], risk_level: 4 })
    .execute();
  expect(findEntry(await getRange(toPrefix('github.io')), 'github.io')).toBeUndefined();
});

test('any website may read ranges, and caches keep them for an hour', async () => {
  const first = await get('abcd');
  expect(first.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600, no-transform',
  });
  expect(first.headers['set-cookie']).toBeUndefined();
  const etag = String(first.headers.etag);
  const again = await get('abcd', { 'if-none-match': etag });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
  expect((await get('abce', { 'if-none-match': etag })).statusCode).toBe(200);
  expect((await get('ABCD')).json().prefix).toBe('abcd');
  expect((await get('abcd', { 'accept-encoding': 'gzip, br' })).headers['content-encoding']).toBeUndefined();
});

test.each(['abc', 'abcdef012', 'ghij', 'paid.test', '%00abc'])('%s is not a prefix', async (prefix) => {
  const response = await get(prefix);
  expect(response.statusCode).toBe(400);
  expect(response.json().error).toBe('Send the first 4 to 8 hexadecimal digits of the SHA-256 hash of a domain name.');
});

test('the description of the ranges follows the blacklist', async () => {
  const before = await app.inject({ url: '/api/v1/range' });
  expect(before.json()).toEqual({ prefixLength: 4, version: expect.any(String), domains: expect.any(Number) });
  const etag = String(before.headers.etag);
  expect((await app.inject({ url: '/api/v1/range', headers: { 'if-none-match': etag } })).statusCode).toBe(304);
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'newer.test', source: 'a' } });
  const after = (await app.inject({ url: '/api/v1/range', headers: { 'if-none-match': etag } })).json();
  expect(after.domains).toBe(before.json().domains + 1);
  expect(after.version).not.toBe(before.json().version);
});

test('other websites can read errors too', async () => {
  const failure = vi.spyOn(context.readDb.getExecutor(), 'executeQuery').mockRejectedValue(new Error('broken'));
  const failed = await get('abcd');
  failure.mockRestore();
  const read = () => app.inject({ url: '/api/v1/range/zzzz', remoteAddress: '192.0.2.200' });
  while ((await read()).statusCode !== 429);
  for (const response of [failed, await get('zzzz'), await read()]) {
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.headers['access-control-allow-origin']).toBe('*');
  }
});

test('no log line contains a prefix, even when the database fails', async () => {
  const lines: string[] = [];
  const log = pino(
    { level: 'trace' },
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const logging = buildApp({ ...context, log });
  const read = (prefix: string) => logging.inject({ url: `/api/v1/range/${prefix}` });
  expect((await read('face')).statusCode).toBe(200);
  expect((await read('faceX')).statusCode).toBe(400);
  const failure = vi.spyOn(context.readDb.getExecutor(), 'executeQuery').mockRejectedValue(new Error('broken'));
  expect((await read('facade')).statusCode).toBe(500);
  failure.mockRestore();
  await logging.close();
  expect(lines.join('')).toContain('/api/v1/range/:prefix');
  expect(lines.join('')).toContain('broken');
  // The random ids of requests can contain it.
  const text = lines.join('').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '');
  expect(text).not.toMatch(/face/i);
});

test.each([
  [0, 4],
  [1_000_000, 4],
  [10_000_000, 4],
  [120_000_000, 5],
  [2_000_000_000, 6],
  [1e12, 8],
])('with %d domains, clients send %d digits', (domains, length) => {
  expect(choosePrefixLength(domains)).toBe(length);
});

test('hashes of names are so even that each prefix covers at least 50 of the names that its length is chosen for', () => {
  // As many names per prefix as there are at the smallest size for five digits, with two digits instead.
  const perPrefix = 120_000_000 / 16 ** 5;
  const counts = new Map<string, number>();
  for (let i = 0; i < perPrefix * 256; i += 1) {
    const prefix = toPrefix(`name-${i}.test`, 2);
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  expect(counts.size).toBe(256);
  expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(minRangeHashes);
  expect(Math.max(...counts.values())).toBeLessThanOrEqual(chooseHashCount(perPrefix * 256, 2));
});

test('the number of hashes in a response rarely changes while the blacklist grows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), (domains) => {
      const count = chooseHashCount(domains, choosePrefixLength(domains));
      expect(count % 10).toBe(0);
      expect(count).toBeGreaterThanOrEqual(minRangeHashes);
      expect(count).toBeGreaterThan(domains / 16 ** choosePrefixLength(domains));
    }),
  );
});
