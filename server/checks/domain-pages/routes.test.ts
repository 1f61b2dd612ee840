import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxChecksPerHour } from '../checks/checks.ts';

const { app, call, context, signUp } = await startTestApp();
const { db } = context;
const admin = await signUp({ admin: true });
const user = await signUp();

const list = (domain: string, cells: object = {}) =>
  call('POST', '/api/domains', { as: admin.cookie, body: { domain, source: 'crawler, fiverr', ...cells } });
let addresses = 0;
const newAddress = () => `10.0.0.${++addresses}`;
/** Each call comes from a new IP address, unless it is given. */
const get = (name: string, from = newAddress(), as?: string) =>
  app.inject({
    url: `/api/domains/by-name/${encodeURIComponent(name)}`,
    remoteAddress: from,
    headers: { host: 'localhost:3000', ...(as && { cookie: as }) },
  });

/** Stores a listing by a new source. */
async function addListing(name: string, source: { name: string; is_public?: boolean }, cells: object = {}) {
  const { id } = await db
    .insertInto('sources')
    .values({ kind: 'inventory', ...source })
    .returning('id')
    .executeTakeFirstOrThrow();
  const at = new Date('2024-05-06T07:08:09Z');
  await db
    .insertInto('listings')
    .values({ name, source_id: id, first_seen_at: at, last_seen_at: at, ...cells })
    .execute();
}

test('returns the facts of a listed domain under its normalized name', async () => {
  await list('listed.example', { niche: 'Health', cost: '$80', riskLevel: 'high' });
  const response = await get('https://WWW.Listed.example./page');
  expect([response.statusCode, response.json()]).toMatchObject([
    200,
    {
      domain: 'listed.example',
      listed: true,
      matchedDomain: 'listed.example',
      riskLevel: 'high',
      confidence: 'probable',
      sourceCount: 2,
      independentSourceCount: 2,
      firstListedAt: expect.stringMatching(/^20/),
      lastSeen: expect.stringMatching(/^20/),
      niche: 'Health',
      cost: '$80',
      ownerStatement: null,
    },
  ]);
});

test('a subdomain of a listed domain has the facts of that domain', async () => {
  await list('above.example');
  expect((await get('a.b.above.example')).json()).toMatchObject({
    domain: 'a.b.above.example',
    listed: true,
    matchedDomain: 'above.example',
    independentSourceCount: 2,
  });
});

test('an unlisted domain has no facts but its history', async () => {
  const withdrawn = { withdrawn_at: new Date('2024-06-07T00:00:00Z'), price: '$50' };
  await addListing('former.example', { name: 'a former source' }, withdrawn);
  const response = await get('former.example');
  expect([response.statusCode, response.json()]).toEqual([
    200,
    {
      domain: 'former.example',
      listed: false,
      isBlacklistEmpty: false,
      matchedDomain: null,
      riskLevel: null,
      confidence: null,
      sourceCount: null,
      independentSourceCount: null,
      firstListedAt: null,
      lastSeen: null,
      niche: null,
      cost: null,
      listings: [expect.objectContaining({ price: '$50', withdrawnAt: '2024-06-07T00:00:00.000Z' })],
      ownerStatement: null,
    },
  ]);
});

test('names and notes of sources that are not public are hidden, even from admins', async () => {
  await list('evidence.example');
  const evidence = { evidence_url: 'https://market.example/42', price: '$99', note: 'from a friend' };
  await addListing('evidence.example', { name: 'secret market' }, evidence);
  await addListing('evidence.example', { name: 'open list', is_public: true }, { note: 'line 7' });
  for (const as of [undefined, user.cookie, admin.cookie]) {
    const response = await get('evidence.example', undefined, as);
    expect(response.body).not.toContain('secret market');
    expect(response.body).not.toContain('from a friend');
    expect(response.body).not.toContain('crawler');
    expect(response.json().listings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          source: null,
          kind: 'inventory',
          price: '$99',
          note: null,
          evidenceUrl: 'https://market.example/42',
        }),
        expect.objectContaining({ source: 'open list', note: 'line 7' }),
      ]),
    );
  }
});

test('a text that is no domain is invalid', async () => {
  for (const name of ['hello', '127.0.0.1', '<script>', 'x'.repeat(300), 'report.pdf']) {
    const response = await get(name);
    expect([name, response.statusCode, response.json().code]).toEqual([name, 400, 'invalid']);
  }
});

test('shares the hourly limit of the check, except for texts that are no domain', async () => {
  const from = '192.0.2.77';
  expect((await get('hello', from)).statusCode).toBe(400);
  await app.inject({ url: '/api/check?domain=a.example', remoteAddress: from });
  const codes: number[] = [];
  for (let i = 0; i < maxChecksPerHour.visitor; i++) codes.push((await get('a.example', from)).statusCode);
  expect([codes.indexOf(429), codes.length]).toEqual([maxChecksPerHour.visitor - 1, maxChecksPerHour.visitor]);
  const limited = await get('a.example', from);
  expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await get('a.example', from, user.cookie)).statusCode).toBe(200);
});

test('while the blacklist is empty, an unlisted domain has that fact instead of a verdict', async () => {
  const empty = await startTestApp({ INDEX_DOMAIN_PAGES: '1' });
  const { isBlacklistEmpty, listed } = (await empty.call('GET', '/api/domains/by-name/any.example')).json();
  expect([isBlacklistEmpty, listed]).toEqual([true, false]);
  const page = await empty.call('GET', '/domain/any.example');
  expect(page.headers['x-robots-tag']).toBe('noindex');
  expect(page.body).toContain('<title>No verdict on any.example yet · Linksieve</title>');
  expect(page.body).toContain('The blacklist of this installation is still empty');
  expect(page.body).not.toContain('None of our sources');
  expect(page.body).not.toContain('is not listed');
});
