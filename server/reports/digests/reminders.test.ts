import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { deliverEmail, mailQueue, type QueuedEmail } from '../../platform/mail/mail.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { buildAlertCalls } from './alerts.fixtures.ts';
import { sendReminders } from './reminders.ts';

const mailServer = await startMailServer();
const { context, signUp } = await startTestApp({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
  PUBLIC_URL: 'https://linksieve.example',
});
const { db, jobs, pool } = context;
const { createWebsite, createReport } = buildAlertCalls(context);

const now = new Date('2026-08-10T07:12:00Z');
const daysBefore = (days: number) => new Date(now.getTime() - days * 86_400_000);
const signal = new AbortController().signal;
const send = (date = now) => sendReminders({ ...context, now: () => date }, signal);
const listQueued = async ({ username }: TestUser) =>
  (await jobs.findJobs<QueuedEmail>(mailQueue.name))
    .map(({ data }) => data)
    .filter(({ to }) => to.address === `${username}@mail.example`);

test('one email asks for new exports of all websites whose newest report is older than 90 days, once per report', async () => {
  const user = await signUp();
  const [old, older, fresh, renewed] = [
    await createWebsite(user.id, 'daily'),
    await createWebsite(user.id, 'weekly'),
    await createWebsite(user.id, 'daily'),
    await createWebsite(user.id, 'daily'),
  ];
  await createWebsite(user.id, 'daily');
  await createReport(old.id, daysBefore(91));
  await createReport(older.id, daysBefore(200));
  await createReport(fresh.id, daysBefore(89));
  await createReport(renewed.id, daysBefore(300));
  await createReport(renewed.id, daysBefore(10));
  for (const digest of ['off', 'daily'] as const) {
    const { id } = await createWebsite(user.id, digest, { enabled: digest === 'off' });
    await createReport(id, daysBefore(200));
  }
  expect(await send()).toBe(1);
  const [email] = await listQueued(user);
  if (!email) throw new Error('no reminder');
  await deliverEmail(context, email, signal);
  const { headers, parts } = await mailServer.waitForEmail(email.to.address);
  expect(headers.get('subject')).toBe('Upload a new export for 2 websites');
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  expect(headers.get('list-unsubscribe')).toContain(`/unsubscribe/${user.id}-`);
  expect(parts?.text).toContain('These exports are more than 90 days old. Alerts cover only the links in them,');
  expect(parts?.text).toContain(`
- ${older.domain}: last export uploaded on January 22, 2026
  https://linksieve.example/risk-assessment?profile=${older.id}
- ${old.domain}: last export uploaded on May 11, 2026
  https://linksieve.example/risk-assessment?profile=${old.id}

`);
  const link = `<a href="https://linksieve.example/risk-assessment?profile=${old.id}">${old.domain}</a>`;
  expect(parts?.html).toContain(`${link}: last export uploaded on May 11, 2026</li>`);
  expect(parts?.html.match(/<li /g)).toHaveLength(2);

  expect(await send()).toBe(0);
  await createReport(old.id, daysBefore(95));
  expect(await send()).toBe(0);
  await createReport(old.id, daysBefore(1));
  await createReport(fresh.id, daysBefore(1));
  await createReport(renewed.id, daysBefore(1));
  expect(await send(daysBefore(-90))).toBe(1);
  const [subject] = (await listQueued(user)).map((one) => one.subject).filter((one) => one.endsWith('3 websites'));
  expect(subject).toBe('Upload a new export for 3 websites');
});

test('deleting a reminded report does not cause a reminder of an earlier one', async () => {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'daily');
  await createReport(id, daysBefore(300));
  await createReport(id, daysBefore(200));
  expect(await send()).toBe(1);
  await db.deleteFrom('reports').where('website_id', '=', id).where('created_at', '>', daysBefore(250)).execute();
  expect(await send()).toBe(0);
  await createReport(id, daysBefore(100));
  expect(await send()).toBe(1);
});

test('two processes that remind at once send one email', async () => {
  const user = await signUp();
  const { id, domain } = await createWebsite(user.id, 'daily');
  await createReport(id, daysBefore(100));
  const both = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', user.id).forUpdate().execute();
    const sending = Promise.all([send(), send()]);
    await expect.poll(() => listLockWaiters(pool, '%from users%')).toHaveLength(2);
    return { sending };
  });
  expect((await both.sending).sort()).toEqual([0, 1]);
  const emails = await listQueued(user);
  expect(emails.map(({ subject }) => subject)).toEqual([`Upload a new export for ${domain}`]);
  expect(emails[0]?.text).toContain(
    'This export is more than 90 days old. Alerts cover only the links in it, so newer links are not watched.',
  );
});

test('disabled and paused accounts, and those with an unconfirmed address, are not reminded', async () => {
  const [disabled, paused, unconfirmed] = [await signUp(), await signUp(), await signUp()];
  for (const { id } of [disabled, paused, unconfirmed])
    await createReport((await createWebsite(id, 'daily')).id, daysBefore(100));
  await db.updateTable('users').set({ disabled_at: now }).where('id', '=', disabled.id).execute();
  await db.insertInto('alert_settings').values({ user_id: paused.id, mail_paused_at: now }).execute();
  await db.updateTable('users').set({ email_confirmed: false }).where('id', '=', unconfirmed.id).execute();
  expect(await send()).toBe(0);
});
