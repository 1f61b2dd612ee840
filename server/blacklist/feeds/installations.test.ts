import { afterAll, expect, test } from 'vitest';
import type { Feed } from '#shared/blacklist/feeds.ts';
import { publishedLists } from '#shared/blacklist/published-list.ts';
import { buildApp } from '../../app.ts';
import { startTestApp, type TestApp } from '../../test-app.fixtures.ts';
import { executeFeedRun } from './feeds.ts';
import { buildFeedCalls } from './list-server.fixtures.ts';

let minutes = 0;

/** Starts an installation that publishes its blacklist, `minutes` from now. */
async function startInstallation() {
  const installation = await startTestApp({ PUBLISH_BLACKLIST: '1', ALLOW_PRIVATE_ADDRESSES: '1' });
  const later = () => new Date(Date.now() + minutes * 60_000);
  const app = buildApp({ ...installation.context, now: later });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  afterAll(() => app.close());
  const { cookie: as } = await installation.signUp({ admin: true });
  return { ...installation, ...buildFeedCalls(installation, as), as, address };
}

const [one, other] = [await startInstallation(), await startInstallation()];

async function refresh({ context, listRuns, startRefresh }: typeof one, { id }: Feed) {
  const runId = await startRefresh(id);
  await executeFeedRun(context, runId);
  return (await listRuns(id))[0];
}

async function subscribe(to: typeof one, from: typeof one, path: string): Promise<Feed> {
  const feed = await from.createFeed({ name: `List ${path}`, url: to.address + path });
  await executeFeedRun(from.context, feed.lastRun?.id ?? 0);
  return await from.getFeed(feed.id);
}

async function listNames({ call, as }: TestApp & { as: string }, source: string): Promise<string[]> {
  const { domains } = (await call('GET', `/api/domains?source=${encodeURIComponent(source)}`, { as })).json();
  return domains.map(({ domain }: { domain: string }) => domain).sort();
}

test('an installation subscribes to another one in each format, and names leave both', async () => {
  const names = ['leaves.com', 'sells-links.com', 'sells-posts.co.uk'];
  for (const domain of names) {
    await one.call('POST', '/api/domains', { as: one.as, body: { domain, source: 'Origin' } });
  }
  await one.context.db.updateTable('sources').set({ is_public: true }).where('name', '=', 'Origin').execute();
  const feeds: Feed[] = [];
  for (const { path } of Object.values(publishedLists)) {
    const feed = await subscribe(one, other, path);
    expect(feed, path).toMatchObject({ state: 'ok', domains: names.length });
    expect(await listNames(other, feed.name)).toEqual(names);
    feeds.push(feed);
  }
  const [domain] = (await other.call('GET', '/api/domains?search=leaves.com', { as: other.as })).json().domains;
  expect(domain, 'the formats of one list are one source').toMatchObject({ sourceCount: 4, confidence: 'reported' });

  const back = await one.createFeed({ name: 'Back', url: `${other.address}/feeds/blacklist.txt` });
  await executeFeedRun(one.context, back.lastRun?.id ?? 0);
  expect((await one.getFeed(back.id)).domains, 'the other one has no list of its own').toBe(0);

  const { id } = (await one.call('GET', '/api/domains?search=leaves.com', { as: one.as })).json().domains[0];
  await one.call('DELETE', `/api/domains/${id}`, { as: one.as });
  // An installation looks for changes of its list once a minute.
  minutes = 2;
  for (const feed of feeds) {
    await refresh(other, feed);
    expect(await refresh(other, feed)).toMatchObject({ removed: 1 });
    expect(await listNames(other, feed.name)).toEqual(names.slice(1));
  }
});
