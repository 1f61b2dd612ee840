import { beforeAll, expect, test } from 'vitest';
import { mailDeadLetterJob, mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { failedReplyJob } from './jobs.ts';

const mailServer = await startMailServer();
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob, mailDeadLetterJob, failedReplyJob] },
);
let admin: Awaited<ReturnType<typeof signUp>>;
const getEmail = ({ username }: { username: string }) => `${username}@mail.example`;
const input = {
  name: 'Ada Lovelace',
  email: 'ada@mail.example',
  subject: 'A question',
  message: 'How do I read the report?\nThank you',
};
const findLastMessageId = async (): Promise<number> =>
  (await context.pool.query('select max(id) as id from messages')).rows[0].id;

beforeAll(async () => {
  admin = await signUp({ admin: true });
});

test('a message is emailed to every enabled admin and to no one else', async () => {
  const [second, disabled, user] = [await signUp({ admin: true }), await signUp({ admin: true }), await signUp()];
  await context.pool.query('update users set disabled_at = now() where id = $1', [disabled.id]);
  await call('POST', '/api/contact', { body: input });
  for (const recipient of [admin, second]) {
    const { headers, body } = await mailServer.waitForEmail(getEmail(recipient));
    expect(headers.get('subject')).toBe('New message: A question');
    expect(headers.get('reply-to')).toBe('Ada Lovelace <ada@mail.example>');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(body).toContain('Ada Lovelace <ada@mail.example> wrote:');
    expect(body).toContain('How do I read the report?\r\nThank you');
    expect(body).toContain(`https://linksieve.example/admin/inbox?message=${await findLastMessageId()}`);
  }
  const jobs = await context.jobs.findJobs<{ to: { address: string } }>('mail');
  const recipients = jobs.map(({ data }) => data.to.address);
  expect(recipients.sort()).toEqual([getEmail(admin), getEmail(second)].sort());
  expect(recipients).not.toContain(getEmail(user));
  await context.pool.query('update users set is_admin = false where id = $1', [second.id]);
});

test('a report of incorrect information about a domain is emailed to admins', async () => {
  const user = await signUp();
  const { id } = (
    await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'good.example', source: 's' } })
  ).json();
  await call('POST', `/api/domains/${id}/reports`, { as: user.cookie, body: { message: 'This is my own site.' } });
  const { headers } = await mailServer.waitForEmail(getEmail(admin));
  expect(headers.get('subject')).toBe('New message: Incorrect information about good.example');
  const message = await call('GET', `/api/admin/messages/${await findLastMessageId()}`, { as: admin.cookie });
  expect(message.json()).toMatchObject({ domainId: id });
});

test('an account can report domains thirty times an hour', async () => {
  const user = await signUp();
  const { domains } = (await call('GET', '/api/domains', { as: user.cookie })).json();
  const report = () =>
    call('POST', `/api/domains/${domains[0].id}/reports`, {
      as: user.cookie,
      body: { message: 'This is my own site.' },
    });
  for (let i = 0; i < 30; i++) expect((await report()).statusCode).toBe(201);
  expect((await report()).statusCode).toBe(429);
});

test('a message with the hidden field filled in sends no email', async () => {
  const before = (await context.jobs.findJobs('mail')).length;
  await call('POST', '/api/contact', { body: { ...input, website: 'x' } });
  expect(await context.jobs.findJobs('mail')).toHaveLength(before);
});

test('a reply is emailed to the sender, stored with the message and marks it as replied', async () => {
  await call('POST', '/api/contact', { body: { ...input, email: 'grace@mail.example' } });
  const id = await findLastMessageId();
  const response = await call('POST', `/api/admin/messages/${id}/reply`, {
    as: admin.cookie,
    body: { message: 'Open the report.\n\nBest wishes' },
  });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({
    id,
    read: true,
    replied: true,
    replies: [{ username: admin.username, message: 'Open the report.\n\nBest wishes', lost: false }],
  });
  const { to, headers, body } = await mailServer.waitForEmail('grace@mail.example');
  expect(to).toEqual(['grace@mail.example']);
  expect(headers.get('from')).toBe('Linksieve <noreply@linksieve.example>');
  expect(headers.get('reply-to')).toBe(`${admin.username} <${getEmail(admin)}>`);
  expect(headers.get('subject')).toBe('Re: A question');
  expect(headers.has('auto-submitted')).toBe(false);
  expect(body).toMatch(/^Open the report\.\r\n\r\nBest wishes\r\n\r\nAda Lovelace wrote on \d{4}-\d\d-\d\d:\r\n/);
  expect(body).toContain('> How do I read the report?\r\n> Thank you');
  const { rows } = await context.pool.query("select details from audit_events where event = 'Replied to a message'");
  expect(rows).toEqual([{ details: { id } }]);
});

