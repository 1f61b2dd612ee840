import { expect, test } from 'vitest';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAlertCalls } from './alerts.fixtures.ts';
import { sendDigests } from './digests.ts';
import { refusedMailJob } from './jobs.ts';
import { resumeDigests } from './queries.ts';

const mailServer = await startMailServer();
const { context, signUp } = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob, refusedMailJob] },
);
const { db } = context;
const { createWebsite, createAlerts } = buildAlertCalls(context);

const wednesday = new Date('2001-03-07T09:00:00Z');
const signal = new AbortController().signal;
const thursday = new Date('2001-03-08T09:00:00Z');
const send = (date = wednesday) => sendDigests({ ...context, now: () => date }, signal);
const isPaused = async (userId: number) => {
  const query = db.selectFrom('alert_settings').select('mail_paused_at').where('user_id', '=', userId);
  return ((await query.executeTakeFirst())?.mail_paused_at ?? null) !== null;
};

async function createReader() {
  const user = await signUp();
  const { id } = await createWebsite(user.id, 'daily');
  const createAlert = () => createAlerts(id, { at: new Date('2001-03-07T05:00:00Z') });
  await createAlert();
  return { user, createAlert, address: `${user.username}@mail.example` };
}

test('digests to an address that the mail server refuses are paused until they are resumed', async () => {
  const { user, createAlert, address } = await createReader();
  mailServer.refusal = { responseCode: 550, message: '5.1.1 no such user' };
  expect(await send()).toBe(1);
  await expect.poll(() => isPaused(user.id)).toBe(true);
  mailServer.refusal = undefined;
  await createAlert();
  expect(await send(thursday)).toBe(0);
  await resumeDigests(db, user.id);
  expect(await isPaused(user.id)).toBe(false);
  expect(await send(thursday)).toBe(1);
  expect((await mailServer.waitForEmail(address)).parts?.text).toContain('now on the blacklist');
});

test('an address that is not confirmed gets its digests after the confirmation', async () => {
  const { user, address } = await createReader();
  const setConfirmed = (isConfirmed: boolean) =>
    db.updateTable('users').set({ email_confirmed: isConfirmed }).where('id', '=', user.id).execute();
  await setConfirmed(false);
  expect(await send()).toBe(0);
  await setConfirmed(true);
  expect(await send()).toBe(1);
  await mailServer.waitForEmail(address);
});

test('a busy mail server pauses nothing', async () => {
  const { user, address } = await createReader();
  mailServer.refusal = { responseCode: 450, message: 'greylisted' };
  expect(await send()).toBe(1);
  const find = async () =>
    (await context.jobs.findJobs<{ to: { address: string } }>('mail')).find(({ data }) => data.to.address === address);
  await expect.poll(async () => (await find())?.state).toBe('retry');
  mailServer.refusal = undefined;
  expect(await isPaused(user.id)).toBe(false);
});

test('a refusal of an earlier address does not pause digests, and a new address resumes them', async () => {
  const { user, address } = await createReader();
  const refuse = (email: string) => refusedMailJob.run(context, { about: user.id, email }, signal);
  await refuse('earlier@mail.example');
  expect(await isPaused(user.id)).toBe(false);
  await refuse(address);
  expect(await isPaused(user.id)).toBe(true);
  await refuse(address);
  const withoutMail = await startTestApp();
  const other = await withoutMail.signUp();
  await withoutMail.context.db
    .insertInto('alert_settings')
    .values({ user_id: other.id, mail_paused_at: wednesday })
    .execute();
  const body = { email: 'new@mail.example', currentPassword: other.password };
  expect((await withoutMail.call('POST', '/api/account/email', { as: other.cookie, body })).statusCode).toBe(200);
  const row = await withoutMail.context.db.selectFrom('alert_settings').selectAll().executeTakeFirstOrThrow();
  expect(row.mail_paused_at).toBeNull();
});
