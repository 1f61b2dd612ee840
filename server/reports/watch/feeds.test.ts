import { expect, test } from 'vitest';
import { executeFeedRun } from '../../blacklist/feeds/feeds.ts';
import { buildFeedCalls, startListServer } from '../../blacklist/feeds/list-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

const server = await startListServer();
const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' });
const { context, signUp } = testApp;
const { createWebsite, match, listAlerts } = buildWatchCalls(testApp);
const { createFeed, listRuns, startRefresh } = buildFeedCalls(testApp, (await signUp({ admin: true })).cookie);

const lines = (names: readonly string[]) => names.map((name) => `${name}\n`).join('');
const names = Array.from({ length: 60 }, (_, i) => `seller-${i}.com`);

test('a feed raises "delisted" only for names that two good copies in a row do not have', async () => {
  const website = await createWebsite(names.slice(0, 40).map((name) => `https://${name}/`));
  server.serve('/list.txt', lines(names));
  const { id, lastRun } = await createFeed({ name: 'A list', url: server.url('/list.txt') });
  const refresh = async (runId?: number) => {
    await executeFeedRun(context, runId ?? (await startRefresh(id)));
    await match();
    return (await listRuns(id))[0]?.status;
  };
  expect(await refresh(lastRun?.id)).toBe('updated');
  const listed = await listAlerts(website);
  expect(listed).toHaveLength(40);
  expect(listed).toContain('listed seller-7.com: none to low');

  const notAList = '<!doctype html><title>Not found</title>';
  for (const broken of ['', notAList]) {
    server.serve('/list.txt', broken);
    expect(await refresh()).toBe('failed');
    expect(await listAlerts(website)).toEqual(listed);
  }
  server.serve('/list.txt', lines(names.slice(30)));
  for (const _ of [1, 2]) {
    expect(await refresh()).toBe('review');
    expect(await listAlerts(website)).toEqual(listed);
  }
  server.serve('/list.txt', lines(names.slice(1)));
  expect(await refresh()).toBe('unchanged');
  expect(await listAlerts(website)).toEqual(listed);
  server.serve('/list.txt', `${lines(names.slice(1))}other.com\n`);
  expect(await refresh()).toBe('updated');
  expect(await listAlerts(website)).toEqual(['delisted seller-0.com: low to none', ...listed]);
});
