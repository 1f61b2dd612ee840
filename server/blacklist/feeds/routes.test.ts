import { expect, test } from 'vitest';
import type { CatalogueEntry, Feed, FeedRun } from '#shared/blacklist/feeds.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../platform/db/locks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { sourceRunJob } from '../sources/jobs.ts';
import { catalogue } from './catalogue.ts';
import { feedJob } from './jobs.ts';
import { buildFeedCalls, startListServer } from './list-server.fixtures.ts';

const server = await startListServer();
const testApp = await startTestApp(
  { ALLOW_PRIVATE_ADDRESSES: '1', FEED_MIRROR_URL: `${server.url('')}/mirror` },
  { work: [feedJob, sourceRunJob] },
);
const { call, context, signUp } = testApp;
const { cookie: as, username } = await signUp({ admin: true });
const { createFeed, getFeed, listRuns } = buildFeedCalls(testApp, as);

async function waitForFeed(id: number, states: readonly Feed['state'][] = ['ok', 'unchanged']): Promise<Feed> {
  await expect
    .poll(async () => (await getFeed(id)).state, { timeout: 60_000 })
    .toSatisfy((state: Feed['state']) => states.includes(state));
  return await getFeed(id);
}
const find = async (domain: string) =>
  (await call('GET', `/api/domains?search=${domain}`, { as })).json().domains as { domain: string; source: string }[];

test('the catalogue has free lists in groups, with addresses on GitHub, and no rows', async () => {
  const entries: CatalogueEntry[] = (await call('GET', '/api/admin/feeds/catalogue', { as })).json();
  expect(entries.length).toBeGreaterThan(20);
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length);
  expect(new Set(entries.map(({ name }) => name.toLowerCase())).size).toBe(entries.length);
  expect(new Set(entries.map(({ group }) => group))).toEqual(
    new Set(['sellers', 'disavow', 'spamdexing', 'wellKnown']),
  );
  for (const entry of entries) {
    expect(entry.url).toMatch(/^https:\/\/raw\.githubusercontent\.com\/[\w.-]+\/[\w.-]+\/HEAD\/[\w./%-]+$/);
    expect(entry.homepage).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/);
    expect(entry.licence).not.toBe('');
    expect(entry.kind === 'allow').toBe(entry.sourceKind === null);
    expect(entry.subscribed).toBe(false);
  }
  const total = entries.filter(({ kind, isRecommended }) => kind === 'block' && isRecommended);
  expect(total.reduce((sum, { approximateSize }) => sum + approximateSize, 0)).toBeGreaterThan(20_000);
});

test('a list of the catalogue is added by its key, once, from the mirror', async () => {
  const entry = catalogue.find(({ key }) => key === 'bad-bot-blocker');
  server.serve(`/mirror${new URL(entry?.url ?? '').pathname}`, 'domain:bot-seller.com\n');
  const feed = await createFeed({ catalogueKey: 'bad-bot-blocker' });
  expect(feed).toMatchObject({
    name: 'Ultimate Bad Bot Blocker',
    url: entry?.url,
    kind: 'block',
    sourceKind: 'disavow',
    licence: 'MIT',
    homepage: 'https://github.com/mitchellkrogza/apache-ultimate-bad-bot-blocker',
    intervalHours: 24,
    format: 'auto',
    enabled: true,
    catalogueKey: 'bad-bot-blocker',
    lastRun: { status: expect.stringMatching(/running|updated/) },
  });
  expect(await waitForFeed(feed.id)).toMatchObject({ domains: 1, detectedFormat: 'disavow' });
  const again = await call('POST', '/api/admin/feeds', { as, body: { catalogueKey: 'bad-bot-blocker' } });
  expect([again.statusCode, again.json().error, again.json().existingId]).toEqual([
    409,
    'You already subscribe to Ultimate Bad Bot Blocker.',
    feed.id,
  ]);
  const sameName = await call('POST', '/api/admin/feeds', {
    as,
    body: { name: 'ultimate bad bot blocker', url: server.url('/mirror') },
  });
  expect([sameName.statusCode, sameName.json().error, sameName.json().existingId]).toEqual([
    409,
    'There is already a feed with the name ultimate bad bot blocker.',
    undefined,
  ]);
  const unknown = await call('POST', '/api/admin/feeds', { as, body: { catalogueKey: 'no-such-list' } });
  expect([unknown.statusCode, Object.keys(unknown.json().fields)]).toEqual([400, ['catalogueKey']]);
  const entries: CatalogueEntry[] = (await call('GET', '/api/admin/feeds/catalogue', { as })).json();
  expect(entries.find(({ key }) => key === 'bad-bot-blocker')?.subscribed).toBe(true);
  const { sources } = (await call('GET', '/api/admin/sources?search=Bad Bot', { as })).json();
  expect(sources).toMatchObject([{ isPublic: true, kind: 'disavow', domains: 1, family: { name: 'Referrer spam' } }]);
});

