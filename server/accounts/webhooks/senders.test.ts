import { expect, test } from 'vitest';
import { executeFeedRun } from '../../blacklist/feeds/feeds.ts';
import { buildFeedCalls, startListServer } from '../../blacklist/feeds/list-server.fixtures.ts';
import { buildAnalysisCalls } from '../../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { sendDueDeliveries } from './deliver.ts';
import { repeatedDeliveries } from './jobs.ts';
import { buildWebhookCalls, startReceiver, verify } from './receiver.fixtures.ts';

const settings = { ALLOW_PRIVATE_ADDRESSES: '1', PUBLIC_URL: 'https://links.example' };
const receiver = await startReceiver();
const lists = await startListServer();
const working = await startTestApp(settings, { work: [...analysisJobs, repeatedDeliveries] });
const idle = await startTestApp(settings);

test('a worker sends the event of a report when it is stored', async () => {
  const { createWebsite, createDomains, analyze } = buildAnalysisCalls(working);
  const { createWebhook } = buildWebhookCalls(working, receiver);
  const [{ as, secret, requests }, other] = [await createWebhook(), await createWebhook()];
  const site = await createWebsite(as);
  await createDomains({ name: 'listed-one.test', risk: 4 });
  const { reportId } = await analyze(as, site.id, 'Source URL\nhttps://listed-one.test/a\nhttps://fine.test/\n');
  await expect.poll(() => requests().length, { timeout: 20_000 }).toBe(1);
  const [request] = requests();
  expect(request && verify(secret, request)).toEqual({
    type: 'report.completed',
    timestamp: expect.any(String),
    data: {
      reportId,
      profileId: site.id,
      website: site.domain,
      totalBacklinks: 2,
      uniqueDomains: 2,
      toxicDomains: 1,
      toxicityPercentage: null,
      toxicityRating: 'very high',
      url: `https://links.example/reports/${reportId}`,
    },
  });
  expect(other.requests()).toEqual([]);
});

test('admins get an event of each failed refresh of a feed and of each copy that needs review', async () => {
  const { context } = idle;
  const { createWebhook } = buildWebhookCalls(idle, receiver);
  const { as, requests } = await createWebhook({ events: ['feed.failed', 'feed.review'] }, { admin: true });
  const { createFeed, startRefresh, listRuns } = buildFeedCalls(idle, as);
  const names = Array.from({ length: 60 }, (_, i) => `list-${i}.com`);
  lists.serve('/list.txt', names.join('\n'));
  const feed = await createFeed({ name: 'A list', url: lists.url('/list.txt') });
  await executeFeedRun(context, feed.lastRun?.id ?? 0);
  lists.serve('/list.txt', (_, response) => response.writeHead(503).end());
  await executeFeedRun(context, await startRefresh(feed.id));
  lists.serve('/list.txt', names.slice(0, 20).join('\n'));
  const held = await startRefresh(feed.id);
  await executeFeedRun(context, held);
  // The process was killed before the run waited for the review.
  await context.db.updateTable('feed_runs').set({ status: 'running' }).where('id', '=', held).execute();
  await executeFeedRun(context, held);
  await sendDueDeliveries(context, new AbortController().signal);
  const failed = (await listRuns(feed.id)).find(({ status }) => status === 'failed');
  const shared = { feedId: feed.id, name: 'A list', url: `https://links.example/admin/feeds?feed=${feed.id}` };
  expect(requests().map(({ body }) => JSON.parse(body))).toMatchObject([
    { type: 'feed.failed', data: { ...shared, reason: failed?.error } },
    { type: 'feed.review', data: { ...shared, added: 0, removed: 40 } },
  ]);
});
