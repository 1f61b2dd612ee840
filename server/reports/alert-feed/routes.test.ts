import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { parseAtom } from '../../platform/http/atom.fixtures.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { buildAlertCalls } from '../digests/alerts.fixtures.ts';

const { app, call, context, signUp } = await startTestApp({ PUBLIC_URL: 'https://links.example' });
const { db } = context;
const { createWebsite, createAlerts } = buildAlertCalls(context);

const getPath = async ({ cookie }: TestUser) => {
  const { url } = (await call('GET', '/api/account/alert-feed', { as: cookie })).json();
  expect(url).toMatch(/^https:\/\/links\.example\/alerts\/\d+-\d+-[\w-]{43}\.xml$/);
  return new URL(url).pathname;
};
const replace = async ({ cookie }: TestUser) =>
  new URL((await call('POST', '/api/account/alert-feed', { as: cookie })).json().url).pathname;
/** Without a session, as a feed reader. */
const read = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
const readFeed = async (user: TestUser) => parseAtom((await read(await getPath(user))).body);
const at = new Date('2026-03-04T09:00:00.123Z');

test('the feed of an account without alerts is empty and private', async () => {
  const user = await signUp();
  const path = await getPath(user);
  const response = await read(path);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': 'private, no-cache',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  });
  const { feed, entries, links } = parseAtom(response.body);
  expect(entries).toEqual([]);
  expect(feed).toMatchObject({ id: `tag:links.example,2026:alerts/${user.id}`, updated: '1970-01-01T00:00:00.000Z' });
  expect(links.map(({ rel, href }) => [rel, href])).toEqual([
    ['self', `https://links.example${path}`],
    ['alternate', 'https://links.example/alerts'],
  ]);
});

test('each run is an entry with its alerts, the newest run and the worst alert first', async () => {
  const user = await signUp();
  const [shop, blog] = [await createWebsite(user.id, 'off'), await createWebsite(user.id, 'off')];
  const stranger = await createWebsite((await signUp()).id, 'off');
  await createAlerts(shop.id, { runId: 7, domain: 'gone.test', event: 'delisted', from: 2, at });
  await createAlerts(
    shop.id,
    { runId: 8, domain: 'low.test', to: 1, at },
    { runId: 8, domain: 'high.test', to: 3, backlinks: 1200, at },
    { runId: 8, domain: '<b>&"\u0001.test', event: 'raised', from: 1, to: 2, at: new Date(at.getTime() + 1000) },
  );
  await createAlerts(shop.id, { runId: 9, domain: 'low.test', event: 'lowered', from: 2, to: 1, at });
  await createAlerts(blog.id, { runId: 9, domain: 'low.test', to: 1, at });
  await createAlerts(stranger.id, { runId: 9, domain: 'not-mine.test', at });
  const { entries, feed } = await readFeed(user);
  const id = `tag:links.example,2026:alerts/${user.id}`;
  const domain = (name: string) => `<a href="https://links.example/domain/${encodeURIComponent(name)}">`;
  expect(feed.updated).toBe('2026-03-04T09:00:01.123Z');
  expect(entries).toEqual([
    {
      id: `${id}/9`,
      title: '1 domain listed, 1 lowered: 2 websites',
      updated: at.toISOString(),
      content:
        `<ul><li>${domain('low.test')}low.test</a>: now on the blacklist: Low risk, 1 link (${blog.domain})</li>` +
        `<li>${domain('low.test')}low.test</a>: lowered from Medium to Low risk, 1 link (${shop.domain})</li></ul>`,
    },
    {
      id: `${id}/8`,
      title: `2 domains listed, 1 raised: ${shop.domain}`,
      updated: '2026-03-04T09:00:01.123Z',
      content:
        `<ul><li>${domain('high.test')}high.test</a>: now on the blacklist: High risk, 1,200 links</li>` +
        `<li>${domain('<b>&"\u0001.test')}&lt;b&gt;&amp;&quot;.test</a>: raised from Low to Medium risk, 1 link</li>` +
        `<li>${domain('low.test')}low.test</a>: now on the blacklist: Low risk, 1 link</li></ul>`,
    },
    {
      id: `${id}/7`,
      title: `1 domain delisted: ${shop.domain}`,
      updated: at.toISOString(),
      content: `<ul><li>${domain('gone.test')}gone.test</a>: no longer on the blacklist, 1 link</li></ul>`,
    },
  ]);
});

test('the feed has the 50 newest runs with up to 50 alerts, and counts the others', async () => {
  const user = await signUp();
  const { id, domain } = await createWebsite(user.id, 'off');
  await createAlerts(id, ...Array.from({ length: 60 }, (_, i) => ({ runId: 1000 + i, at })));
  await createAlerts(id, ...Array.from({ length: 1300 }, () => ({ runId: 2000, at })));
  const { entries } = await readFeed(user);
  expect(entries).toHaveLength(50);
  expect(entries[0]?.title).toBe(`1,300 domains listed: ${domain}`);
  expect(entries[0]?.content?.match(/<li>/g)).toHaveLength(50);
  expect(entries[0]?.content).toMatch(/<p>and 1,250 more<\/p>$/);
  expect(entries.at(-1)?.id).toMatch(/\/1011$/);
});