test('an imported source with the name of a list becomes the source of its feed', async () => {
  await call('POST', '/api/domains', { as, body: { domain: 'imported-before.com', source: 'Imported List' } });
  server.serve('/imported.txt', 'imported-before.com\nimported-new.com\n');
  const feed = await createFeed({ name: 'imported list', url: server.url('/imported.txt'), sourceKind: 'inventory' });
  expect(await waitForFeed(feed.id)).toMatchObject({ name: 'Imported List', domains: 2 });
  const { sources } = (await call('GET', '/api/admin/sources?search=Imported List', { as })).json();
  expect(sources, 'a private source is not made public').toMatchObject([{ isPublic: false, kind: 'inventory' }]);
  await expect
    .poll(async () => (await find('imported-before.com'))[0], { timeout: 60_000 })
    .toMatchObject({ confidence: 'probable', source: 'Imported List' });
});

test.each([
  [{ name: 'No address' }, 'url'],
  [{ name: 'Wrong scheme', url: 'ftp://lists.example/a' }, 'url'],
  [{ name: 'a, b', url: 'https://lists.example/a' }, 'name'],
  [{ name: ' ', url: 'https://lists.example/a' }, 'name'],
  [{ name: 'Too often', url: 'https://lists.example/a', intervalHours: 1 }, 'intervalHours'],
  [{ name: 'Unknown format', url: 'https://lists.example/a', format: 'xml' }, 'format'],
])('a feed is refused with a sentence for the field: %j', async (body, field) => {
  const response = await call('POST', '/api/admin/feeds', { as, body });
  expect(response.statusCode).toBe(400);
  expect(response.json().fields[field]).toMatch(/\w/);
});

test('a feed is paused, renamed and changed', async () => {
  server.serve('/changed.txt', 'changed-one.com\n');
  server.serve('/moved.txt', 'changed-one.com\nchanged-two.com\n');
  const { id } = await createFeed({ name: 'Before', url: server.url('/changed.txt') });
  await waitForFeed(id);
  const patch = async (body: object): Promise<Feed> =>
    (await call('PATCH', `/api/admin/feeds/${id}`, { as, body })).json();
  expect(await patch({ enabled: false })).toMatchObject({ enabled: false, state: 'disabled', nextRunAt: null });
  const paused = await patch({ intervalHours: 168, name: 'After', sourceKind: 'disavow', licence: 'MIT' });
  expect(paused).toMatchObject({
    name: 'After',
    sourceKind: 'disavow',
    intervalHours: 168,
    licence: 'MIT',
    enabled: false,
  });
  const continued = await patch({ enabled: true });
  const nextRun = new Date(continued.nextRunAt ?? '').getTime() - new Date(continued.lastRunAt ?? '').getTime();
  expect(nextRun).toBe(168 * 3_600_000);
  await patch({ url: server.url('/moved.txt') });
  await expect.poll(async () => (await getFeed(id)).domains, { timeout: 60_000 }).toBe(2);
  await expect.poll(async () => (await find('changed-one.com'))[0]?.source, { timeout: 60_000 }).toBe('After');
  const taken = await call('PATCH', `/api/admin/feeds/${id}`, { as, body: { name: 'Ultimate Bad Bot Blocker' } });
  expect(taken.statusCode).toBe(409);
  expect((await call('PATCH', '/api/admin/feeds/9999', { as, body: {} })).statusCode).toBe(404);
});

