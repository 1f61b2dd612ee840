import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxChecksPerHour } from '../checks/checks.ts';

const { app, call, context, signUp } = await startTestApp({ PUBLIC_URL: 'http://links.example' });
const { db } = context;
const admin = await signUp({ admin: true });

const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)> __PAGE_STATE__ __STYLE_NONCE__ \u2028';
await call('POST', '/api/domains', {
  as: admin.cookie,
  body: { domain: 'listed.example', source: 'crawler', cost: hostile, niche: hostile.slice(0, 90) },
});
await db.insertInto('sources').values({ name: 'open <b>list</b>', kind: 'list', is_public: true }).execute();
const { id: sourceId } = await db
  .selectFrom('sources')
  .select('id')
  .where('is_public', '=', true)
  .executeTakeFirstOrThrow();
const at = new Date('2024-05-06T07:08:09Z');
const addListing = (cells: object) =>
  db
    .insertInto('listings')
    .values({ name: 'listed.example', source_id: sourceId, first_seen_at: at, last_seen_at: at, ...cells })
    .execute();
await addListing({ price: hostile, note: hostile, evidence_url: 'javascript:alert(1)' });
await db
  .insertInto('appeals')
  .values({
    domain: 'listed.example',
    message: 'secret message',
    statement: `${hostile}</blockquote>`,
    proof: 'dns',
    token: 'secret token',
    state: 'kept',
    verified_at: at,
    decided_at: at,
    published_at: at,
  })
  .execute();

let addresses = 0;
const newAddress = () => `10.1.${addresses >> 8}.${addresses++ & 255}`;
const open = (path: string, { from = newAddress(), as }: { from?: string; as?: string } = {}) =>
  app.inject({
    url: path,
    remoteAddress: from,
    // The session cookie is for localhost.
    headers: as ? { host: 'localhost:3000', cookie: as } : { host: 'links.example' },
  });

test('the page has the verdict, the evidence, a title and a canonical URL, and is not indexed', async () => {
  const { statusCode, headers, body } = await open('/domain/listed.example');
  expect([statusCode, headers['content-type'], headers['x-robots-tag']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'noindex',
  ]);
  expect(body).toContain('<title>listed.example is on the paid-link blacklist · Linksieve</title>');
  expect(body).toContain('<link rel="canonical" href="http://links.example/domain/listed.example" />');
  expect(body).toContain('<meta name="robots" content="noindex" />');
  expect(body).toContain('<h1><span data-mono="true">listed.<wbr/>example</span> is on the paid-link blacklist</h1>');
  expect(body).toContain('Public blocklist');
  expect(body).toContain('A listing is not proof that a particular link was paid for.');
  expect(body).toContain('Owner&#x27;s statement');
  expect(body).not.toContain('__DOMAIN_');
  expect(body).not.toContain('__ORIGIN__');
});

