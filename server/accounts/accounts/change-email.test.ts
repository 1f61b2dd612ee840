import { expect, test } from 'vitest';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp, type TestApp, type TestUser } from '../../test-app.fixtures.ts';
import { setEmail } from './accounts.ts';
import { maxConfirmationsPerHour } from './confirmation-email.ts';
import { confirmationEmailJob, resetLinkJob } from './jobs.ts';

const mailServer = await startMailServer();
const withMail = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob, confirmationEmailJob, resetLinkJob] },
);
const withoutMail = await startTestApp();
const apps = [withMail, withoutMail];
const { call, context, signUp } = withMail;
const { db } = context;

let count = 0;
const newAddress = () => `new-${++count}@mail.example`;
const isConfirmed = async (as: string, app: TestApp = withMail) =>
  (await app.call('GET', '/api/auth/current-user', { as })).json().isEmailConfirmed;
const resend = (as: string, app: TestApp = withMail) => app.call('POST', '/api/account/email/link', { as });
const getAddress = ({ username }: TestUser) => `${username}@mail.example`;
const request = ({ cookie, password }: TestUser, email: string, app: TestApp = withMail, currentPassword = password) =>
  app.call('POST', '/api/account/email', { as: cookie, body: { email, currentPassword } });
const confirm = (as: string, token: string) => call('POST', '/api/account/email/confirm', { as, body: { token } });
const findEmail = async (as: string, app: TestApp = withMail) =>
  (await app.call('GET', '/api/auth/current-user', { as })).json().email;
const findPending = async (as: string) => (await call('GET', '/api/account', { as })).json().pendingEmail;
const startSession = async ({ username, password }: TestUser, app: TestApp) => {
  const response = await app.call('POST', '/api/auth/login', { body: { username, password } });
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
};
const isSignedIn = async (as: string, app: TestApp) =>
  (await app.call('GET', '/api/auth/current-user', { as })).statusCode === 200;

/** Decodes quoted-printable, which the long line with the link requires. */
const decode = (body: string) => body.replaceAll('=\r\n', '').replaceAll('=3D', '=');

/** Waits for the email and returns the token in its link. */
async function waitForToken(email: string): Promise<string> {
  const { body } = await mailServer.waitForEmail(email);
  return /https:\/\/linksieve\.example\/account\?tab=profile#([\w-]{43})\r\n/.exec(decode(body))?.[1] ?? '';
}

async function requestToken(user: TestUser, email: string): Promise<string> {
  expect((await request(user, email)).statusCode).toBe(200);
  return await waitForToken(email);
}

test('a new address replaces the old one when its link is confirmed, and the old address is told', async () => {
  const [user, email] = [await signUp(), newAddress()];
  const elsewhere = await startSession(user, withMail);
  const requested = await request(user, email);
  expect([requested.statusCode, requested.json().email]).toEqual([200, getAddress(user)]);
  expect(await findPending(user.cookie)).toBe(email);
  const token = await waitForToken(email);
  expect(await isSignedIn(elsewhere, withMail)).toBe(true);
  const confirmed = await confirm(user.cookie, token);
  expect([confirmed.statusCode, confirmed.json().email]).toEqual([200, email]);
  expect(await findPending(user.cookie)).toBeNull();
  expect(await isSignedIn(elsewhere, withMail)).toBe(false);
  const { headers, body } = await mailServer.waitForEmail(getAddress(user));
  expect(headers.get('subject')).toBe('Your Linksieve email address was changed');
  expect(decode(body)).toContain(`was changed to ${email}.`);
  expect((await confirm(user.cookie, token)).statusCode).toBe(400);
  const events = await db.selectFrom('account_events').select('kind').where('user_id', '=', user.id).execute();
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['email-change-requested', 'email-changed']));
});

test('without a mail server, the address changes immediately and other sessions end', async () => {
  const [user, email] = [await withoutMail.signUp(), newAddress()];
  const elsewhere = await startSession(user, withoutMail);
  const response = await request(user, email, withoutMail);
  expect([response.statusCode, response.json().email]).toEqual([200, email]);
  expect(await isSignedIn(user.cookie, withoutMail)).toBe(true);
  expect(await isSignedIn(elsewhere, withoutMail)).toBe(false);
  const body = { username: email, password: user.password };
  expect((await withoutMail.call('POST', '/api/auth/login', { body })).statusCode).toBe(200);
});

test('the current password is required, and wrong ones are counted like failed sign-ins', async () => {
  const user = await signUp();
  for (let i = 0; i < 10; i++) {
    const { statusCode, ...response } = await request(user, newAddress(), withMail, 'not this one');
    expect([statusCode, response.json().fields]).toEqual([
      400,
      { currentPassword: 'This is not your current password.' },
    ]);
  }
  expect((await request(user, newAddress())).statusCode).toBe(429);
});

test('an account without a password cannot change its address', async () => {
  for (const app of apps) {
    const user = await app.signUp();
    await app.context.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
    const response = await request(user, newAddress(), app);
    expect([response.statusCode, response.json().error]).toEqual([
      409,
      'Please set a password before you change your email address.',
    ]);
    expect(await findEmail(user.cookie, app)).toBe(getAddress(user));
  }
});

