import { expect, test } from 'vitest';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { buildFactorCalls, getCookies } from '../accounts/second-factor/second-factor.fixtures.ts';
import { maxNoticesPerHour, sendDueNotices } from './notices.ts';

const mailServer = await startMailServer();
const testApp = await startTestApp({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
  PUBLIC_URL: 'https://linksieve.example',
});
const { call, context, signUp } = testApp;
const { db } = context;
const { turnOn, logIn } = buildFactorCalls(testApp);

/** Queues the due notices. @returns the texts of those to the user */
async function takeNotices({ username }: Pick<TestUser, 'username'>): Promise<string[]> {
  await sendDueNotices(context);
  const { rows } = await context.pool.query<{ text: string }>(
    `delete from pgboss.job where name = 'mail' and data->'to'->>'address' = $1 and data->>'subject' = $2
     returning data->>'text' as text`,
    [`${username}@mail.example`, 'Security notice for your Linksieve account'],
  );
  return rows.map(({ text }) => text);
}

const makeOld = ({ id }: Pick<TestUser, 'id'>) =>
  db
    .updateTable('users')
    .set({ created_at: new Date(Date.now() - 7_200_000) })
    .where('id', '=', id)
    .execute();
const createKey = ({ cookie: as }: TestUser, name = 'CI') => call('POST', '/api/api-keys', { as, body: { name } });
const firefox = 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0';

test('the owner gets one email about all new keys, webhooks, feed addresses and factors, without texts of the session', async () => {
  const user = await signUp();
  const as = user.cookie;
  const { id } = (await createKey(user, 'https://evil.example/unlock')).json();
  await call('POST', `/api/api-keys/${id}/rotate`, { as, body: {} });
  const hook = { url: 'https://evil.example/in', events: ['alert.created'] };
  const webhook = (await call('POST', '/api/webhooks', { as, body: hook })).json();
  await call('POST', `/api/webhooks/${webhook.id}/secret`, { as });
  await call('POST', '/api/account/alert-feed', { as });
  await turnOn(user);
  await call('POST', '/api/account/second-factor/recovery-codes', { as });
  await call('DELETE', '/api/account/second-factor', { as });
  const body = { currentPassword: user.password, newPassword: 'a new long secret' };
  await call('POST', '/api/account/password', { as, body, headers: { 'user-agent': firefox } });
  const [text = '', ...others] = await takeNotices(user);
  expect(others).toEqual([]);
  expect(text.match(/^- [^(]+/gm)?.map((line) => line.trim())).toEqual([
    '- API key created',
    '- API key rotated',
    '- Webhook added',
    '- Webhook secret rotated',
    '- Alert feed address replaced',
    '- Two-factor authentication turned on',
    '- Recovery codes replaced',
    '- Two-factor authentication turned off',
    '- Password changed',
  ]);
  expect(text).toMatch(
    /- Password changed \(Firefox on Windows, IP address 127\.0\.0\.1, 20\d\d-\d\d-\d\d \d\d:\d\d UTC\)/,
  );
  expect(text).toContain('https://linksieve.example/auth?tab=forgot');
  for (const chosen of ['evil', user.username]) expect(text).not.toContain(chosen);
  expect(await takeNotices(user)).toEqual([]);
});

test('a sign-in in a new browser is reported, one in a known browser or just after the registration is not', async () => {
  const user = await signUp();
  await logIn(user);
  expect(await takeNotices(user)).toEqual([]);
  await makeOld(user);
  const known = getCookies(await logIn(user, { headers: { 'user-agent': firefox } }));
  const [text = ''] = await takeNotices(user);
  expect(text).toContain('- Signed in, in a new browser (Firefox on Windows, IP address 127.0.0.1, ');
  await logIn(user, { as: known });
  expect(await takeNotices(user)).toEqual([]);
  // A program chooses its own name.
  await logIn(user, { headers: { 'user-agent': 'www.evil.example/1' } });
  expect((await takeNotices(user))[0]).toContain('(unknown device, ');
});

test('the owner gets an email when an admin turns off the second factor', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  await turnOn(user);
  await takeNotices(user);
  const reset = () => call('POST', `/api/admin/users/${user.id}/reset-second-factor`, { as: admin.cookie });
  expect((await reset()).statusCode).toBe(200);
  expect((await takeNotices(user))[0]).toContain('- An admin turned off two-factor authentication');
  await reset();
  expect(await takeNotices(user)).toEqual([]);
});

test('an address that is not confirmed and a disabled account get no notice', async () => {
  const [unconfirmed, disabled] = [await signUp(), await signUp()];
  for (const user of [unconfirmed, disabled]) await createKey(user);
  await db.updateTable('users').set({ email_confirmed: false }).where('id', '=', unconfirmed.id).execute();
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  expect([await takeNotices(unconfirmed), await takeNotices(disabled)]).toEqual([[], []]);
});

test('an account gets at most twenty notices per hour', async () => {
  const user = await signUp();
  const notices: string[] = [];
  for (let i = 0; i < maxNoticesPerHour + 2; i++) {
    await call('POST', '/api/account/alert-feed', { as: user.cookie });
    notices.push(...(await takeNotices(user)));
  }
  expect(notices).toHaveLength(maxNoticesPerHour);
});

test('two workers send a notice once', async () => {
  const user = await signUp();
  await createKey(user);
  await Promise.all([1, 2, 3].map(() => sendDueNotices(context)));
  expect(await takeNotices(user)).toHaveLength(1);
});
