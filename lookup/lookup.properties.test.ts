import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { riskLevels } from '#shared/blacklist/domains.ts';
import { checkDomainsWithKey, checkDomainWithKey } from '#shared/checks/key-checks.ts';
import { getRange, getRangeInfo, type Range, RangeInfo } from '#shared/checks/range.ts';
import { lookupNames } from '../server/hostnames/coverage/coverage.ts';
import { sharedHosts } from '../server/hostnames/coverage/shared-hosts.ts';
import { numRuns } from '../server/num-runs.fixtures.ts';
import { startTestApp } from '../server/test-app.fixtures.ts';
import { hashName, type LookupOptions, lookUp } from './lookup.ts';

const { app, call, context, signUp } = await startTestApp();

/** Calls the server, and records what it sees. */
function recordRequests(length?: number) {
  const prefixes: string[] = [];
  const start = async (): Promise<LookupOptions> => {
    const info: RangeInfo = (await app.inject(getRangeInfo.path)).json();
    return {
      prefixLength: length ?? info.prefixLength,
      salt: 'a secret',
      async readRange(prefix) {
        prefixes.push(prefix);
        const response = await app.inject({
          url: getRange.path.replace(':prefix', prefix),
          remoteAddress: `10.0.${Math.trunc(prefixes.length / 200) % 200}.${prefixes.length % 200}`,
        });
        expect(response.statusCode).toBe(200);
        return response.json<Range>();
      },
    };
  };
  return { prefixes, start };
}

const bases = [
  'one.test',
  'two.example',
  'shop.co.uk',
  'amazonaws.com',
  's3.eu-west-1.amazonaws.com',
  'name.blogspot.com',
  'google.com',
  'sites.google.com',
  'github.io',
  'user.github.io',
  'xn--bcher-kva.test',
  ...[...sharedHosts].slice(0, 3),
];
const labels = fc.constantFrom('a', 'b', 'my_blog', 'deep', 'xn--bcher-kva');
const arbitraryName = fc
  .tuple(fc.array(labels, { maxLength: 3 }), fc.constantFrom(...bases))
  .map(([parts, base]) => [...parts, base].join('.'));

test('a private check and a check with a key agree about every name, for every list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: arbitraryName, risk: fc.integer({ min: 1, max: 4 }) }), { maxLength: 12 }),
      fc.array(arbitraryName, { maxLength: 2 }),
      fc.array(arbitraryName, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 4, max: 5 }),
      async (listings, allowed, names, length) => {
        await replaceList(listings, allowed);
        const key = await createKey();
        const { start } = recordRequests(length);
        const hosts = [...new Set([...names, ...listings.map(({ name }) => name)])];
        const found = await lookUp(hosts, await start());
        const response = await app.inject({
          method: 'POST',
          url: checkDomainsWithKey.path,
          headers: { 'x-api-key': key },
          payload: { domains: hosts },
        });
        const { results } = response.json();
        for (const { domain, listed, matchedDomain, riskLevel, confidence, sourceCount, dateAdded } of results) {
          const listing = listed ? { domain: matchedDomain, riskLevel, confidence, sourceCount, dateAdded } : undefined;
          expect(found.get(domain), domain).toEqual(listing);
        }
        const single = await app.inject({
          url: checkDomainWithKey.path,
          query: { domain: hosts[0] ?? '' },
          headers: { 'x-api-key': key },
        });
        expect(single.json().riskLevel).toBe(found.get(single.json().domain)?.riskLevel ?? null);
      },
    ),
    { numRuns: numRuns(40) },
  );
});

/** Creates a key with an unused quota. */
async function createKey(): Promise<string> {
  const { cookie } = await signUp();
  return (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json().keyValue;
}

/** Stores listings as they can be after the Public Suffix List has changed, so also of names that cannot be listed. */
async function replaceList(listings: readonly { name: string; risk: number }[], allowed: readonly string[]) {
  const { db } = context;
  await db.deleteFrom('domains').execute();
  await db.deleteFrom('site_rules').execute();
  const byName = new Map(listings.map((listing) => [listing.name, listing]));
  for (const { name, risk } of byName.values()) {
    const now = new Date('2026-03-04T05:06:07.089Z');
    const row = {
      name,
      tld: 'test',
      source: ['a', 'b'],
      risk_level: risk,
      added_by: 'admin',
      added_at: now,
      updated_at: now,
    };
    await db.insertInto('domains').values(row).execute();
  }
  for (const domain of new Set(allowed)) {
    const rule = { domain, decision: 'allow' as const, reason: 'a reason', created_at: new Date() };
    await db.insertInto('site_rules').values(rule).execute();
  }
}

test('the server sees only prefixes, and none is a whole hash', async () => {
  await replaceList([{ name: 'one.test', risk: 4 }], []);
  const { prefixes, start } = recordRequests();
  const found = await lookUp(['www.deep.one.test', 'two.example'], await start());
  expect(found.get('www.deep.one.test')).toMatchObject({ domain: 'one.test', riskLevel: riskLevels[3] });
  expect(prefixes.every((prefix) => /^[0-9a-f]{4}$/.test(prefix))).toBe(true);
  const own = ['www.deep.one.test', 'deep.one.test', 'one.test', 'two.example'].map((name) =>
    hash('sha256', name).slice(0, 4),
  );
  expect(prefixes).toEqual(expect.arrayContaining(own));
});

test('the prefixes of a host with parents are hidden among others, in an order that says nothing', async () => {
  const { prefixes, start } = recordRequests();
  const options = await start();
  await lookUp(['a.b.one.test'], options);
  expect(prefixes).toHaveLength(8);
  expect(prefixes).toEqual(prefixes.toSorted());
  const first = prefixes.splice(0);
  await lookUp(['a.b.one.test'], options);
  expect(prefixes.splice(0)).toEqual(first);
  await lookUp(['a.b.one.test'], { ...options, salt: 'another secret' });
  const common = prefixes.splice(0).filter((prefix) => first.includes(prefix));
  expect(common.length).toBeGreaterThanOrEqual(3);
  expect(common.length).toBeLessThan(8);
  await lookUp(['one.test'], options);
  expect(prefixes).toEqual([(await hashName('one.test')).slice(0, 4)]);
});

test('a server that asks for more digits gets five', async () => {
  const { prefixes, start } = recordRequests();
  await lookUp(['one.test'], { ...(await start()), prefixLength: 64 });
  expect(prefixes).toEqual([(await hashName('one.test')).slice(0, 5)]);
  expect(z.safeParse(RangeInfo, { prefixLength: 64, version: 'a', domains: 1 }).success).toBe(false);
});

test('names that cannot be listed are not looked up', async () => {
  const { prefixes, start } = recordRequests();
  expect(await lookUp(['co.uk', 'github.io'], await start())).toEqual(new Map());
  expect(prefixes).toEqual([]);
});

test('a lookup fails if a range cannot be read', async () => {
  const names = lookupNames('a.one.test');
  const readRange = async () => {
    throw new Error('no connection');
  };
  await expect(lookUp(names, { prefixLength: 4, salt: '', readRange })).rejects.toThrow('no connection');
});
