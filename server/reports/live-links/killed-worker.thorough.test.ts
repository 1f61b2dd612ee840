import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { startWeb } from '../../blacklist/crawl/web.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { expireHeartbeats, startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { linkCheckQueue } from './jobs.ts';

const kills = 6;
const hosts = Array.from({ length: 60 }, (_, i) => `host-${i}.test`);
const paths = ['/a', '/b', '/c', '/d', '/e', '/f', '/g', '/h'];
const web = await startWeb(
  Object.fromEntries(hosts.map((host) => [host, Object.fromEntries(paths.map((path) => [path, `<p>${path}`]))])),
);
const settings = { CRAWL: '1', CRAWL_HOST_SECONDS: '1', ALLOW_PRIVATE_ADDRESSES: '1', DNS_SERVERS: web.dnsServer };
const testApp = await startTestApp(settings, { work: analysisJobs });
const { context, signUp, call } = testApp;
const { createWebsite, createDomains, analyze } = buildAnalysisCalls(testApp);

let child = startWorkerProcess(context, settings);
afterAll(async () => {
  await stopProcess(child, 'SIGKILL');
});

test('after kill -9 at several moments no page was visited twice, beyond the one of a host that was in flight', async () => {
  await createDomains(...hosts.map((name) => ({ name })));
  const owner = await signUp();
  const website = await createWebsite(owner.cookie, 'our-site.example');
  const lines = hosts.flatMap((host) => paths.map((path) => web.at(host + path)));
  const { reportId } = await analyze(owner.cookie, website.id, `url\n${lines.join('\n')}\n`);
  const path = `/api/reports/${reportId}/link-checks`;
  await call('POST', path, { as: owner.cookie, body: {} });
  const get = async () => (await call('GET', path, { as: owner.cookie })).json();
  for (let kill = 0; kill < kills; kill += 1) {
    const { visited } = await get();
    await expect.poll(async () => (await get()).visited, { timeout: 60_000 }).toBeGreaterThan(visited);
    await delay(Math.random() * 500);
    await stopProcess(child, 'SIGKILL');
    await expireHeartbeats(context, linkCheckQueue.name);
    child = startWorkerProcess(context, settings);
  }
  await expect.poll(async () => (await get()).status, { timeout: 120_000 }).toBe('completed');
  expect(await get()).toMatchObject({ pages: lines.length, visited: lines.length, counts: { gone: hosts.length } });
  for (const host of hosts) {
    const visits = web.visits.filter((visit) => visit.host === host).map((visit) => visit.path);
    // A page that is requested again was the last one before.
    expect([host, visits.filter((one, i) => one !== visits[i - 1])]).toEqual([host, ['/robots.txt', ...paths]]);
  }
}, 400_000);
