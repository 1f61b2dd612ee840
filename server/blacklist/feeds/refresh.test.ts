import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { catalogueOrigin } from './catalogue.ts';
import { deleteOldRuns, executeFeedRun, startDueRuns } from './feeds.ts';
import { buildFeedCalls, startListServer } from './list-server.fixtures.ts';

const server = await startListServer();
const testApp = await startTestApp({
  ALLOW_PRIVATE_ADDRESSES: '1',
  FEED_MIRROR_URL: `${server.url('')}/mirror`,
  // No request of the tests leaves this machine.
  DNS_SERVERS: '127.0.0.1:9',
});
const { call, context, signUp } = testApp;
const { cookie: as } = await signUp({ admin: true });
const { createFeed, getFeed, listRuns, startRefresh } = buildFeedCalls(testApp, as);

let now = new Date('2026-03-01T06:00:00Z');
context.now = () => now;
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);

/** Executes a run as the worker does, but in this process. @returns the run */
async function run(feedId: number, runId?: number): Promise<FeedRun> {
  const id = runId ?? (await startRefresh(feedId));
  await executeFeedRun(context, id);
  const found = (await listRuns(feedId)).find((one) => one.id === id);
  if (!found) throw new Error(`There is no run ${id}.`);
  return found;
}

let created = 0;
/** Adds a feed whose list has this content, and executes its first run. */
async function addFeed(content: Parameters<typeof server.serve>[1], input: object = {}) {
  created += 1;
  const path = `/list-${created}.txt`;
  server.serve(path, content);
  const feed = await createFeed({ name: `List ${created}`, url: server.url(path), ...input });
  const first = await run(feed.id, feed.lastRun?.id);
  return { feed: await getFeed(feed.id), first, serve: (next: typeof content) => server.serve(path, next) };
}