test('texts of sources and users cannot add markup, scripts or placeholders', async () => {
  const { headers, body } = await open('/domain/listed.example');
  expect(body).not.toContain('<script>alert');
  expect(body).not.toContain('<img src=x');
  expect(body).not.toContain('</blockquote></blockquote>');
  expect(body).not.toContain('<b>list</b>');
  expect(body).not.toContain('href="javascript:');
  expect(body).not.toContain('secret');
  // A placeholder in a text stays a text.
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? '';
  expect(body.replaceAll(/ (?:nonce|content)="[^"]*"/g, '')).not.toContain(nonce);
});

test('links to evidence are only web addresses, and search engines must not follow them', async () => {
  await db.updateTable('listings').set({ evidence_url: 'https://market.example/42?a=1&b="2"' }).execute();
  const { body } = await open('/domain/listed.example');
  expect(body).toMatch(
    /<a href="https:\/\/market\.example\/42\?a=1&amp;b=%222%22" target="_blank" rel="nofollow noopener noreferrer ugc"><span data-mono="true">market\.example\/42\?/,
  );
});

test('a subdomain names the listed domain that covers it', async () => {
  const { body } = await open('/domain/shop.listed.example');
  expect(body).toMatch(
    /<a data-mono="true"[^>]* href="\/domain\/listed\.example"[^>]*>listed\.example<\/a> (?:<!-- -->)?and its subdomains are listed\./,
  );
});

test('an unlisted domain is no recommendation', async () => {
  const { statusCode, body } = await open('/domain/unknown.example');
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>unknown.example is not on the paid-link blacklist · Linksieve</title>');
  expect(body).toContain('That is not a recommendation');
});

test('other spellings of a name lead to its page', async () => {
  for (const [path, location] of [
    ['/domain/WWW.Listed.Example', '/domain/listed.example'],
    ['/domain/listed.example/', '/domain/listed.example'],
    ['/domain/listed.example.', '/domain/listed.example'],
    ['/domain/https%3A%2F%2Flisted.example%2Fpage', '/domain/listed.example'],
    ['/domain/b%C3%BCcher.example', '/domain/xn--bcher-kva.example'],
    ['/domain/listed%2eexample', '/domain/listed.example'],
  ] as const) {
    const response = await open(path);
    expect([path, response.statusCode, response.headers.location]).toEqual([path, 301, location]);
  }
});

test('a form without scripts leads to the page', async () => {
  const response = await open('/domain?domain=https%3A%2F%2Fwww.listed.example%2Fa');
  expect([response.statusCode, response.headers.location]).toEqual([302, '/domain/listed.example']);
  for (const query of ['', '?domain=', '?domain=hello', '?domain=a.example&domain=b.example', '?other=1']) {
    expect([query, (await open(`/domain${query}`)).statusCode]).toEqual([query, 404]);
  }
});

test('the search of a browser leads to the page of a domain, and for any other text to the blacklist', async () => {
  for (const [search, location] of [
    ['listed.example', '/domain/listed.example'],
    ['https://www.Listed.example/a?b=c', '/domain/listed.example'],
    ['bücher.example', '/domain/xn--bcher-kva.example'],
    ['casino', '/domains?search=casino'],
    ['online casino & more', '/domains?search=online%20casino%20%26%20more'],
    ['//evil.example/a', '/domain/evil.example'],
    ['//evil example\r\nx: y', '/domains?search=%2F%2Fevil%20example%0D%0Ax%3A%20y'],
  ] as const) {
    const response = await open(`/domain?search=${encodeURIComponent(search)}`);
    expect([search, response.statusCode, response.headers.location]).toEqual([search, 302, location]);
  }
  for (const query of ['search=', 'search=a.example&search=b.example']) {
    expect([query, (await open(`/domain?${query}`)).statusCode]).toEqual([query, 404]);
  }
});

test('texts that are no domain return the not-found page', async () => {
  for (const name of ['hello', '127.0.0.1', '%3Cscript%3E', 'report.pdf', 'a/b', '%00']) {
    const response = await open(`/domain/${name}`);
    expect([name, response.statusCode]).toEqual([name, 404]);
    expect(response.body).toContain('404 Page Not Found');
  }
});

test('the page shares the limit of the check, and says how to continue', async () => {
  const from = '192.0.2.9';
  for (let i = 0; i < maxChecksPerHour.visitor; i++) await open('/domain/listed.example', { from });
  const limited = await open('/domain/listed.example', { from });
  expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
  expect(limited.body).toContain('Without an account, you can check 30 domains per hour.');
  expect(limited.body).not.toContain('is on the paid-link blacklist');
  expect((await open('/domain/listed.example', { from, as: admin.cookie })).statusCode).toBe(200);
});

test('the code that renders the page is not served', async () => {
  expect((await open('/render/page.js')).statusCode).toBe(404);
});

test('pages are indexed only if the operator allows it', async () => {
  const { app: indexed, context: indexedContext } = await startTestApp({ INDEX_DOMAIN_PAGES: '1' });
  const cells = { name: 'b.example', tld: 'example', risk_level: 1, source: ['crawler'] };
  await indexedContext.db.insertInto('domains').values(cells).execute();
  const { headers, body } = await indexed.inject({ url: '/domain/a.example', headers: { host: 'links.example' } });
  expect(headers['x-robots-tag']).toBeUndefined();
  expect(body).not.toContain('noindex');
});
