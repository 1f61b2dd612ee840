import { expect, test } from 'vitest';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildSubmissionCalls } from './submissions.fixtures.ts';

const mailServer = await startMailServer();
const testApp = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob] },
);
const { signUp } = testApp;
const { send, decide, approve } = buildSubmissionCalls(testApp);
const getEmail = ({ username }: { username: string }) => `${username}@mail.example`;

test('admins get an email about a submitted site, and its submitter about the decision and the reason', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const { id } = (await send(user.cookie, 'mailed.example')).json();
  const notification = await mailServer.waitForEmail(getEmail(admin));
  expect(notification.headers.get('subject')).toBe('Site submission: mailed.example');
  expect(notification.body).toContain(`${getEmail(user)} submitted mailed.example`);
  expect(notification.body).toContain('They offer paid posts');
  expect(notification.body).toContain('https://linksieve.example/admin/submissions');

  await decide(admin.cookie, id, { status: 'rejected', reason: 'There is no offer on that page.' });
  const rejection = await mailServer.waitForEmail(getEmail(user));
  expect(rejection.headers.get('subject')).toBe('Your submission of mailed.example was rejected');
  expect(rejection.body).toContain('There is no offer on that page.');

  await approve(user.cookie, admin.cookie, 'also-mailed.example');
  const approval = await mailServer.waitForEmail(getEmail(user));
  expect(approval.headers.get('subject')).toBe('Your submission of also-mailed.example was approved');
});

test('a decision that returns 409 sends no email', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const { id } = (await send(user.cookie, 'once.example')).json();
  await decide(admin.cookie, id, { status: 'approved' });
  await mailServer.waitForEmail(getEmail(user));
  expect((await decide(admin.cookie, id, { status: 'rejected' })).statusCode).toBe(409);
  await approve(user.cookie, admin.cookie, 'after.example');
  expect((await mailServer.waitForEmail(getEmail(user))).headers.get('subject')).toContain('after.example');
});