const lines = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');
const buildNames = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}-${String(i).padStart(4, '0')}.com`);

/** Returns the names that the source of a feed lists. */
async function listNames({ name }: Feed): Promise<string[]> {
  const names: string[] = [];
  for (let page = 0; ; page += 1) {
    const query = new URLSearchParams({ source: name, page: String(page), pageSize: '100', sort: 'domain-asc' });
    const { domains } = (await call('GET', `/api/domains?${query}`, { as })).json();
    if (domains.length === 0) return names.sort();
    names.push(...domains.map(({ domain }: { domain: string }) => domain));
  }
}

test('the first run lists the names of a list by a public source', async () => {
  const { feed, first } = await addFeed('# spam\nseller-one.com\nSeller-Two.com.\n10.0.0.1\nseller-one.com/page\n', {
    licence: 'MIT',
    homepage: 'https://lists.example/',
  });
  expect(first).toMatchObject({
    status: 'updated',
    added: 2,
    removed: 0,
    unchanged: 0,
    held: 0,
    rejected: { ip: 1, path: 1 },
    error: null,
  });
  expect(feed).toMatchObject({
    state: 'ok',
    domains: 2,
    failures: 0,
    sourceKind: 'list',
    detectedFormat: 'plain',
    licence: 'MIT',
    nextRunAt: hours(24).toISOString(),
    lastSuccessAt: now.toISOString(),
  });
  expect(await listNames(feed)).toEqual(['seller-one.com', 'seller-two.com']);
  const { domains } = (await call('GET', '/api/domains?search=seller-one.com', { as })).json();
  const { cookie } = await signUp();
  const listings = (await call('GET', `/api/domains/${domains[0].id}/listings`, { as: cookie })).json();
  expect(listings).toMatchObject([{ source: feed.name, kind: 'list', note: null, withdrawnAt: null }]);
});

test('an unchanged list is requested with its ETag and not sent again', async () => {
  const { feed } = await addFeed(lines(['etag-one.com', 'etag-two.com']));
  const second = await run(feed.id);
  expect(second).toMatchObject({ status: 'unchanged', added: 0, removed: 0, unchanged: 2, bytes: 0 });
  const request = server.requests.at(-1);
  expect(request?.headers).toMatchObject({ 'user-agent': expect.stringMatching(/^Linksieve \(\+http/) });
  expect(request?.headers['if-none-match']).toMatch(/^"\w+"$/);
  expect(request?.headers.cookie).toBeUndefined();
  expect((await getFeed(feed.id)).state).toBe('unchanged');
});

test('a list without an ETag is requested with its date, and its content is compared', async () => {
  const modified = 'Sun, 01 Feb 2026 00:00:00 GMT';
  const dates: (string | undefined)[] = [];
  const { feed } = await addFeed((request, response) => {
    dates.push(request.headers['if-modified-since']);
    response.writeHead(200, { 'last-modified': modified, 'set-cookie': 'a=b' }).end('dated-one.com\n');
  });
  expect(await run(feed.id)).toMatchObject({ status: 'unchanged', unchanged: 1, bytes: 14 });
  expect(dates).toEqual([undefined, modified]);
});

test('a name is withdrawn when two good copies in a row do not have it', async () => {
  const { feed, serve } = await addFeed(lines(['stays.com', 'leaves.com', 'flips.com']));
  serve(lines(['stays.com']));
  expect(await run(feed.id)).toMatchObject({ status: 'unchanged', added: 0, removed: 0 });
  expect(await listNames(feed)).toEqual(['flips.com', 'leaves.com', 'stays.com']);
  serve(lines(['stays.com', 'flips.com']));
  expect(await run(feed.id)).toMatchObject({ status: 'updated', added: 0, removed: 1 });
  expect(await listNames(feed)).toEqual(['flips.com', 'stays.com']);
  serve(lines(['stays.com']));
  await run(feed.id);
  expect(await listNames(feed)).toEqual(['flips.com', 'stays.com']);
  expect(await run(feed.id), 'a response without a new copy counts too').toMatchObject({
    status: 'updated',
    removed: 1,
  });
  expect(await listNames(feed)).toEqual(['stays.com']);
  const changes = (
    await call('GET', `/api/admin/feeds/${feed.id}/runs/${(await listRuns(feed.id))[0]?.id}/changes?change=removed`, {
      as,
    })
  ).json();
  expect(changes).toMatchObject({ names: ['flips.com'], pagination: { total: 1 } });
});

test('a name that another source lists too stays on the blacklist', async () => {
  const { feed, serve } = await addFeed(lines(['shared-name.com', 'other-name.com']));
  const other = await addFeed(lines(['shared-name.com']));
  const find = async () => (await call('GET', '/api/domains?search=shared-name.com', { as })).json().domains;
  expect(await find()).toMatchObject([{ riskLevel: 'medium', confidence: 'probable', sourceCount: 2 }]);
  serve(lines(['other-name.com']));
  await run(feed.id);
  await run(feed.id);
  expect(await find()).toMatchObject([{ riskLevel: 'low', source: other.feed.name, sourceCount: 1 }]);
});

test('a copy that removes much waits for an admin and changes nothing until then', async () => {
  const names = buildNames('shrink', 100);
  const { feed, serve } = await addFeed(lines(names));
  serve(lines(names.slice(0, 69)));
  const held = await run(feed.id);
  expect(held).toMatchObject({ status: 'review', added: 0, removed: 31, unchanged: 69, error: null });
  expect(await getFeed(feed.id)).toMatchObject({ state: 'review', domains: 100, failures: 0 });
  const { jobs } = (await call('GET', '/api/admin/jobs?kind=feed', { as })).json();
  expect(jobs[0]).toMatchObject({ state: 'review', message: `${feed.name}: would remove 31` });
  const changes = `/api/admin/feeds/${feed.id}/runs/${held.id}/changes?change=removed`;
  expect((await call('GET', changes, { as })).json()).toMatchObject({
    names: names.slice(69),
    pagination: { total: 31 },
  });

  const accepted = await call('POST', `/api/admin/feeds/${feed.id}/runs/${held.id}/accept`, { as });
  expect([accepted.statusCode, accepted.json()]).toEqual([202, { runId: held.id }]);
  expect(await run(feed.id, held.id)).toMatchObject({ status: 'updated', removed: 31, unchanged: 69 });
  expect(await listNames(feed)).toEqual(names.slice(0, 69));
  const again = await call('POST', `/api/admin/feeds/${feed.id}/runs/${held.id}/accept`, { as });
  expect(again.statusCode).toBe(409);
  expect(await run(feed.id)).toMatchObject({ status: 'unchanged', unchanged: 69, bytes: 0 });
});

test('a newer good copy replaces one that waits for a review', async () => {
  const names = buildNames('recovers', 60);
  const { feed, serve } = await addFeed(lines(names));
  serve(lines(names.slice(0, 30)));
  const held = await run(feed.id);
  expect(held.status).toBe('review');
  serve(lines([...names, 'recovers-more.com']));
  expect(await run(feed.id)).toMatchObject({ status: 'updated', added: 1, removed: 0 });
  expect((await getFeed(feed.id)).state).toBe('ok');
  expect((await listRuns(feed.id)).find(({ id }) => id === held.id)).toMatchObject({
    status: 'failed',
    isReplaced: true,
    removed: 0,
    error: 'A newer copy replaced this one before it was accepted.',
  });
});

test('only the newest copy waits for a review, also after a failed download', async () => {
  const names = buildNames('waits', 60);
  const { feed, serve } = await addFeed(lines(names));
  serve(lines(names.slice(0, 30)));
  const first = await run(feed.id);
  serve(lines(names.slice(0, 25)));
  const second = await run(feed.id);
  serve((_, response) => void response.writeHead(500).end());
  await run(feed.id);
  expect(await getFeed(feed.id)).toMatchObject({
    state: 'review',
    failures: 1,
    lastRun: { status: 'failed', isReplaced: false },
    review: { id: second.id, status: 'review', removed: 35 },
  });
  const copies = await context.db.selectFrom('feed_copies').select('run_id').distinct().execute();
  expect(copies.map(({ run_id }) => run_id)).not.toContain(first.id);
  expect((await call('POST', `/api/admin/feeds/${feed.id}/runs/${first.id}/accept`, { as })).statusCode).toBe(409);
  expect((await call('POST', `/api/admin/feeds/${feed.id}/runs/${second.id}/accept`, { as })).statusCode).toBe(202);
  expect(await getFeed(feed.id)).toMatchObject({ review: null, lastRun: { id: second.id, status: 'running' } });
  await run(feed.id, second.id);
  expect(await getFeed(feed.id)).toMatchObject({ state: 'ok', domains: 25, failures: 0, review: null });
});

test.each([
  ['30 % of a list', 100, 70],
  ['19 names of a small list', 30, 11],
])('a copy without %s is applied without a review', async (_, size, left) => {
  const names = buildNames(`limit${size}`, size);
  const { feed, serve } = await addFeed(lines(names));
  serve(lines(names.slice(0, left)));
  expect((await run(feed.id)).status).toBe('unchanged');
});

test.each<[string, Parameters<typeof server.serve>[1], RegExp]>([
  [
    '404',
    (_, response) => response.writeHead(404).end(),
    /^The server responded with 404 Not Found\. Check the address/,
  ],
  ['500', (_, response) => response.writeHead(500).end('seller.com'), /^The server responded with 500/],
  ['a web page', '<!doctype html><html><body>seller.com</body></html>', /web page/],
  ['an empty body', '', /empty/],
  ['only comments', '# nothing here\n', /empty|no domain/],
  ['an image', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /not a list|not text|binary/i],
  ['no domain at all', '/path\n10.0.0.1\n', /domain/],
  ['a truncated archive', gzipSync(lines(buildNames('cut', 500))).subarray(0, 700), /damaged|incomplete|archive/i],
  [
    'a body that ends early',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('bad-end.com\n', () => response.destroy());
    },
    /^This server cannot reach the list: 127\.0\.0\.1:\d+ could not be reached/,
  ],
  [
    'a redirect loop',
    (request, response) => response.writeHead(302, { location: request.url }).end(),
    /redirects more than 5 times/,
  ],
  [
    'more than 100 MB',
    (_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024, 'a');
      const write = () => {
        while (response.write(chunk));
        response.once('drain', write);
      };
      response.on('close', () => response.removeAllListeners('drain'));
      write();
    },
    /^The list is larger than 100 MB\.$/,
  ],
])('a run fails for %s, keeps the last good copy and is tried again later', async (_, bad, error) => {
  const names = buildNames(`kept${created}`, 3);
  const { feed, serve } = await addFeed(lines(names));
  serve(bad);
  const failed = await run(feed.id);
  expect(failed).toMatchObject({ status: 'failed', added: 0, removed: 0, error: expect.stringMatching(error) });
  expect(await getFeed(feed.id)).toMatchObject({
    state: 'failing',
    failures: 1,
    nextRunAt: hours(1).toISOString(),
    domains: 3,
  });
  expect(await listNames(feed)).toEqual(names);
  serve(lines(names));
  expect((await run(feed.id)).status).toBe('unchanged');
  expect(await getFeed(feed.id)).toMatchObject({ state: 'unchanged', failures: 0 });
});

test('the time until the next run grows with the failures', async () => {
  const { feed } = await addFeed((_, response) => response.writeHead(503).end());
  expect(feed).toMatchObject({ state: 'failing', lastSuccessAt: null, nextRunAt: hours(1).toISOString() });
  for (const [failures, wait] of [
    [2, 6],
    [3, 24],
    [4, 24],
  ] as const) {
    await run(feed.id);
    expect(await getFeed(feed.id)).toMatchObject({ failures, nextRunAt: hours(wait).toISOString() });
  }
  const metrics = (await call('GET', '/metrics')).body;
  expect(metrics).toContain(`linksieve_feed_failures{feed="${feed.name}"} 4`);
});

test('names that the guard protects are held for review, and never widened', async () => {
  const { feed, first, serve } = await addFeed(lines(['google.com', 'stanford.edu', 'guarded-seller.com']));
  expect(first).toMatchObject({ status: 'updated', added: 1, held: 2 });
  expect(await listNames(feed)).toEqual(['guarded-seller.com']);
  const { held } = (await call('GET', `/api/admin/held?search=${encodeURIComponent(feed.name)}`, { as })).json();
  expect(held.map(({ domain }: { domain: string }) => domain).sort()).toEqual(['google.com', 'stanford.edu']);
  await call('POST', `/api/admin/held/${held[0].id}`, { as, body: { decision: 'reject' } });
  expect(await run(feed.id), 'a rejected name stays away').toMatchObject({ status: 'unchanged', held: 1 });
  serve(lines(['guarded-seller.com']));
  await run(feed.id);
  const gone = await run(feed.id);
  expect(gone, 'what was never listed is not removed').toMatchObject({ status: 'unchanged', removed: 0 });
  const changes = `/api/admin/feeds/${feed.id}/runs/${gone.id}/changes?change=removed`;
  expect((await call('GET', changes, { as })).json().names).toEqual([]);
});

test('a copy that waits for a review counts only listed names as removed', async () => {
  const { feed, serve } = await addFeed(lines(['google.com', ...buildNames('counted', 40)]));
  serve(lines(buildNames('counted', 10)));
  expect(await run(feed.id)).toMatchObject({ status: 'review', removed: 30 });
});

test('another address cancels a run in progress and a copy that waits for a review', async () => {
  const names = buildNames('moves', 60);
  const { feed, serve } = await addFeed(lines(names));
  serve(lines(names.slice(0, 30)));
  const held = await run(feed.id);
  server.serve('/moved-list.txt', lines(['moved-seller.com', ...names]));
  let changed: Feed | undefined;
  serve(async (_, response) => {
    const body = { url: server.url('/moved-list.txt') };
    changed = (await call('PATCH', `/api/admin/feeds/${feed.id}`, { as, body })).json();
    response.end(lines(['old-address.com']));
  });
  const cancelled = await run(feed.id);
  expect(cancelled).toMatchObject({ status: 'failed', isReplaced: true, added: 0 });
  expect(changed).toMatchObject({ review: null, lastRun: { status: 'running' } });
  expect((await call('POST', `/api/admin/feeds/${feed.id}/runs/${held.id}/accept`, { as })).statusCode).toBe(409);
  await run(feed.id, changed?.lastRun?.id);
  expect(await listNames(feed)).toEqual([...names, 'moved-seller.com'].sort());
  expect(await getFeed(feed.id)).toMatchObject({ state: 'ok', failures: 0 });
});

test('a change of a feed does not wait long for a run that writes its list', async () => {
  const { feed } = await addFeed(lines(['written.com']));
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select from feeds where id = $1 for update', [feed.id]);
  const response = await call('PATCH', `/api/admin/feeds/${feed.id}`, { as, body: { enabled: false } });
  await client.query('rollback');
  client.release();
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '30']);
}, 30_000);

test('only lists of the catalogue are requested from the mirror', async () => {
  server.serve('/own.txt', lines(['own-list.com']));
  const { id, lastRun } = await createFeed({ name: 'Own list', url: `${catalogueOrigin}/own.txt` });
  const first = await run(id, lastRun?.id);
  expect(server.requests.filter(({ url }) => url?.startsWith('/mirror'))).toEqual([]);
  expect(first.error).toContain('raw.githubusercontent.com');
});

test('a withdrawal that failed continues after an hour', async () => {
  const { feed } = await addFeed(lines(['stuck-one.com', 'stuck-two.com']));
  await context.db.updateTable('feeds').set({ deleted_at: now, enabled: false }).where('id', '=', feed.id).execute();
  const withdrawals = () =>
    context.db
      .selectFrom('feed_runs')
      .select(['id', 'status'])
      .where('feed_id', '=', feed.id)
      .where('action', '=', 'withdraw')
      .orderBy('id')
      .execute();
  await context.db
    .insertInto('feed_runs')
    .values({ feed_id: feed.id, action: 'withdraw', status: 'failed', finished_at: now, created_at: now })
    .execute();
  await startDueRuns(context);
  expect(await withdrawals()).toMatchObject([{ status: 'failed' }]);
  await startDueRuns({ ...context, now: () => new Date(now.getTime() + 3_601_000) });
  const [withdrawal] = await withdrawals();
  expect(withdrawal?.status).toBe('queued');
  const id = withdrawal?.id ?? 0;
  await executeFeedRun(context, id);
  expect(await withdrawals()).toMatchObject([{ status: 'completed' }]);
  expect(await listNames(feed)).toEqual([]);

  await context.db.updateTable('feed_runs').set({ status: 'failed' }).where('id', '=', id).execute();
  await createFeed({ name: feed.name, url: feed.url });
  await startDueRuns({ ...context, now: () => new Date(Date.now() + 3_601_000) });
  expect(await withdrawals(), 'the source belongs to another feed now').toMatchObject([{ status: 'failed' }]);
});

test('runs that are too old for the updates page are deleted', async () => {
  const { feed } = await addFeed(lines(['kept-runs.com']));
  const later = new Date(now.getTime() + 26 * 31 * 86_400_000);
  await deleteOldRuns(context.db, new Date(now.getTime() + 86_400_000));
  expect(await listRuns(feed.id)).toHaveLength(1);
  await deleteOldRuns(context.db, later);
  expect(await listRuns(feed.id)).toEqual([]);
  expect(await getFeed(feed.id)).toMatchObject({ domains: 1, lastRun: null });
});

test('a list that protects sites moves listed ones to the review queue', async () => {
  const block = await addFeed(lines(['protected-later.com', 'blog.protected-later.com', 'not-protected.com']));
  const allow = await addFeed('[{"rank":1,"rootDomain":"www.protected-later.com"}]', { kind: 'allow' });
  expect(allow.first).toMatchObject({ status: 'updated', added: 1, held: 2 });
  expect(allow.feed).toMatchObject({ domains: 1, sourceKind: null, detectedFormat: 'json' });
  expect(await listNames(block.feed)).toEqual(['not-protected.com']);
  const { held } = (await call('GET', '/api/admin/held?search=protected-later.com', { as })).json();
  expect(held[0].reason).toBe(`The list ${allow.feed.name} protects protected-later.com.`);
  expect(await run(block.feed.id)).toMatchObject({ status: 'unchanged', held: 2 });
  await call('DELETE', `/api/admin/feeds/${allow.feed.id}`, { as });
  expect(await run(block.feed.id)).toMatchObject({ status: 'updated', added: 2, held: 0 });
});

test('a month of daily refreshes ends with the names of the last two good copies', async () => {
  const start = now;
  const pool = buildNames('month', 60);
  const buildCopy = (day: number) => pool.filter((_, i) => (i * 7 + day * 3) % 10 > 1);
  const { feed, serve } = await addFeed(lines(buildCopy(0)));
  const good = [buildCopy(0)];
  for (let day = 1; day <= 30; day += 1) {
    now = new Date(start.getTime() + day * 86_400_000);
    const fails = day % 6 === 0;
    serve(fails ? '<html></html>' : lines(buildCopy(day)));
    if (!fails) good.push(buildCopy(day));
    await startDueRuns(context);
    const [due] = await listRuns(feed.id);
    expect(due).toMatchObject({ status: 'running', startedAt: now.toISOString() });
    const { status } = await run(feed.id, due?.id);
    expect(status === 'failed').toBe(fails);
    expect(await listNames(feed)).toEqual([...new Set(good.slice(-2).flat())].sort());
  }
  now = start;
});
