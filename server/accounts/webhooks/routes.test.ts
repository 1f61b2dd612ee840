import { expect, test } from 'vitest';
import type { WebhookDelivery } from '#shared/accounts/webhooks.ts';
import { maxWebhooks } from '#shared/platform/usage.ts';
import { exportAccount } from '../../operations/account-data/account-data.ts';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { topics } from '../../topics.ts';
import { sendDueDeliveries } from './deliver.ts';
import { buildWebhookCalls, startReceiver, verify } from './receiver.fixtures.ts';
import { deliveryRetention } from './store-retention.ts';
import { maxSendsPerHour } from './webhooks.ts';

const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' });
const { call, context, signUp } = testApp;
const { addWebhook, createWebhook, queue } = buildWebhookCalls(testApp, await startReceiver());
const strict = await startTestApp();
const running = new AbortController().signal;
const url = 'https://hooks.example/events';
const events = ['report.completed'];

test('a webhook is added, listed and deleted, and only the first response has its secret', async () => {
  const { cookie: as } = await signUp();
  expect((await call('GET', '/api/webhooks', { as })).json()).toEqual({ webhooks: [] });
  const added = await call('POST', '/api/webhooks', { as, body: { url, events, format: 'chat' } });
  expect(added.statusCode).toBe(201);
  const { secret, ...webhook } = added.json();
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  expect(webhook).toEqual({
    id: expect.any(Number),
    url,
    events,
    format: 'chat',
    active: true,
    disabledReason: null,
    createdAt: expect.any(String),
    oldSecretUntil: null,
    lastDelivery: null,
  });
  expect((await call('GET', '/api/webhooks', { as })).json()).toEqual({ webhooks: [webhook] });
  const remove = () => call('DELETE', `/api/webhooks/${webhook.id}`, { as });
  expect([(await remove()).statusCode, (await remove()).statusCode]).toEqual([204, 404]);
});

test('a URL is stored as it is requested', async () => {
  const { cookie: as } = await signUp();
  const body = { url: 'https://Hooks.example/a\u0000b c', events };
  const added = await call('POST', '/api/webhooks', { as, body });
  expect([added.statusCode, added.json().url]).toEqual([201, 'https://hooks.example/a%00b%20c']);
});

test.each([
  ['http://hooks.example/', 'The URL must start with https://.'],
  ['https://hooks.example:8443/', 'The URL cannot have a username, a password or a port other than 443.'],
  ['https://user:password@hooks.example/', 'The URL cannot have a username, a password or a port other than 443.'],
  ['https://127.0.0.1/', 'The URL leads to an address that is not public.'],
  ['https://[::ffff:10.0.0.1]/', 'The URL leads to an address that is not public.'],
  ['ftp://hooks.example/', 'Please enter a URL that starts with https://'],
  ['hooks.example', 'Please enter a URL that starts with https://'],
])('the URL %s is refused', async (refused, message) => {
  const { cookie: as } = await strict.signUp();
  const response = await strict.call('POST', '/api/webhooks', { as, body: { url: refused, events } });
  expect([response.statusCode, response.json().fields]).toEqual([400, { url: message }]);
});

test('events must be known, and those of feeds are for admins', async () => {
  const [user, admin] = [await createWebhook(), await signUp({ admin: true })];
  const add = async (as: string, list: string[]) =>
    (await call('POST', '/api/webhooks', { as, body: { url, events: list } })).statusCode;
  expect(
    await Promise.all([[], ['unknown'], ['alert.created', 'alert.created']].map((list) => add(user.as, list))),
  ).toEqual([400, 400, 400]);
  expect([await add(user.as, ['feed.failed']), await add(admin.cookie, ['feed.failed'])]).toEqual([403, 201]);
  const change = await call('PUT', `/api/webhooks/${user.id}`, { as: user.as, body: { events: ['feed.review'] } });
  expect(change.statusCode).toBe(403);
  const allowed = await call('PUT', `/api/webhooks/${user.id}`, { as: user.as, body: { events: ['alert.created'] } });
  expect(allowed.json()).toMatchObject({ events: ['alert.created'], active: true });
});

test(`a user has at most ${maxWebhooks} webhooks, also with parallel requests`, async () => {
  const { cookie: as } = await signUp();
  const add = () => call('POST', '/api/webhooks', { as, body: { url, events } });
  const codes = (await Promise.all(Array.from({ length: maxWebhooks + 5 }, add))).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 201)).toHaveLength(maxWebhooks);
  expect(codes.filter((code) => code === 409)).toHaveLength(5);
});

test('nobody else can use a webhook', async () => {
  const { user, as, id, deliveries } = await createWebhook();
  await queue(user.id);
  const [{ id: deliveryId }] = await deliveries();
  const own = await addWebhook(as);
  const [other, admin] = [await createWebhook(), await signUp({ admin: true })];
  for (const cookie of [other.as, admin.cookie]) {
    const calls = await Promise.all([
      call('PUT', `/api/webhooks/${id}`, { as: cookie, body: { active: false } }),
      call('DELETE', `/api/webhooks/${id}`, { as: cookie }),
      call('POST', `/api/webhooks/${id}/secret`, { as: cookie }),
      call('POST', `/api/webhooks/${id}/test`, { as: cookie }),
      call('GET', `/api/webhooks/${id}/deliveries`, { as: cookie }),
      call('POST', `/api/webhooks/${id}/deliveries/${deliveryId}/replay`, { as: cookie }),
      call('POST', `/api/webhooks/${other.id}/deliveries/${deliveryId}/replay`, { as: cookie }),
    ]);
    expect(calls.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 404));
  }
  const mixed = await call('POST', `/api/webhooks/${own.id}/deliveries/${deliveryId}/replay`, { as });
  expect(mixed.statusCode).toBe(404);
});

