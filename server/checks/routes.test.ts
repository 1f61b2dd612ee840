import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { checkDomains } from './checks.ts';

const { app, call, signUp, context } = await startTestApp();
const admin = await signUp({ admin: true });

const list = async (domain: string, cells: object = {}) => {
  const body = { domain, source: 'fiverr, crawler', notes: 'secret', ...cells };
  return (await call('POST', '/api/domains', { as: admin.cookie, body })).json();
};
let addresses = 0;
/** Each from an address of its own, so that one test's checks do not count for another's. */
const visitor = (domain: string) =>
  app.inject({
    url: `/api/check?domain=${encodeURIComponent(domain)}`,
    headers: { host: 'localhost:3000' },
    remoteAddress: `198.51.100.${++addresses}`,
  });

test('anybody learns whether a domain is listed, and nothing that is for admins', async () => {
  const listed = await list('sold.example', { niche: 'Health', riskLevel: 'high', cost: '$50' });
  const response = await visitor('https://www.Sold.example/offer?a=1');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({
    domain: 'sold.example',
    listed: true,
    matchedDomain: 'sold.example',
    riskLevel: 'high',
    sourceCount: 2,
    niche: 'Health',
    dateAdded: listed.dateAdded,
    lastUpdated: listed.lastUpdated,
    checkedAt: expect.stringMatching(/^20\d\d-/),
    unicodeDomain: null,
    canBeListed: true,
  });
});

test('what is not listed is answered with nulls', async () => {
  expect((await visitor('clean.example')).json()).toEqual({
    domain: 'clean.example',
    listed: false,
    matchedDomain: null,
    riskLevel: null,
    sourceCount: null,
    niche: null,
    dateAdded: null,
    lastUpdated: null,
    checkedAt: expect.any(String),
    unicodeDomain: null,
    canBeListed: true,
  });
});

test('a name in other letters is answered in both forms, however it was typed', async () => {
  for (const typed of ['Bücher.example', 'xn--bcher-kva.example']) {
    expect((await visitor(typed)).json()).toMatchObject({
      domain: 'xn--bcher-kva.example',
      unicodeDomain: 'bücher.example',
    });
  }
});

test('of what belongs to many it is said that no list names it as a whole', async () => {
  for (const domain of ['co.uk', 'wordpress.com']) {
    expect((await visitor(domain)).json()).toMatchObject({ domain, listed: false, canBeListed: false });
  }
  expect((await visitor('somebody.wordpress.com')).json().canBeListed).toBe(true);
});

test('a listed domain covers its subdomains, a listed subdomain nothing beside or above it', async () => {
  await list('wide.example');
  await list('blog.narrow.example');
  await list('one.wordpress.com');
  const matches = async (domain: string) => (await visitor(domain)).json().matchedDomain;
  expect(await matches('a.b.wide.example')).toBe('wide.example');
  expect(await matches('x.blog.narrow.example')).toBe('blog.narrow.example');
  expect(await matches('narrow.example')).toBeNull();
  expect(await matches('shop.narrow.example')).toBeNull();
  expect(await matches('two.wordpress.com')).toBeNull();
  expect(await matches('wordpress.com')).toBeNull();
  expect(await matches('co.uk')).toBeNull();
});

test('what is no domain is refused beside its field', async () => {
  for (const domain of ['', '  ', 'hello', '192.0.2.1', 'me@mail.example', 'a b.example', 'x'.repeat(3000)]) {
    const response = await visitor(domain);
    expect([domain.slice(0, 20), response.statusCode]).toEqual([domain.slice(0, 20), 400]);
    expect(response.json().fields.domain).toMatch(/\w/);
  }
  expect((await call('GET', '/api/check')).json().fields.domain).toMatch(/\w/);
});

test('an address checks thirty domains an hour, signed-in people behind it more', async () => {
  const ask = (as?: string) => call('GET', '/api/check?domain=clean.example', as === undefined ? {} : { as });
  let last = await ask();
  for (let i = 0; i < 40 && last.statusCode === 200; i++) last = await ask();
  expect(last.statusCode).toBe(429);
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(3000);
  expect(last.json().error).toContain('sign in');
  const { cookie } = await signUp();
  expect((await ask(cookie)).statusCode).toBe(200);
});

test('many are checked at once, in their order, bad entries among them', async () => {
  await list('many.example');
  const asked = ['blog.many.example', '192.0.2.1', 'clean.example', 'MANY.example', '', 'many.example'];
  const answers = await checkDomains(context, asked);
  expect(answers.map((answer) => ('error' in answer ? answer.error : answer.matchedDomain))).toEqual([
    'many.example',
    'An IP address is not a domain.',
    null,
    'many.example',
    'The domain is missing.',
    'many.example',
  ]);
  expect(await checkDomains(context, [])).toEqual([]);
});