test('a refused reply is shown as not delivered, and its message is not replied until one arrives', async () => {
  await call('POST', '/api/contact', { body: { ...input, email: 'unknown@mail.example' } });
  const id = await findLastMessageId();
  const reply = (message: string) =>
    call('POST', `/api/admin/messages/${id}/reply`, { as: admin.cookie, body: { message } });
  const getMessage = async () => (await call('GET', `/api/admin/messages/${id}`, { as: admin.cookie })).json();
  await mailServer.waitForEmail(getEmail(admin));
  mailServer.refusal = { responseCode: 550, message: 'no such user' };
  await reply('To an unknown address');
  const refused = { replied: false, read: true, replies: [{ message: 'To an unknown address', lost: true }] };
  await expect.poll(getMessage, { timeout: 25_000 }).toMatchObject(refused);
  mailServer.refusal = undefined;
  await reply('Again');
  await mailServer.waitForEmail('unknown@mail.example');
  expect(await getMessage()).toMatchObject({
    replied: true,
    replies: [{ lost: true }, { message: 'Again', lost: false }],
  });
});

test('an empty reply and one that is too long return 400', async () => {
  const url = `/api/admin/messages/${await findLastMessageId()}/reply`;
  for (const message of ['', '  ', 'x'.repeat(5001)]) {
    expect((await call('POST', url, { as: admin.cookie, body: { message } })).statusCode).toBe(400);
  }
});

test('canReply is true when email is configured', async () => {
  expect((await call('GET', '/api/admin/messages/count', { as: admin.cookie })).json().canReply).toBe(true);
});

test('a reply to a deleted message or to an invalid address sends nothing', async () => {
  const reply = (id: number) =>
    call('POST', `/api/admin/messages/${id}/reply`, { as: admin.cookie, body: { message: 'Hello' } });
  const before = (await context.jobs.findJobs('mail')).length;
  expect((await reply(999_999)).statusCode).toBe(404);
  const { rows } = await context.pool.query(
    "insert into messages (name, email, subject, message) values ('a', 'a@b.example, c@d.example', 's', 'm') returning id",
  );
  expect((await reply(rows[0].id)).statusCode).toBe(409);
  const message = await call('GET', `/api/admin/messages/${rows[0].id}`, { as: admin.cookie });
  expect(message.json()).toMatchObject({ read: false, replied: false, replies: [] });
  expect(await context.jobs.findJobs('mail')).toHaveLength(before);
});

test('an admin with the placeholder address gets no email, and replies without a Reply-To header', async () => {
  const unreachable = await signUp({ admin: true });
  await context.pool.query('update users set email = $1 where id = $2', ['root@localhost.localdomain', unreachable.id]);
  await call('POST', '/api/contact', { body: { ...input, email: 'charles@mail.example' } });
  await mailServer.waitForEmail(getEmail(admin));
  const jobs = await context.jobs.findJobs<{ to: { address: string } }>('mail');
  expect(jobs.filter(({ data }) => data.to.address.endsWith('.localdomain'))).toEqual([]);
  const reply = await call('POST', `/api/admin/messages/${await findLastMessageId()}/reply`, {
    as: unreachable.cookie,
    body: { message: 'Open the report.' },
  });
  expect(reply.statusCode).toBe(200);
  expect((await mailServer.waitForEmail('charles@mail.example')).headers.has('reply-to')).toBe(false);
  await context.pool.query('update users set is_admin = false where id = $1', [unreachable.id]);
});
