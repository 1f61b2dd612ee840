import { afterAll, expect, test, vi } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

// The test starts two workers.
vi.setConfig({ testTimeout: 180_000 });

const testApp = await startTestApp();
const { context } = testApp;
const { createWebsite, setLevel, listAlerts } = buildWatchCalls(testApp);
const workers: ReturnType<typeof startWorkerProcess>[] = [];
const startWorker = () => {
  const worker = startWorkerProcess(context);
  workers.push(worker);
  return worker;
};
afterAll(async () => {
  for (const worker of workers) await stopProcess(worker, 'SIGKILL');
});

test('another worker continues a comparison whose worker was killed, and creates its alert once', async () => {
  const website = await createWebsite(['https://killed-worker.com/', 'https://killed-worker-later.com/']);
  await setLevel('killed-worker.com', 'high');
  // The comparison stops before it creates alerts.
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select from websites where id = $1 for update', [website.websiteId]);
  const killed = startWorker();
  await expect.poll(() => listLockWaiters(context.pool, '%for key share%'), { timeout: 60_000 }).toHaveLength(1);
  await stopProcess(killed, 'SIGKILL');
  await client.query('rollback');
  client.release();
  expect(await listAlerts(website)).toEqual([]);

  startWorker();
  const alerts = ['listed killed-worker.com: none to high'];
  await expect.poll(() => listAlerts(website), { timeout: 60_000 }).toEqual(alerts);
  await setLevel('killed-worker-later.com', 'low');
  await expect
    .poll(() => listAlerts(website), { timeout: 60_000 })
    .toEqual(['listed killed-worker-later.com: none to low', ...alerts]);
});