test('an invalid, unchanged or taken address is refused', async () => {
  for (const app of apps) {
    const [user, other] = [await app.signUp(), await app.signUp()];
    for (const email of ['not an address', 'a,b@mail.example', getAddress(user)]) {
      const { statusCode, ...response } = await request(user, email, app);
      expect([statusCode, Object.keys(response.json().fields)]).toEqual([400, ['email']]);
    }
    const taken = 'An account with this email address already exists.';
    const response = await request(user, getAddress(other).toUpperCase(), app);
    expect([response.statusCode, response.json()]).toMatchObject([409, { error: taken, fields: { email: taken } }]);
    expect(await findEmail(user.cookie, app)).toBe(getAddress(user));
  }
});

test('of two accounts that confirm the same address at once, one gets it', async () => {
  const [first, second, email] = [await signUp(), await signUp(), newAddress()];
  const tokens = [await requestToken(first, email), await requestToken(second, email)];
  const responses = await Promise.all([
    confirm(first.cookie, tokens[0] ?? ''),
    confirm(second.cookie, tokens[1] ?? ''),
  ]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect([await findEmail(first.cookie), await findEmail(second.cookie)].filter((one) => one === email)).toHaveLength(
    1,
  );
});

test('a link is valid once, for an hour, for its own account, and until a newer one is sent', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const [stale, late] = [await requestToken(user, newAddress()), await requestToken(other, newAddress())];
  const email = newAddress();
  const token = await requestToken(user, email);
  await db.updateTable('email_changes').set({ expires_at: new Date() }).where('user_id', '=', other.id).execute();
  expect(await findPending(other.cookie)).toBeNull();
  for (const [as, wrong] of [
    [user.cookie, stale],
    [other.cookie, late],
    [other.cookie, token],
  ] as const) {
    const response = await confirm(as, wrong);
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, ['token']]);
  }
  const codes = (await Promise.all([1, 2, 3].map(() => confirm(user.cookie, token)))).map((one) => one.statusCode);
  expect(codes.sort()).toEqual([200, 400, 400]);
  expect(await findEmail(user.cookie)).toBe(email);
});

test('an older password reset link stops working, because it was sent to the old address', async () => {
  const user = await signUp();
  await call('POST', '/api/auth/reset-request', { body: { email: getAddress(user) } });
  const { body } = await mailServer.waitForEmail(getAddress(user));
  const reset = /tab=reset#([\w-]{43})/.exec(decode(body))?.[1];
  await confirm(user.cookie, await requestToken(user, newAddress()));
  const response = await call('POST', '/api/auth/reset', { body: { token: reset, password: 'another long secret' } });
  expect(response.statusCode).toBe(400);
});

test('the subscription to product news moves to the new address, without replacing one that exists', async () => {
  const [user, ended] = [await signUp(), await signUp()];
  const [email, taken] = [newAddress(), newAddress()];
  const subscribe = (address: string) => call('POST', '/api/newsletter/subscribe', { body: { email: address } });
  const isSubscribed = async (as: string) => (await call('GET', '/api/account/newsletter', { as })).json().subscribed;
  for (const address of [getAddress(user), getAddress(ended), taken]) await subscribe(address);
  await db
    .updateTable('newsletter_subscriptions')
    .set({ unsubscribed_at: new Date() })
    .where('email', '=', taken)
    .execute();
  await confirm(user.cookie, await requestToken(user, email));
  await confirm(ended.cookie, await requestToken(ended, taken));
  expect([await isSubscribed(user.cookie), await isSubscribed(ended.cookie)]).toEqual([true, false]);
  const old = await db
    .selectFrom('newsletter_subscriptions')
    .select('email')
    .where('email', 'in', [getAddress(user), getAddress(ended)])
    .execute();
  expect(old).toEqual([]);
});

test('an account and an address get a limited number of confirmation emails per hour', async () => {
  const [user, email] = [await signUp(), newAddress()];
  for (let i = 0; i < maxConfirmationsPerHour; i++) expect((await request(user, newAddress())).statusCode).toBe(200);
  expect((await request(user, newAddress())).statusCode).toBe(429);
  for (let i = 0; i < maxConfirmationsPerHour; i++) expect((await request(await signUp(), email)).statusCode).toBe(200);
  expect((await request(await signUp(), email)).statusCode).toBe(429);
});

