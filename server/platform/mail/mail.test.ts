import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { PermanentJobError } from '../jobs/job.ts';
import { mailDeadLetterJob, mailJob } from './jobs.ts';
import { type Email, isMailbox, mailQueue, pageLink, queueMail } from './mail.ts';
import { startMailServer } from './mail-server.fixtures.ts';

const mailServer = await startMailServer();
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob, mailDeadLetterJob] },
);
const { db, jobs } = context;

const newAddress = () => `${randomUUID()}@mail.example`;
const send = (email: Partial<Email> & { to: Email['to'] }) =>
  db.transaction().execute((trx) => queueMail(context, trx, [{ subject: 'A subject', text: 'A text', ...email }]));
const findJob = async (address: string) => {
  const found = await jobs.findJobs<Email>(mailQueue.name);
  const job = found.find(({ data }) => data.to.address === address);
  return job && { state: job.state, retryCount: job.retryCount };
};

test('an email arrives as plain text, marked as automatic', async () => {
  const address = newAddress();
  await send({
    to: { name: 'Ada, "the first"', address },
    replyTo: { name: 'Grace', address: 'grace@mail.example' },
    subject: 'Hello',
    text: 'One\n\n.\nTwo <b>',
  });
  const { from, to, headers, body } = await mailServer.waitForEmail(address);
  expect(from).toBe('noreply@linksieve.example');
  expect(to).toEqual([address]);
  expect(headers.get('from')).toBe('Linksieve <noreply@linksieve.example>');
  expect(headers.get('to')).toContain(`<${address}>`);
  expect(headers.get('reply-to')).toBe('Grace <grace@mail.example>');
  expect(headers.get('subject')).toBe('Hello');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(headers.get('message-id')).toMatch(/^<[0-9a-f-]{36}@linksieve\.example>$/);
  expect(body).toBe('One\r\n\r\n.\r\nTwo <b>');
});

test('an email with byHand is not marked as automatic', async () => {
  const address = newAddress();
  await send({ to: { address }, byHand: true });
  expect((await mailServer.waitForEmail(address)).headers.has('auto-submitted')).toBe(false);
});