test('a deleted feed leaves its listings, or withdraws those that no other source lists', async () => {
  server.serve('/deleted.txt', 'deleted-one.com\ndeleted-two.com\ngoogle.com\n');
  const add = async (name: string) =>
    (await waitForFeed((await createFeed({ name, url: server.url('/deleted.txt') })).id)).id;
  const kept = await add('Kept');
  const withdrawn = await add('Withdrawn');
  expect(await find('deleted-one.com')).toMatchObject([{ source: 'Kept, Withdrawn' }]);
  expect((await call('DELETE', `/api/admin/feeds/${withdrawn}?listings=withdraw`, { as })).statusCode).toBe(204);
  expect(await find('deleted-one.com')).toMatchObject([{ source: 'Kept', riskLevel: 'low' }]);
  expect((await call('GET', '/api/admin/held?search=Withdrawn', { as })).json().held).toEqual([]);
  expect((await call('DELETE', `/api/admin/feeds/${kept}`, { as })).statusCode).toBe(204);
  expect(await find('deleted-one.com')).toMatchObject([{ source: 'Kept' }]);
  const feeds: Feed[] = (await call('GET', '/api/admin/feeds', { as })).json();
  expect(feeds.filter(({ id }) => id === kept || id === withdrawn)).toEqual([]);
  expect((await call('DELETE', `/api/admin/feeds/${kept}`, { as })).statusCode).toBe(404);
  const again = await add('Withdrawn');
  expect(again).not.toBe(withdrawn);
  expect(await find('deleted-two.com')).toMatchObject([{ source: 'Kept, Withdrawn' }]);
});

test('the source of a feed cannot be merged into another one before the feed is deleted', async () => {
  server.serve('/merged.txt', 'merged-seller.com\n');
  const feed = await createFeed({ name: 'Merged', url: server.url('/merged.txt') });
  await waitForFeed(feed.id);
  await call('POST', '/api/domains', { as, body: { domain: 'merge-target.com', source: 'Merge target' } });
  const findSource = async (name: string): Promise<number> =>
    (await call('GET', `/api/admin/sources?search=${name}`, { as })).json().sources[0].id;
  const [id, intoId] = [await findSource('Merged'), await findSource('Merge target')];
  const merge = () => call('POST', `/api/admin/sources/${id}/merge`, { as, body: { intoId } });
  const refused = await merge();
  expect([refused.statusCode, refused.json().error]).toEqual([
    409,
    'A feed updates this source. To merge it, delete the feed first and keep its listings.',
  ]);
  expect((await call('DELETE', `/api/admin/feeds/${feed.id}?listings=keep`, { as })).statusCode).toBe(204);
  expect((await merge()).statusCode).toBe(202);
  await expect.poll(async () => (await find('merged-seller.com'))[0]?.source, { timeout: 60_000 }).toBe('Merge target');
});

test('the source of a deleted feed cannot be merged while its listings are withdrawn', async () => {
  server.serve('/going.txt', 'going-one.com\n');
  const feed = await createFeed({ name: 'Going', url: server.url('/going.txt') });
  await waitForFeed(feed.id);
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [locks.merge]);
  const deleted = call('DELETE', `/api/admin/feeds/${feed.id}?listings=withdraw`, { as });
  await expect.poll(() => listLockWaiters(context.pool, '%'), { timeout: 60_000 }).not.toEqual([]);
  const { sources } = (await call('GET', '/api/admin/sources?search=Going', { as })).json();
  const target = (await call('GET', '/api/admin/sources?search=Merge target', { as })).json().sources[0];
  const body = { intoId: target.id };
  const merge = () => call('POST', `/api/admin/sources/${sources[0].id}/merge`, { as, body });
  expect((await merge()).statusCode).toBe(409);
  await client.query('rollback');
  client.release();
  expect((await deleted).statusCode).toBe(204);
  await expect.poll(() => find('going-one.com'), { timeout: 60_000 }).toEqual([]);
  expect((await merge()).statusCode).toBe(202);
});