test('neither the database nor the job queue contains a token', async () => {
  const token = await requestToken(await signUp(), newAddress());
  const { rows } = await context.pool.query(
    "select data::text, output::text from pgboss.job where name like 'mail%' union all select token_hash::text, '' from email_changes",
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('the data export contains the address that waits for confirmation, which is deleted with the account', async () => {
  const [user, email] = [await signUp(), newAddress()];
  await requestToken(user, email);
  const data = (await call('GET', '/api/account/data', { as: user.cookie })).json();
  expect(data).toMatchObject({ account: { displayName: user.username }, emailChange: { email } });
  const body = { password: user.password };
  expect((await call('DELETE', '/api/account', { as: user.cookie, body })).statusCode).toBe(204);
  const left = await db.selectFrom('email_changes').select('email').where('user_id', '=', user.id).execute();
  expect(left).toEqual([]);
});

/** Registers as a visitor does. The address is not confirmed if the server sends email. */
async function register(app: TestApp, displayName = ''): Promise<{ cookie: string; id: number; email: string }> {
  const username = `www.r${++count}-${Date.now().toString(36)}`;
  const email = `${username.slice(4)}@mail.example`;
  const response = await app.call('POST', '/api/auth/register', {
    body: { username, email, displayName, password: `long words of ${username}` },
  });
  return { cookie: String(response.headers['set-cookie']).split(';')[0] ?? '', id: response.json().id, email };
}

test('the address of a registration is confirmed with its link, in a session of the account', async () => {
  const [{ cookie, id, email }, other] = [await register(withMail, 'Buy now at spam.example'), await signUp()];
  expect([await isConfirmed(cookie), await findPending(cookie)]).toEqual([false, null]);
  const { headers, body } = await mailServer.waitForEmail(email);
  expect(headers.get('subject')).toBe('Confirm your Linksieve email address');
  // The mailbox may be someone else's.
  expect(decode(body) + headers.get('to')).not.toMatch(/spam\.example|www\./);
  const token = /#([\w-]{43})\r\n/.exec(decode(body))?.[1] ?? '';
  expect((await confirm(other.cookie, token)).statusCode).toBe(400);
  const elsewhere = await startSession(
    { ...other, username: email, password: `long words of www.${email.split('@')[0]}` },
    withMail,
  );
  const confirmed = await confirm(cookie, token);
  expect([confirmed.statusCode, confirmed.json()]).toMatchObject([200, { email, isEmailConfirmed: true }]);
  // Nothing has changed that would require a new sign-in.
  expect(await isSignedIn(elsewhere, withMail)).toBe(true);
  expect((await confirm(cookie, token)).statusCode).toBe(400);
  const events = await db.selectFrom('account_events').select('kind').where('user_id', '=', id).orderBy('id').execute();
  expect(events.map(({ kind }) => kind)).toEqual(['account-created', 'signed-in', 'email-confirmed']);
  expect((await resend(cookie)).statusCode).toBe(409);
});

test('a new link replaces the one of the registration, and the number of links is limited', async () => {
  const { cookie, email } = await register(withMail);
  const first = await waitForToken(email);
  expect((await resend(cookie)).statusCode).toBe(204);
  const second = await waitForToken(email);
  expect((await confirm(cookie, first)).statusCode).toBe(400);
  // The registration counts too, and so does the link above.
  for (let i = 2; i < maxConfirmationsPerHour; i++) {
    expect((await resend(cookie)).statusCode).toBe(204);
    await waitForToken(email);
  }
  expect((await resend(cookie)).statusCode).toBe(429);
  expect((await confirm(cookie, second)).statusCode).toBe(400);
  expect(await isConfirmed(cookie)).toBe(false);
});

test('registrations with the same address send a limited number of emails', async () => {
  const address = newAddress();
  const requests = () => db.selectFrom('email_changes').select('user_id').where('email', '=', address).execute();
  for (let i = 0; i <= maxConfirmationsPerHour; i++) {
    const username = `same${i}-${Date.now().toString(36)}`;
    const body = { username, email: address, password: `long words of ${username}` };
    const response = await call('POST', '/api/auth/register', { body });
    expect(response.statusCode).toBe(201);
    expect(await requests()).toHaveLength(i < maxConfirmationsPerHour ? 1 : 0);
    await db.deleteFrom('users').where('id', '=', response.json().id).execute();
  }
});

test('a link to the address of the registration replaces one to a new address', async () => {
  const { cookie, id, email } = await register(withMail);
  await waitForToken(email);
  const other = newAddress();
  const password = `long words of www.${email.split('@')[0]}`;
  expect((await request({ cookie, id, username: '', password }, other)).statusCode).toBe(200);
  expect(await findPending(cookie)).toBe(other);
  const stale = await waitForToken(other);
  expect((await resend(cookie)).statusCode).toBe(204);
  expect(await findPending(cookie)).toBeNull();
  expect((await confirm(cookie, stale)).statusCode).toBe(400);
  expect((await confirm(cookie, await waitForToken(email))).json()).toMatchObject({ email, isEmailConfirmed: true });
});

test('an address that is set otherwise counts as confirmed, and the link to the old one stops working', async () => {
  const { cookie, id, email } = await register(withMail);
  const token = await waitForToken(email);
  await db.transaction().execute((trx) => setEmail(trx, id, newAddress()));
  expect(await isConfirmed(cookie)).toBe(true);
  expect((await confirm(cookie, token)).statusCode).toBe(400);
  expect(await findEmail(cookie)).not.toBe(email);
});

test('without a mail server, the address of a registration counts as confirmed', async () => {
  const { cookie } = await register(withoutMail);
  expect(await isConfirmed(cookie, withoutMail)).toBe(true);
  expect((await resend(cookie, withoutMail)).statusCode).toBe(503);
});
