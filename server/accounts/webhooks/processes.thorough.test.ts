import type { ChildProcess } from 'node:child_process';
import { afterAll, expect, test, vi } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { sendDueDeliveries } from './deliver.ts';
import { buildWebhookCalls, startReceiver } from './receiver.fixtures.ts';

// Each test starts processes.
vi.setConfig({ testTimeout: 120_000 });

const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' });
const { context } = testApp;
const { createWebhook, queue } = buildWebhookCalls(testApp, await startReceiver());
const running = new AbortController().signal;

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await stopProcess(child, 'SIGKILL');
});
const startWorker = () => {
  const child = startWorkerProcess(context, { ALLOW_PRIVATE_ADDRESSES: '1' });
  children.push(child);
  return child;
};

test('processes that find the same delivery at the same time send it once', async () => {
  const { user, requests, deliveries } = await createWebhook();
  await queue(user.id);
  const [{ id }] = await deliveries();
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select from webhook_deliveries where id = $1 for update', [id]);
  const rounds = Array.from({ length: 3 }, () => sendDueDeliveries(context, running));
  try {
    await expect.poll(async () => (await listLockWaiters(context.pool)).length, { timeout: 20_000 }).toBe(3);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await Promise.all(rounds);
  expect(requests()).toHaveLength(1);
  expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
});

test('a delivery of a killed process is sent again with the same id after its lease, and no other one twice', async () => {
  const held = await createWebhook();
  const other = await createWebhook();
  held.respond(() => undefined);
  const workers = [startWorker(), startWorker()];
  await queue(held.user.id);
  await queue(other.user.id, 5);
  await expect.poll(() => held.requests().length, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => other.requests().length, { timeout: 60_000 }).toBe(5);
  await expect
    .poll(
      async () => (await other.deliveries()).filter(({ status }: { status: string }) => status === 'succeeded').length,
      { timeout: 20_000 },
    )
    .toBe(5);
  for (const worker of workers) await stopProcess(worker, 'SIGKILL');
  held.respond(200);
  await sendDueDeliveries(context, running);
  expect(held.requests()).toHaveLength(1);
  await context.pool.query("update webhook_deliveries set leased_until = leased_until - interval '1 minute'");
  await sendDueDeliveries(context, running);
  const ids = held.requests().map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  expect(await held.deliveries()).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
  expect(other.requests()).toHaveLength(5);
});
