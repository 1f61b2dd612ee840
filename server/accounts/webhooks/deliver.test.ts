import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startDnsServer } from '../../platform/net/dns-server.fixtures.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { type DeliveryContext, sendDueDeliveries } from './deliver.ts';
import { buildEvent, buildWebhookCalls, startReceiver, verify } from './receiver.fixtures.ts';
import { queueWebhookEvents } from './webhooks.ts';

const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1', PUBLIC_URL: 'https://links.example' });
const { call, context } = testApp;
const { db } = context;
const { addWebhook, createWebhook, queue } = buildWebhookCalls(testApp, await startReceiver());

let now = new Date();
context.now = () => now;
const later = (ms: number) => new Date(now.getTime() + ms);
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const running = new AbortController().signal;
const sendDue = (changes: Partial<DeliveryContext> = {}, signal = running) =>
  sendDueDeliveries({ ...context, ...changes }, signal);

test('an event is sent once, and the library for receivers verifies it', async () => {
  now = new Date();
  const { user, secret, requests, deliveries, read } = await createWebhook();
  await queue(user.id);
  await sendDue();
  await sendDue();
  const [request, ...more] = requests();
  expect(more).toEqual([]);
  if (!request) throw new Error('Nothing was sent.');
  expect(request).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
  const payload = {
    type: 'report.completed',
    timestamp: now.toISOString(),
    data: { ...buildEvent(user.id).data, url: 'https://links.example/reports/1' },
  };
  expect(verify(secret, request)).toEqual(payload);
  expect(Object.keys(JSON.parse(request.body))).toEqual(['type', 'timestamp', 'data']);
  expect(() => verify(secret, { ...request, body: request.body.replace('300', '301') })).toThrow('No matching');
  expect(await deliveries()).toMatchObject([
    { eventId: request.headers['webhook-id'], status: 'succeeded', attempts: 1, responseStatus: 200, payload },
  ]);
  expect((await read()).lastDelivery).toEqual({ status: 'succeeded', createdAt: now.toISOString() });
});

test('only active webhooks of the right users that subscribe to an event receive it', async () => {
  const feedEvents = { events: ['feed.failed' as const] };
  const one = await createWebhook();
  const second = await addWebhook(one.as);
  const paused = await addWebhook(one.as);
  await call('PUT', `/api/webhooks/${paused.id}`, { as: one.as, body: { active: false } });
  const otherUser = await createWebhook();
  const otherEvent = await addWebhook(one.as, { events: ['alert.created'] });
  const admin = await createWebhook(feedEvents, { admin: true });
  const formerAdmin = await createWebhook(feedEvents, { admin: true });
  await db.updateTable('users').set({ is_admin: false }).where('id', '=', formerAdmin.user.id).execute();
  const disabled = await createWebhook(feedEvents, { admin: true });
  await db.updateTable('users').set({ disabled_at: now }).where('id', '=', disabled.user.id).execute();
  const data = { feedId: 1, name: 'A list', reason: 'Not found.', url: '/admin/feeds?feed=1' };
  await queueWebhookEvents(db, [buildEvent(one.user.id), { type: 'feed.failed', userId: 'admins', data }], now);
  await sendDue();
  const count = (hook: { requests(): object[] }) => hook.requests().length;
  expect([one, second, admin].map(count)).toEqual([1, 1, 1]);
  expect([paused, otherUser, otherEvent, formerAdmin, disabled].map(count)).toEqual([0, 0, 0, 0, 0]);
  const ids = [one, second].map(({ requests }) => requests()[0]?.headers['webhook-id']);
  expect(ids[0]).toBe(ids[1]);
});

