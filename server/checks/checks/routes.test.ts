import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { checkDomains } from './checks.ts';

const { app, call, signUp, context } = await startTestApp();
const admin = await signUp({ admin: true });

const createDomain = async (domain: string, cells: object = {}) => {
  const body = { domain, source: 'fiverr, crawler', notes: 'secret', ...cells };
  return (await call('POST', '/api/domains', { as: admin.cookie, body })).json();
};
let addresses = 0;
/** Checks from a new IP address each time, so that tests do not use up each other's limit. */
const checkAsVisitor = (domain: string) =>
  app.inject({
    url: `/api/check?domain=${encodeURIComponent(domain)}`,
    headers: { host: 'localhost:3000' },
    remoteAddress: `198.51.100.${++addresses}`,
  });

test('a visitor can check a domain, without the fields for admins', async () => {
  const listed = await createDomain('sold.example', { niche: 'Health', riskLevel: 'high', cost: '$50' });
  const response = await checkAsVisitor('https://www.Sold.example/offer?a=1');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    domain: 'sold.example',
    listed: true,
    matchedDomain: 'sold.example',
    riskLevel: 'high',
    confidence: 'probable',
    sourceCount: 2,
    independentSourceCount: 2,
    niche: 'Health',
    dateAdded: listed.dateAdded,
    lastUpdated: listed.lastUpdated,
    checkedAt: expect.stringMatching(/^20\d\d-/),
    unicodeDomain: null,
    canBeListed: true,
    isBlacklistEmpty: false,
  });
});

test('returns nulls for a domain that is not listed', async () => {
  expect((await checkAsVisitor('clean.example')).json()).toEqual({
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
    unicodeDomain: null,
    canBeListed: true,
    isBlacklistEmpty: false,
  });
});

test('sources that copy from each other count as one in a check', async () => {
  await createDomain('copied.example');
  await context.pool.query(`update domains set copies = 1, proof = 2 where name = 'copied.example'`);
  expect((await checkAsVisitor('copied.example')).json()).toMatchObject({
    sourceCount: 2,
    independentSourceCount: 1,
    confidence: 'confirmed',
  });
});

test('returns international names in ASCII and Unicode, whichever was sent', async () => {
  for (const typed of ['Bücher.example', 'xn--bcher-kva.example']) {
    expect((await checkAsVisitor(typed)).json()).toMatchObject({
      domain: 'xn--bcher-kva.example',
      unicodeDomain: 'bücher.example',
    });
  }
});

test('public suffixes and shared hosts cannot be listed', async () => {
  for (const domain of ['co.uk', 'wordpress.com']) {
    expect((await checkAsVisitor(domain)).json()).toMatchObject({ domain, listed: false, canBeListed: false });
  }
  expect((await checkAsVisitor('somebody.wordpress.com')).json().canBeListed).toBe(true);
});

test('a listed domain covers its subdomains, but not its parent or sibling domains', async () => {
  await createDomain('wide.example');
  await createDomain('blog.narrow.example');
  await createDomain('one.wordpress.com');
  const matches = async (domain: string) => (await checkAsVisitor(domain)).json().matchedDomain;
  expect(await matches('a.b.wide.example')).toBe('wide.example');
  expect(await matches('x.blog.narrow.example')).toBe('blog.narrow.example');
  expect(await matches('narrow.example')).toBeNull();
  expect(await matches('shop.narrow.example')).toBeNull();
  expect(await matches('two.wordpress.com')).toBeNull();
  expect(await matches('wordpress.com')).toBeNull();
  expect(await matches('co.uk')).toBeNull();
});

test('an allow rule takes a part of a listed domain out of every kind of check', async () => {
  await createDomain('portal.example');
  const body = { domain: 'club.portal.example', reason: 'Our own club' };
  expect((await call('POST', '/api/admin/allow-rules', { as: admin.cookie, body })).statusCode).toBe(201);
  const hosts = ['portal.example', 'club.portal.example', 'a.club.portal.example', 'other.portal.example'];
  const expected = ['portal.example', null, null, 'portal.example'];
  const asVisitor = await Promise.all(hosts.map(async (host) => (await checkAsVisitor(host)).json().matchedDomain));
  expect(asVisitor).toEqual(expected);
  expect(await checkDomains(context, hosts)).toMatchObject(
    expected.map((matchedDomain) => ({ listed: matchedDomain !== null, matchedDomain })),
  );
});

test('returns 400 with the field for a text that is not a domain', async () => {
  for (const domain of ['', '  ', 'hello', '192.0.2.1', 'me@mail.example', 'a b.example', 'x'.repeat(3000)]) {
    const response = await checkAsVisitor(domain);
    expect([domain.slice(0, 20), response.statusCode]).toEqual([domain.slice(0, 20), 400]);
    expect(response.json().fields.domain).toMatch(/\w/);
  }
  expect((await call('GET', '/api/check')).json().fields.domain).toMatch(/\w/);
});

test('limits an IP address to thirty checks per hour, and signed-in users to more', async () => {
  const check = (as?: string) => call('GET', '/api/check?domain=clean.example', as === undefined ? {} : { as });
  let last = await check();
  for (let i = 0; i < 40 && last.statusCode === 200; i++) last = await check();
  expect(last.statusCode).toBe(429);
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(3000);
  expect(last.json().error).toContain('Sign in');
  const { cookie } = await signUp();
  expect((await check(cookie)).statusCode).toBe(200);
});

test('checks many domains in order, with errors for texts that are not domains', async () => {
  await createDomain('many.example');
  const texts = ['blog.many.example', '192.0.2.1', 'clean.example', 'MANY.example', '', 'many.example'];
  const results = await checkDomains(context, texts);
  expect(results.map((result) => ('error' in result ? result.error : result.matchedDomain))).toEqual([
    'many.example',
    'This is an IP address: enter a domain name such as example.com.',
    null,
    'many.example',
    'The domain is missing: enter a name such as example.com.',
    'many.example',
  ]);
  expect(await checkDomains(context, [])).toEqual([]);
});
