import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Message } from '#shared/accounts/messages.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp();
let admin: Awaited<ReturnType<typeof signUp>>;
let user: typeof admin;

const input = {
  name: 'Ada Lovelace',
  email: 'ada@mail.example',
  subject: 'A question',
  message: 'How do I read the report?',
};
const send = (change: object = {}, as?: string) =>
  call('POST', '/api/contact', { body: { ...input, ...change }, ...(as && { as }) });
const list = async (query = ''): Promise<Message[]> =>
  (await call('GET', `/api/admin/messages${query}`, { as: admin.cookie })).json();
const patch = (id: number, state: string) => call('PATCH', `/api/admin/messages/${id}/${state}`, { as: admin.cookie });
const counts = async (query = '') =>
  (await call('GET', `/api/admin/messages/count${query}`, { as: admin.cookie })).json();
const listAuditEvents = async (id: number | undefined) =>
  (
    await context.pool.query(
      "select event, details from audit_events where details->'id' = to_jsonb($1::int) order by id",
      [id],
    )
  ).rows;

beforeAll(async () => {
  admin = await signUp({ admin: true });
  user = await signUp();
});
beforeEach(async () => {
  await context.pool.query('truncate messages, message_replies, login_failures');
});

test('anyone can send a message, and only admins can read and change messages', async () => {
  await send();
  const [message] = await list();
  const one = `/api/admin/messages/${message?.id}`;
  const calls: ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, number, number, number][] = [
    ['POST', '/api/contact', input, 201, 201, 201],
    ['GET', '/api/admin/messages', undefined, 401, 403, 200],
    ['GET', '/api/admin/messages/count', undefined, 401, 403, 200],
    ['GET', one, undefined, 401, 403, 200],
    ['PATCH', `${one}/read`, undefined, 401, 403, 200],
    ['PATCH', `${one}/replied`, undefined, 401, 403, 200],
    ['POST', `${one}/reply`, { message: 'Hello' }, 401, 403, 409],
    ['DELETE', one, undefined, 401, 403, 204],
  ];
  for (const [method, url, body, ...statuses] of calls) {
    for (const [i, as] of [undefined, user.cookie, admin.cookie].entries()) {
      const response = await call(method, url, { ...(as && { as }), ...(body && { body }) });
      expect([method, url, i, response.statusCode]).toEqual([method, url, i, statuses[i]]);
    }
  }
});

test('a message appears in the inbox as it was written, unread', async () => {
  expect((await send({ message: '  One\n\n  <b>two</b>  ' })).json()).toEqual({ received: true });
  expect(await list()).toEqual([
    {
      id: expect.any(Number),
      ...input,
      message: 'One\n\n  <b>two</b>',
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      read: false,
      replied: false,
      domainId: null,
      appealId: null,
    },
  ]);
});

test('the sender of a message is the signed-in account, whatever userId the form claims', async () => {
  await send({ userId: admin.id }, user.cookie);
  const { rows } = await context.pool.query('select user_id from messages');
  expect(rows).toEqual([{ user_id: user.id }]);
});

test.each([
  ['name', 'A', 'Name must be at least 2 characters'],
  ['name', '  A  ', 'Name must be at least 2 characters'],
  ['email', 'ada', 'Please enter a valid email address'],
  ['email', 'ada@mail.example, eve@mail.example', 'Please enter a valid email address'],
  ['email', 'ada@mail.example\r\nBcc: eve@mail.example', 'Please enter a valid email address'],
  ['email', 'Ada <ada@mail.example>', 'Please enter a valid email address'],
  ['subject', 'Hey', 'Subject must be at least 5 characters'],
  ['message', 'Too short', 'Message must be at least 10 characters'],
])('%s %j returns 400 with a message', async (field, value, message) => {
  const response = await send({ [field]: value });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ error: message, fields: { [field]: message } });
  expect(await list()).toEqual([]);
});

test('values that are too long return a message for each field', async () => {
  const long = await send({ message: 'x'.repeat(5001), email: `${'a'.repeat(64)}@${'b'.repeat(200)}.example` });
  expect(long.json().fields).toEqual({
    message: 'Message must be at most 5000 characters',
    email: 'Please enter a valid email address',
  });
});

test('characters that PostgreSQL cannot store return 400', async () => {
  expect((await send({ message: 'a long enough\0text' })).statusCode).toBe(400);
});

test('a message with the hidden field filled in gets the usual response and is not stored', async () => {
  const response = await send({ website: 'https://spam.example' });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({ received: true });
  expect(await list()).toEqual([]);
});

test('an address can send ten messages an hour', async () => {
  for (let i = 0; i < 10; i++) expect((await send({ email: `a${i}@mail.example` })).statusCode).toBe(201);
  const refused = await send({ email: 'b@mail.example' });
  expect(refused.statusCode).toBe(429);
  expect(refused.json().error).toContain('Please try again later');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000);
  expect(await list()).toHaveLength(10);
});