test('an event of a transaction that is rolled back is never sent', async () => {
  const { user, requests, deliveries } = await createWebhook();
  const rolledBack = db.transaction().execute(async (trx) => {
    await queueWebhookEvents(trx, [buildEvent(user.id)], now);
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow('rolled back');
  await sendDue();
  expect([requests(), await deliveries()]).toEqual([[], []]);
});

test('the events of an account that is disabled meanwhile wait', async () => {
  const { user, requests } = await createWebhook();
  await queue(user.id);
  const disable = (at: Date | null) =>
    db.updateTable('users').set({ disabled_at: at }).where('id', '=', user.id).execute();
  await disable(now);
  await sendDue();
  expect(requests()).toEqual([]);
  await disable(null);
  await sendDue();
  expect(requests()).toHaveLength(1);
});

test('a failed delivery is retried on the schedule of the specification with jitter, always with the same id', async () => {
  const { user, requests, respond, deliveries, secret } = await createWebhook();
  respond(500);
  await queue(user.id);
  const delays = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
  for (const [i, ms] of delays.entries()) {
    await sendDue();
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({
      status: 'pending',
      attempts: i + 1,
      responseStatus: 500,
      error: 'The receiver responded with 500.',
    });
    const wait = Date.parse(delivery.nextAttemptAt) - now.getTime();
    expect([wait >= ms, wait <= 1.1 * ms + 1]).toEqual([true, true]);
    now = later(ms - 1);
    await sendDue();
    expect(requests()).toHaveLength(i + 1);
    now = new Date(delivery.nextAttemptAt);
  }
  await sendDue();
  expect(await deliveries()).toMatchObject([{ status: 'failed', attempts: 10, nextAttemptAt: null }]);
  expect(new Set(requests().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(requests().map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  // Receivers accept only requests of the last minutes.
  now = new Date();
  await queue(user.id);
  respond(200);
  await sendDue();
  const last = requests().at(-1);
  expect(last && verify(secret, last)).toMatchObject({ type: 'report.completed' });
});

test('a redirect is a failure and is not followed', async () => {
  const { as, user, respond, deliveries } = await createWebhook();
  const target = await addWebhook(as, { events: ['alert.created'] });
  respond(307, { location: target.url });
  await queue(user.id);
  await sendDue();
  expect(target.requests()).toEqual([]);
  expect(await deliveries()).toMatchObject([
    {
      status: 'pending',
      responseStatus: 307,
      error: 'The receiver responded with 307. Redirects are not followed: change the URL.',
    },
  ]);
});

test('410 disables a webhook at once and ends its deliveries, until its owner enables it', async () => {
  const { as, user, id, respond, requests, deliveries, read } = await createWebhook();
  respond(410);
  await queue(user.id, 3);
  await sendDue();
  await sendDue();
  expect(requests()).toHaveLength(1);
  const disabledReason = 'The receiver responded with 410 Gone, so it no longer wants events.';
  expect(await read()).toMatchObject({ active: false, disabledReason });
  expect(await deliveries()).toMatchObject([
    { status: 'failed', responseStatus: 410, error: 'The receiver responded with 410.' },
    { status: 'failed', attempts: 0, error: disabledReason },
    { status: 'failed', attempts: 0, error: disabledReason },
  ]);
  await queue(user.id);
  expect(await deliveries()).toHaveLength(3);
  const enabled = await call('PUT', `/api/webhooks/${id}`, { as, body: { active: true } });
  expect(enabled.json()).toMatchObject({ active: true, disabledReason: null });
  respond(204);
  await queue(user.id);
  await sendDue();
  expect((await deliveries()).at(-1)).toMatchObject({ status: 'succeeded', responseStatus: 204 });
});

test.each([
  ['seconds', 429, (at: Date) => String((at.getTime() - now.getTime()) / 1000)],
  ['a date', 503, (at: Date) => at.toUTCString()],
])('Retry-After in %s postpones all deliveries of a webhook', async (_, status, format) => {
  now = new Date(Math.ceil(now.getTime() / 1000) * 1000);
  const { user, respond, requests, deliveries } = await createWebhook();
  const at = later(10 * minute);
  respond(status, { 'retry-after': format(at) });
  await queue(user.id, 2);
  await sendDue();
  expect((await deliveries())[0]).toMatchObject({ status: 'pending', nextAttemptAt: at.toISOString() });
  now = later(10 * minute - 1);
  await sendDue();
  expect(requests()).toHaveLength(1);
  now = at;
  respond(200);
  await sendDue();
  expect(requests()).toHaveLength(3);
  expect(await deliveries()).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
});

test.each(['1', '0', '-5', 'soon', '99999999999999'])(
  'Retry-After: %s does not advance the next attempt',
  async (header) => {
    const { user, respond, deliveries } = await createWebhook();
    respond(429, { 'retry-after': header });
    await queue(user.id);
    await sendDue();
    const [{ nextAttemptAt }] = await deliveries();
    expect(Date.parse(nextAttemptAt)).toBeGreaterThanOrEqual(later(5 * second).getTime());
    expect(Date.parse(nextAttemptAt)).toBeLessThanOrEqual(later(day).getTime());
  },
);

test('a Retry-After of more than a day counts as a day', async () => {
  const { user, respond, deliveries } = await createWebhook();
  respond(429, { 'retry-after': '999999999' });
  await queue(user.id);
  await sendDue();
  expect((await deliveries())[0].nextAttemptAt).toBe(later(day).toISOString());
});

test('a receiver that does not respond in time, or closes the connection, is a failure', async () => {
  const { user, respond, deliveries } = await createWebhook();
  const impatient: DeliveryContext['outbound'] = {
    ...context.outbound,
    post: (url, options) => context.outbound.post(url, { ...options, timeoutMs: 100 }),
  };
  respond(() => undefined);
  await queue(user.id);
  await sendDue({ outbound: impatient });
  expect(await deliveries()).toMatchObject([
    { status: 'pending', responseStatus: null, error: 'The receiver did not respond within 20 seconds.' },
  ]);
  now = later(6 * second);
  respond((response) => response.destroy());
  await sendDue();
  const [delivery] = await deliveries();
  expect(delivery).toMatchObject({ attempts: 2, responseStatus: null });
  expect(delivery.error).toMatch(/^The connection failed/);
});

test('a long response body is not read to its end, and its status counts', async () => {
  const { user, respond, deliveries } = await createWebhook();
  respond((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(50_000)), 5);
    response.on('close', () => clearInterval(timer));
  });
  await queue(user.id);
  await sendDue();
  expect(await deliveries()).toMatchObject([{ status: 'succeeded', responseStatus: 200 }]);
});

test('a host that resolves to a private address gets no request, and the address is not revealed', async () => {
  const dnsServers = [await startDnsServer({ a: { 'hook.test': ['127.0.0.1'] } })];
  const outbound = createOutbound({ allowPrivate: false, userAgent: 'test', dnsServers });
  const config = { ...context.config, allowPrivateAddresses: false };
  const { user, deliveries } = await createWebhook({ url: 'https://hook.test/events' });
  await queue(user.id);
  await sendDue({ outbound, config });
  expect(await deliveries()).toMatchObject([
    { status: 'pending', responseStatus: null, error: 'The URL leads to an address that is not public.' },
  ]);
  const plain = await createWebhook();
  await queue(plain.user.id);
  await sendDue({ outbound, config });
  expect(plain.requests()).toEqual([]);
  expect(await plain.deliveries()).toMatchObject([{ error: 'The URL must start with https://.' }]);
});

test('a slow receiver delays neither the other webhooks nor events that are queued meanwhile', async () => {
  const slow = await createWebhook();
  const quick = await createWebhook();
  const held = new Promise<ServerResponse>((resolve) => slow.respond(resolve));
  await queue(slow.user.id, 2);
  const work = sendDue();
  const response = await held;
  await queue(quick.user.id, 3);
  await expect.poll(() => quick.requests().length, { timeout: 20_000 }).toBe(3);
  expect(slow.requests()).toHaveLength(1);
  slow.respond(200);
  response.end();
  await work;
  expect(slow.requests()).toHaveLength(2);
});

test('a round continues with a webhook whose delivery ended while it looked for others', async () => {
  const { user, respond, requests } = await createWebhook();
  const held = new Promise<ServerResponse>((resolve) => respond(resolve));
  await queue(user.id, 2);
  const work = sendDue();
  const response = await held;
  respond(200);
  // The query for due deliveries waits, and the delivery ends meanwhile.
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('lock table users in access exclusive mode');
  try {
    await expect.poll(async () => (await listLockWaiters(context.pool)).length, { timeout: 20_000 }).toBe(1);
    response.end();
    await expect
      .poll(
        async () => {
          const { rows } = await context.pool.query(
            "select from webhook_deliveries join webhooks on webhooks.id = webhook_id where user_id = $1 and status = 'succeeded'",
            [user.id],
          );
          return rows.length;
        },
        { timeout: 20_000 },
      )
      .toBe(1);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await work;
  expect(requests()).toHaveLength(2);
});

test('a process that stops interrupts its requests, which are sent again without counting the attempt', async () => {
  const { user, respond, requests, deliveries } = await createWebhook();
  const held = new Promise<void>((resolve) => respond(() => resolve()));
  await queue(user.id);
  const stopping = new AbortController();
  const work = sendDue({}, stopping.signal);
  await held;
  stopping.abort(new Error('stopping'));
  await expect(work).rejects.toThrow('stopping');
  respond(200);
  await sendDue();
  expect(requests()).toHaveLength(2);
  expect(await deliveries()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
});

test('after a rotation, events have a signature for each secret for 24 hours', async () => {
  now = new Date();
  const { as, user, id, secret, requests, read } = await createWebhook();
  const rotated = (await call('POST', `/api/webhooks/${id}/secret`, { as })).json().secret;
  expect(rotated).not.toBe(secret);
  expect((await read()).oldSecretUntil).toBe(later(day).toISOString());
  await queue(user.id);
  await sendDue();
  const [request] = requests();
  if (!request) throw new Error('Nothing was sent.');
  for (const one of [secret, rotated]) expect(verify(one, request)).toMatchObject({ type: 'report.completed' });
  const countSignatures = () => String(requests().at(-1)?.headers['webhook-signature']).split(' ').length;
  expect(countSignatures()).toBe(2);
  now = later(day);
  await queue(user.id);
  await sendDue();
  expect([countSignatures(), (await read()).oldSecretUntil]).toEqual([1, null]);
});

test('a webhook is disabled after five days without a success, and a success starts them again', async () => {
  const { user, respond, read } = await createWebhook();
  const sendOne = async (status: number) => {
    respond(status);
    await db.deleteFrom('webhook_deliveries').execute();
    await queue(user.id);
    await sendDue();
  };
  await sendOne(500);
  now = later(4 * day);
  await sendOne(200);
  await sendOne(500);
  now = later(5 * day - 1);
  await sendOne(500);
  expect(await read()).toMatchObject({ active: true, disabledReason: null });
  now = later(1);
  await sendOne(500);
  expect(await read()).toMatchObject({ active: false, disabledReason: 'No delivery has succeeded for five days.' });
});

test('without the secret key that encrypted the secret, a delivery fails with the reason', async () => {
  const { user, requests, deliveries } = await createWebhook();
  await queue(user.id);
  await sendDue({ secretKey: { current: Buffer.alloc(32), previous: undefined } });
  expect(requests()).toEqual([]);
  expect(await deliveries()).toMatchObject([{ status: 'pending', error: expect.stringContaining('Rotate it.') }]);
});

test('secrets are stored encrypted, and are in no list', async () => {
  const { as, user, secret } = await createWebhook();
  const { rows } = await context.pool.query('select webhooks::text as line from webhooks where user_id = $1', [
    user.id,
  ]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const encoded = Buffer.from(secret).toString('hex');
  expect(rows[0].line).not.toContain(encoded);
  expect((await call('GET', '/api/webhooks', { as })).body).not.toContain('whsec_');
});