test('a test event is sent at once and never again, and says nothing about the health of the webhook', async () => {
  const { as, id, secret, requests, respond, deliveries } = await createWebhook();
  const send = async () => (await call('POST', `/api/webhooks/${id}/test`, { as })).json() as WebhookDelivery;
  expect(await send()).toMatchObject({ type: 'webhook.test', status: 'succeeded', attempts: 1, responseStatus: 200 });
  const [request] = requests();
  expect(request && verify(secret, request)).toMatchObject({ type: 'webhook.test' });
  respond(503, { 'retry-after': '60' });
  expect(await send()).toMatchObject({ status: 'failed', responseStatus: 503, nextAttemptAt: null });
  await sendDueDeliveries(context, running);
  expect(requests()).toHaveLength(2);
  expect((await deliveries()).map(({ status }: WebhookDelivery) => status)).toEqual(['succeeded', 'failed']);
  const { rows } = await context.pool.query('select failing_since, paused_until from webhooks where id = $1', [id]);
  expect(rows).toEqual([{ failing_since: null, paused_until: null }]);
});

test('a replay sends a delivery again with the same id, whether it succeeded or failed', async () => {
  const { user, as, id, requests, respond, deliveries } = await createWebhook();
  respond(500);
  await queue(user.id);
  await sendDueDeliveries(context, running);
  const [{ id: deliveryId, eventId }] = await deliveries();
  const replay = async () =>
    (await call('POST', `/api/webhooks/${id}/deliveries/${deliveryId}/replay`, { as })).json() as WebhookDelivery;
  expect(await replay()).toMatchObject({ status: 'pending', attempts: 2, responseStatus: 500 });
  respond(200);
  expect(await replay()).toMatchObject({ status: 'succeeded', attempts: 3, responseStatus: 200, error: null, eventId });
  expect(await replay()).toMatchObject({ status: 'succeeded', attempts: 4 });
  expect(requests().map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId, eventId, eventId]);
});

test('a delivery that is being sent cannot be replayed', async () => {
  const { user, as, id, respond, requests, deliveries } = await createWebhook();
  const held = new Promise<() => void>((resolve) => respond((response) => resolve(() => response.end())));
  await queue(user.id);
  const work = sendDueDeliveries(context, running);
  const release = await held;
  const [{ id: deliveryId }] = await deliveries();
  const replay = await call('POST', `/api/webhooks/${id}/deliveries/${deliveryId}/replay`, { as });
  expect(replay.statusCode).toBe(409);
  release();
  await work;
  expect(requests()).toHaveLength(1);
});

test('test events and replays have a common limit per hour', async () => {
  const { as, user, id } = await createWebhook();
  const used = Array.from({ length: maxSendsPerHour - 1 }, () => ({
    key: `webhook:${user.id}`,
    failed_at: new Date(),
  }));
  await context.db.insertInto('login_failures').values(used).execute();
  const send = () => call('POST', `/api/webhooks/${id}/test`, { as });
  const [first, second] = [await send(), await send()];
  expect([first.statusCode, second.statusCode]).toEqual([200, 429]);
  const replay = await call('POST', `/api/webhooks/${id}/deliveries/${first.json().id}/replay`, { as });
  expect(replay.statusCode).toBe(429);
});

test('deliveries are listed in pages, newest first, with the body that the receiver gets', async () => {
  const { user, as, id } = await createWebhook({ format: 'chat' });
  await queue(user.id, 3);
  const list = async (page: number) =>
    (await call('GET', `/api/webhooks/${id}/deliveries?page=${page}&pageSize=2`, { as })).json();
  const [first, second] = [await list(0), await list(1)];
  expect(first.pagination).toEqual({ page: 0, pageSize: 2, total: 3, totalPages: 2 });
  expect([first.deliveries.length, second.deliveries.length]).toEqual([2, 1]);
  expect(first.deliveries[0].payload.text).toContain('/reports/3');
  expect(Object.keys(first.deliveries[0].payload)).toEqual(['text', 'content']);
});

test('deliveries are deleted after 30 days', async () => {
  const { user, deliveries } = await createWebhook();
  await queue(user.id, 2);
  const [{ id }] = await deliveries();
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  await context.db
    .updateTable('webhook_deliveries')
    .set({ created_at: days(31) })
    .where('id', '=', id)
    .execute();
  await deleteExpiredRows(context, [deliveryRetention], new AbortController().signal);
  expect((await deliveries()).map((one: WebhookDelivery) => one.id)).not.toContain(id);
  expect(await deliveries()).toHaveLength(1);
});

test('webhooks and deliveries are in the data of an account without secrets, and are deleted with it', async () => {
  const { user, as, url: target } = await createWebhook();
  await queue(user.id);
  let text = '';
  for await (const chunk of exportAccount({ ...context, topics }, user.id)) text += chunk;
  expect(text).not.toContain('whsec_');
  expect(JSON.parse(text)).toMatchObject({
    webhooks: [{ url: target, events }],
    webhookDeliveries: [{ type: 'report.completed', status: 'pending' }],
  });
  const deleted = await call('DELETE', '/api/account', { as, body: { password: user.password } });
  expect(deleted.statusCode).toBe(204);
  const rows = await context.db.selectFrom('webhooks').select('id').where('user_id', '=', user.id).execute();
  expect(rows).toEqual([]);
});