test('messages with the email address of another sender do not use up that sender’s limit', async () => {
  for (let i = 0; i < 30; i++) {
    if (i % 10 === 0) await context.pool.query("delete from login_failures where key like 'contact:%'");
    expect((await send({ email: i % 2 ? 'ada@mail.example' : 'ADA@mail.example' })).statusCode).toBe(201);
  }
  const other = await app.inject({
    method: 'POST',
    url: '/api/contact',
    remoteAddress: '203.0.113.5',
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' },
    payload: { ...input, email: 'ada@mail.example' },
  });
  expect(other.statusCode).toBe(201);
});

test('a message goes from new to read to replied, and marking again changes nothing', async () => {
  await send();
  const [message] = await list();
  const id = message?.id ?? 0;
  expect((await patch(id, 'read')).json()).toMatchObject({ id, read: true, replied: false });
  const readTimes = async () =>
    (await context.pool.query('select read_at, replied_at from messages where id = $1', [id])).rows[0];
  const first = await readTimes();
  expect((await patch(id, 'read')).statusCode).toBe(200);
  expect(await readTimes()).toEqual(first);
  expect((await patch(id, 'replied')).json()).toMatchObject({ id, read: true, replied: true });
  const replied = await readTimes();
  expect((await patch(id, 'replied')).json()).toMatchObject({ replied: true });
  expect((await patch(id, 'read')).json()).toMatchObject({ read: true, replied: true });
  expect(await readTimes()).toEqual(replied);
  expect(await listAuditEvents(id)).toEqual([
    { event: 'Read a message', details: { id } },
    { event: 'Read a message', details: { id } },
    { event: 'Marked a message as replied', details: { id } },
    { event: 'Marked a message as replied', details: { id } },
    { event: 'Read a message', details: { id } },
  ]);
});

test('a message that is marked as replied before it was opened is also read', async () => {
  await send();
  const [message] = await list();
  expect((await patch(message?.id ?? 0, 'replied')).json()).toMatchObject({ read: true, replied: true });
});

test('messages are filtered by state and text, newest first, in pages', async () => {
  for (const subject of ['First one', 'Second 100% one', 'Third one']) await send({ subject });
  const all = await list();
  expect(all.map(({ subject }) => subject)).toEqual(['Third one', 'Second 100% one', 'First one']);
  await patch(all[1]?.id ?? 0, 'read');
  await patch(all[2]?.id ?? 0, 'replied');
  const subjects = async (query: string) => (await list(query)).map(({ subject }) => subject);
  expect(await subjects('?status=new')).toEqual(['Third one']);
  expect(await subjects('?status=read')).toEqual(['Second 100% one']);
  expect(await subjects('?status=replied')).toEqual(['First one']);
  expect(await subjects('?search=SECOND')).toEqual(['Second 100% one']);
  expect(await subjects('?search=ada@mail')).toHaveLength(3);
  expect(await subjects('?search=0%25')).toEqual(['Second 100% one']);
  expect(await subjects('?search=_')).toEqual([]);
  expect(await subjects('?search=one&page=1&pageSize=2')).toEqual(['First one']);
  expect((await call('GET', '/api/admin/messages?status=lost', { as: admin.cookie })).statusCode).toBe(400);
  expect(await counts()).toEqual({ new: 1, read: 1, replied: 1, total: 3, canReply: false });
  expect(await counts('?search=third')).toMatchObject({ new: 1, read: 0, replied: 0, total: 1 });
});

test('returns one message with its replies, and 404 after it was deleted', async () => {
  await send();
  const [message] = await list();
  const url = `/api/admin/messages/${message?.id}`;
  expect((await call('GET', url, { as: admin.cookie })).json()).toEqual({ ...message, replies: [] });
  expect((await call('DELETE', url, { as: admin.cookie })).statusCode).toBe(204);
  for (const [method, path] of [
    ['GET', url],
    ['PATCH', `${url}/read`],
    ['PATCH', `${url}/replied`],
    ['DELETE', url],
  ] as const) {
    expect((await call(method, path, { as: admin.cookie })).statusCode).toBe(404);
  }
  expect(await listAuditEvents(message?.id)).toEqual([
    { event: 'Deleted a message', details: { id: message?.id, subject: input.subject } },
  ]);
});

test('without a mail server a reply returns 409 and changes nothing', async () => {
  await send();
  const [message] = await list();
  const response = await call('POST', `/api/admin/messages/${message?.id}/reply`, {
    as: admin.cookie,
    body: { message: 'Hello' },
  });
  expect(response.statusCode).toBe(409);
  expect(response.json().error).toContain('does not send email');
  expect(await list()).toEqual([message]);
});