test('a reader that has the current feed gets 304, by ETag or date', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'off');
  await createAlerts(id, { runId: 3, at });
  const path = await getPath(user);
  const { headers } = await read(path);
  const known = { etag: String(headers.etag), date: String(headers['last-modified']) };
  expect(known.date).toBe('Wed, 04 Mar 2026 09:00:00 GMT');
  const unchanged = await read(path, { 'if-none-match': known.etag });
  expect([unchanged.statusCode, unchanged.body, unchanged.headers['cache-control']]).toEqual([
    304,
    '',
    'private, no-cache',
  ]);
  expect((await read(path, { 'if-modified-since': known.date })).statusCode).toBe(304);
  await createAlerts(id, { runId: 4, at: new Date(at.getTime() + 2000) });
  expect((await read(path, { 'if-none-match': known.etag })).statusCode).toBe(200);
  expect((await read(path, { 'if-modified-since': known.date })).statusCode).toBe(200);
});

test('the ETag changes if and only if the content does, and a known one counts no alerts', async () => {
  const user = await signUp();
  const { id: shop } = await createWebsite(user.id, 'off');
  const { id: blog } = await createWebsite(user.id, 'off');
  const empty = await createWebsite(user.id, 'off');
  const old = await createWebsite(user.id, 'off');
  await createAlerts(old.id, { runId: 1, at });
  await createAlerts(shop, ...Array.from({ length: 50 }, (_, i) => ({ runId: 10 + i, at })));
  await createAlerts(blog, { runId: 59, at });
  const path = await getPath(user);
  const seen = async () => {
    const { headers, body } = await read(path);
    return { etag: String(headers.etag), body };
  };
  const first = await seen();
  await db.updateTable('alerts').set({ read_at: at, mailed_at: at }).where('website_id', '=', shop).execute();
  for (const { id } of [empty, old]) await db.deleteFrom('websites').where('id', '=', id).execute();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const isCounted = () =>
    query.mock.calls.some((parameters) => JSON.stringify(parameters[0]).includes('filter (where event'));
  expect((await read(path, { 'if-none-match': first.etag })).statusCode).toBe(304);
  expect(isCounted()).toBe(false);
  expect(await seen()).toEqual(first);
  expect(isCounted()).toBe(true);
  query.mockRestore();
  await db.updateTable('websites').set({ domain: 'renamed.example' }).where('id', '=', blog).execute();
  const second = await seen();
  expect([second.etag === first.etag, second.body === first.body]).toEqual([false, false]);
  await db.deleteFrom('websites').where('id', '=', blog).execute();
  const third = await seen();
  expect([third.etag === second.etag, third.body === second.body]).toEqual([false, false]);
});

test('the feed is compressed if the client accepts it', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'off');
  await createAlerts(id, ...Array.from({ length: 50 }, () => ({ at })));
  const { headers, rawPayload } = await read(await getPath(user), { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(rawPayload).toString()).toContain('<feed ');
});

test('a replaced address stops working, and the ids of the entries stay', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'off');
  await createAlerts(id, { runId: 5, at });
  const first = await getPath(user);
  const { entries } = await readFeed(user);
  const second = await replace(user);
  const third = await replace(user);
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await getPath(user)).toBe(third);
  expect(await Promise.all([first, second, third].map(async (path) => (await read(path)).statusCode))).toEqual([
    404, 404, 200,
  ]);
  expect((await readFeed(user)).entries).toEqual(entries);
});

test('wrong tokens and the feeds of disabled and deleted accounts get the same private 404', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const path = await getPath(user);
  const signature = (await getPath(other)).split('-').slice(2).join('-');
  const wrong = [
    '/alerts/x.xml',
    `/alerts/${user.id}-1-${'A'.repeat(43)}.xml`,
    `/alerts/${user.id}-1-${signature}`,
    path.replace(`${user.id}-1`, `${user.id}-2`),
    path.replace(`${user.id}-1`, `0${user.id}-1`),
  ];
  await db.updateTable('users').set({ disabled_at: at }).where('id', '=', user.id).execute();
  for (const url of [...wrong, path]) {
    const { statusCode, headers, body } = await read(url);
    expect([url, statusCode]).toEqual([url, 404]);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex, nofollow' });
    expect(body).toContain('This feed does not exist or got a new address.');
  }
  await db.updateTable('users').set({ disabled_at: null }).where('id', '=', user.id).execute();
  expect((await read(path)).statusCode).toBe(200);
  await db.deleteFrom('users').where('id', '=', user.id).execute();
  expect((await read(path)).statusCode).toBe(404);
});