test('an email with an HTML version has both parts, and headers to unsubscribe with one click', async () => {
  const address = newAddress();
  const unsubscribeUrl = `https://linksieve.example/unsubscribe/1-${'a'.repeat(43)}`;
  await send({ to: { address }, text: 'Grüße', html: '<p class="x">Grüße</p>', unsubscribeUrl });
  const { headers, parts } = await mailServer.waitForEmail(address);
  expect(headers.get('content-type')).toMatch(/^multipart\/alternative/);
  expect(parts).toEqual({ text: 'Grüße', html: '<p class="x">Grüße</p>' });
  expect(headers.get('list-unsubscribe')).toBe(`<${unsubscribeUrl}>`);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

test('a rolled back transaction sends nothing', async () => {
  const address = newAddress();
  const failing = db.transaction().execute(async (trx) => {
    await queueMail(context, trx, [{ to: { address }, subject: 'A subject', text: 'A text' }]);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await findJob(address)).toBeUndefined();
});

test('hostile text cannot add a header or a recipient', async () => {
  const address = newAddress();
  const hostile = 'Hi\r\nBcc: victim@mail.example\u2028X-Evil: 1\n\n\u202e<script>';
  await send({
    to: { name: `${hostile}" <victim@mail.example>, "x`, address },
    replyTo: { name: hostile, address: 'grace@mail.example' },
    subject: hostile,
    text: '{{7*7}}',
  });
  const { to, headers, raw } = await mailServer.waitForEmail(address);
  expect(to).toEqual([address]);
  expect(headers.has('bcc')).toBe(false);
  expect(headers.has('x-evil')).toBe(false);
  expect(headers.get('subject')).toBe('Hi Bcc: victim@mail.example X-Evil: 1 <script>');
  expect(raw).not.toMatch(/^(bcc|x-evil):/im);
});

test.each([
  'two@mail.example, three@mail.example',
  'a@mail.example\r\nRCPT TO:<b@mail.example>',
  '"a b"@mail.example',
  'Name <a@mail.example>',
  '',
])('nothing is sent to an address that is not one mailbox: %j', async (address) => {
  const before = (await jobs.findJobs(mailQueue.name)).length;
  await send({ to: { address } });
  expect(await jobs.findJobs(mailQueue.name)).toHaveLength(before);
});

test('text that looks like a file or URL is sent unchanged', async () => {
  const address = newAddress();
  await send({ to: { address }, text: 'file:///etc/passwd\nhttp://127.0.0.1:1/' });
  expect((await mailServer.waitForEmail(address)).body).toBe('file:///etc/passwd\r\nhttp://127.0.0.1:1/');
});

test('an email is retried while the mail server is unavailable, and arrives once', async () => {
  await jobs.updateQueue(mailQueue.name, { retryDelay: 1, retryBackoff: false });
  const address = newAddress();
  await mailServer.close();
  await send({ to: { address } });
  await expect.poll(async () => (await findJob(address))?.state).toBe('retry');
  await mailServer.open();
  await mailServer.waitForEmail(address);
  await expect.poll(async () => (await findJob(address))?.state).toBe('completed');
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toEqual([]);
  await jobs.updateQueue(mailQueue.name, { retryDelay: mailQueue.retryDelay, retryBackoff: true });
});

test('a permanently refused email is not retried, and no log or job list contains its address', async () => {
  const address = newAddress();
  const warned = vi.spyOn(context.log, 'warn');
  const logged = vi.spyOn(context.log, 'error');
  mailServer.refusal = { responseCode: 550, message: `no such user: ${address}` };
  await send({ to: { address } });
  await expect.poll(() => logged.mock.calls).toHaveLength(1);
  mailServer.refusal = undefined;
  expect(mailServer.received).toEqual([]);
  expect(await findJob(address)).toEqual({ state: 'failed', retryCount: 0 });
  expect(warned.mock.calls[0]?.[0]).toMatchObject({ responseCode: 550, command: 'RCPT TO' });
  expect(JSON.stringify([...logged.mock.calls, ...warned.mock.calls])).not.toContain(address);
  logged.mockRestore();
  warned.mockRestore();
  const admin = await signUp({ admin: true });
  const listed = await call('GET', '/api/admin/jobs?kind=mail', { as: admin.cookie });
  expect(listed.json().jobs.filter(({ state }: { state: string }) => state === 'failed')).toMatchObject([
    { message: 'The mail server permanently refused the email: 550 in response to RCPT TO.', tries: 1 },
  ]);
  expect(listed.body).not.toContain(address);
});

const refusals = [
  { why: 'an unknown recipient', responseCode: 550, message: '5.1.1 no such user', isSent: true },
  { why: 'an unknown domain', responseCode: 550, message: '5.1.2 no such host', isSent: true },
  { why: 'an invalid address', responseCode: 553, message: '5.1.3 bad address', isSent: true },
  { why: 'a moved mailbox', responseCode: 551, message: '5.1.6 moved', isSent: true },
  { why: 'a domain without mail', responseCode: 556, message: '5.1.10 null MX', isSent: true },
  { why: 'a disabled mailbox', responseCode: 550, message: '5.2.1 disabled', isSent: true },
  { why: 'a full mailbox', responseCode: 552, message: '5.2.2 mailbox full', isSent: false },
  { why: 'a bad sender', responseCode: 550, message: '5.1.8 bad sender', isSent: false },
  { why: 'a refusal without details', responseCode: 550, message: 'no', isSent: true },
  { why: 'a refusal by policy', responseCode: 554, message: '5.7.1 relay access denied', isSent: false },
  { why: 'a busy server', responseCode: 450, message: 'greylisted', isSent: false },
];

test.each(refusals)('for $why, the ifRefused job is sent: $isSent', async ({ isSent, ...refusal }) => {
  const queue = `receives-refused-${randomUUID()}`;
  await jobs.createQueue(queue);
  const email = { to: { address: newAddress() }, subject: 'A subject', text: 'A text', messageId: '<2@l.example>' };
  mailServer.refusal = refusal;
  const task = { ...email, ifRefused: { queue, data: { id: 1 } } };
  await expect(mailJob.run(context, task, new AbortController().signal)).rejects.toThrow();
  mailServer.refusal = undefined;
  expect((await jobs.findJobs(queue)).map(({ data }) => data)).toEqual(isSent ? [{ id: 1 }] : []);
});

test('an email whose ifRefused job cannot be sent stays in the queue', async () => {
  const email = { to: { address: newAddress() }, subject: 'A subject', text: 'A text', messageId: '<3@l.example>' };
  mailServer.refusal = { responseCode: 550, message: '5.1.1 no such user' };
  const task = { ...email, ifRefused: { queue: 'a-queue-that-does-not-exist', data: {} } };
  await expect(mailJob.run(context, task, new AbortController().signal)).rejects.not.toThrow(PermanentJobError);
  mailServer.refusal = undefined;
});

test('a temporarily refused email is retried', async () => {
  mailServer.refusal = { responseCode: 450, message: 'greylisted' };
  const task = {
    to: { address: newAddress() },
    subject: 'A subject',
    text: 'A text',
    messageId: '<1@linksieve.example>',
  };
  await expect(mailJob.run(context, task, new AbortController().signal)).rejects.toThrow('EENVELOPE 450');
  mailServer.refusal = undefined;
});

test('an email that fails on its last attempt is logged by its Message-ID', async () => {
  const address = newAddress();
  const logged = vi.spyOn(context.log, 'error');
  await jobs.updateQueue(mailQueue.name, { retryLimit: 0 });
  mailServer.refusal = { responseCode: 450, message: 'greylisted' };
  await send({ to: { address } });
  await expect.poll(() => logged.mock.calls).toHaveLength(1);
  mailServer.refusal = undefined;
  expect(logged.mock.calls[0]?.[1]).toContain('email not delivered');
  expect(JSON.stringify(logged.mock.calls)).not.toContain(address);
  await jobs.updateQueue(mailQueue.name, { retryLimit: mailQueue.retryLimit });
  logged.mockRestore();
});

test('the ifLost job of a failed email is sent, even if the first attempt to send it fails', async () => {
  const queue = 'receives-failed-mail';
  const ifLost = { queue, data: { replyId: 1 } };
  const id = await context.jobs.send('mail-given-up', { messageId: '<lost@mail.example>', ifLost });
  const state = async () => (await context.jobs.findJobs('mail-given-up', { id: String(id) }))[0]?.state;
  await expect.poll(state).toMatch(/retry|failed/);
  await context.jobs.createQueue(queue);
  await expect.poll(() => context.jobs.fetch(queue)).toMatchObject([{ data: { replyId: 1 } }]);
});

test.each([
  ['localhost', 'http://localhost:3000/domains'],
  ['127.0.0.1', 'http://127.0.0.1:3000/domains'],
  ['::1', 'http://[::1]:3000/domains'],
])('on host %s the link to a page is %s', (HOST, link) => {
  expect(pageLink(readConfig({}, { HOST }), '/domains')).toBe(link);
  const PUBLIC_URL = 'https://links.example';
  expect(pageLink(readConfig({}, { HOST, PUBLIC_URL }), '/domains')).toBe('https://links.example/domains');
});

test('the placeholder address of an admin without an email address is not a mailbox', () => {
  expect(isMailbox('admin@localhost.localdomain')).toBe(false);
  expect(isMailbox('admin@LOCALHOST.LocalDomain')).toBe(false);
  expect(isMailbox('admin@localdomain.example')).toBe(true);
});