test('a feed that is renamed and gets another kind during a download lists by both', async () => {
  server.serve('/renamed.txt', 'renamed-one.com\n');
  const { id } = await createFeed({ name: 'Early name', url: server.url('/renamed.txt') });
  await waitForFeed(id);
  server.serve('/renamed.txt', async (_, response) => {
    const body = { name: 'Late name', sourceKind: 'inventory' };
    await call('PATCH', `/api/admin/feeds/${id}`, { as, body });
    await expect
      .poll(async () => (await call('GET', '/api/admin/source-runs', { as })).body, { timeout: 60_000 })
      .not.toContain('"processing"');
    response.end('renamed-one.com\nrenamed-two.com\n');
  });
  await call('POST', `/api/admin/feeds/${id}/refresh`, { as });
  await expect.poll(async () => (await getFeed(id)).domains, { timeout: 60_000 }).toBe(2);
  const expected = { source: 'Late name', confidence: 'probable' };
  expect(await find('renamed-')).toMatchObject([expected, expected]);
});

test('lists that installations publish are one family', async () => {
  server.serve('/feeds/blacklist.txt', 'published-seller.com\n');
  const { id } = await createFeed({ name: 'Neighbor', url: server.url('/feeds/blacklist.txt') });
  await waitForFeed(id);
  const { sources } = (await call('GET', '/api/admin/sources?search=Neighbor', { as })).json();
  expect(sources).toMatchObject([{ family: { name: 'Linksieve installations' } }]);
});

test('a feed cannot take the source of submitted sites', async () => {
  const body = { name: 'Community', url: server.url('/any.txt') };
  const refused = await call('POST', '/api/admin/feeds', { as, body });
  expect([refused.statusCode, refused.json().fields]).toEqual([
    400,
    { name: 'The name community is reserved for sites that users submit.' },
  ]);
});

test('a feed that is deleted while it is downloaded lists nothing', async () => {
  let answer: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => {
    server.serve('/pending.txt', (_, response) => {
      answer = () => void response.end('pending-seller.com\n');
      resolve();
    });
  });
  const { id } = await createFeed({ name: 'Pending', url: server.url('/pending.txt') });
  await requested;
  expect((await call('DELETE', `/api/admin/feeds/${id}?listings=withdraw`, { as })).statusCode).toBe(204);
  answer();
  const unfinished = () =>
    context.db
      .selectFrom('feed_runs')
      .select('id')
      .where('feed_id', '=', id)
      .where('status', 'in', ['queued', 'running'])
      .execute();
  await expect.poll(unfinished, { timeout: 60_000 }).toEqual([]);
  expect(await find('pending-seller.com')).toEqual([]);
});

test('a refresh while one is running returns the same run', async () => {
  let answer: () => void = () => undefined;
  const requested = new Promise<void>((resolve) => {
    server.serve('/slow.txt', (_, response) => {
      answer = () => void response.end('slow-seller.com\n');
      resolve();
    });
  });
  const feed = await createFeed({ name: 'Slow', url: server.url('/slow.txt') });
  await requested;
  const refreshed = await call('POST', `/api/admin/feeds/${feed.id}/refresh`, { as });
  expect([refreshed.statusCode, refreshed.json()]).toEqual([202, { runId: feed.lastRun?.id }]);
  expect(await getFeed(feed.id)).toMatchObject({ state: 'new', lastRun: { status: 'running' } });
  answer();
  await waitForFeed(feed.id);
  const runs: FeedRun[] = await listRuns(feed.id);
  expect(runs).toHaveLength(1);
  const accept = await call('POST', `/api/admin/feeds/${feed.id}/runs/${runs[0]?.id}/accept`, { as });
  expect(accept.statusCode).toBe(409);
});

test('the audit log records who added, changed, refreshed and deleted feeds', async () => {
  const { events } = (await call('GET', '/api/admin/audit-events?pageSize=100', { as })).json();
  for (const event of ['Added a feed', 'Changed a feed', 'Refreshed a feed', 'Deleted a feed'])
    expect(events).toContainEqual(expect.objectContaining({ event, username }));
});
