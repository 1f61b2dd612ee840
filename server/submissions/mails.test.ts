import { expect, test } from 'vitest';
import { startMailServer } from '../mail/mail-server.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { submissionKit } from './submissions.fixtures.ts';

const mailServer = await startMailServer();
const testApp = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { worker: true },
);
const { signUp } = testApp;
const { send, decide, approve } = submissionKit(testApp);
const addressOf = ({ username }: { username: string }) => `${username}@mail.example`;

test('admins hear of a suggested site, its submitter of the decision and the reason', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const { id } = (await send(user.cookie, 'letters.example')).json();
  const asked = await mailServer.take(addressOf(admin));
  expect(asked.headers.get('subject')).toBe('Site submission: letters.example');
  expect(asked.body).toContain(`${addressOf(user)} suggests letters.example`);
  expect(asked.body).toContain('They offer paid posts');
  expect(asked.body).toContain('https://linksieve.example/admin/submissions');

  await decide(admin.cookie, id, { status: 'rejected', reason: 'There is no offer on that page.' });
  const refused = await mailServer.take(addressOf(user));
  expect(refused.headers.get('subject')).toBe('Your submission of letters.example was rejected');
  expect(refused.body).toContain('There is no offer on that page.');

  await approve(user.cookie, admin.cookie, 'more-letters.example');
  const taken = await mailServer.take(addressOf(user));
  expect(taken.headers.get('subject')).toBe('Your submission of more-letters.example was approved');
});

test('a decision that is refused sends no email', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const { id } = (await send(user.cookie, 'once.example')).json();
  await decide(admin.cookie, id, { status: 'approved' });
  await mailServer.take(addressOf(user));
  expect((await decide(admin.cookie, id, { status: 'rejected' })).statusCode).toBe(409);
  await approve(user.cookie, admin.cookie, 'after.example');
  expect((await mailServer.take(addressOf(user))).headers.get('subject')).toContain('after.example');
});
