import { expect, test } from 'vitest';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { runAdminCommand } from './commands.ts';
import { resetLinkJob } from './jobs.ts';

const mailServer = await startMailServer();
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [mailJob, resetLinkJob] },
);
const { db } = context;
const password = 'another long secret';

type TestUser = Awaited<ReturnType<typeof signUp>>;
const getEmail = ({ username }: TestUser) => `${username}@mail.example`;
const requestReset = (email: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/auth/reset-request', { body: { email }, headers });
const reset = (token: string, chosen = password) =>
  call('POST', '/api/auth/reset', { body: { token, password: chosen } });
const logIn = (username: string, secret: string) =>
  call('POST', '/api/auth/login', { body: { username, password: secret } });
const isSignedIn = async (cookie: string) =>
  (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode === 200;

/** Decodes quoted-printable, which the long line with the link requires. */
const decode = (body: string) => body.replaceAll('=\r\n', '').replaceAll('=3D', '=');

/** Waits for the email and returns the token in its link. */
async function waitForToken(user: TestUser): Promise<string> {
  const { body } = await mailServer.waitForEmail(getEmail(user));
  return /https:\/\/linksieve\.example\/auth\?tab=reset#([\w-]{43})\r\n/.exec(decode(body))?.[1] ?? '';
}

async function requestToken(user: TestUser): Promise<string> {
  expect((await requestReset(getEmail(user))).statusCode).toBe(204);
  return await waitForToken(user);
}

test('a reset link from an email sets a new password, ends all sessions and signs in', async () => {
  const user = await signUp();
  const token = await requestToken(user);
  const response = await reset(token);
  expect([response.statusCode, response.json().username]).toEqual([200, user.username]);
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
  expect([await isSignedIn(cookie), await isSignedIn(user.cookie)]).toEqual([true, false]);
  expect((await logIn(user.username, user.password)).statusCode).toBe(401);
  expect((await logIn(user.username, password)).statusCode).toBe(200);
});

test('the email contains the username and says that it can be ignored', async () => {
  const user = await signUp();
  await requestReset(getEmail(user).toUpperCase());
  const { headers, body } = await mailServer.waitForEmail(getEmail(user));
  expect(headers.get('subject')).toBe('Reset your Linksieve password');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(decode(body)).toContain(`your Linksieve account ${user.username}.`);
  expect(decode(body)).toContain('If you did not request a password reset, ignore this email.');
});

test('until the address is confirmed, the email contains no name, and later none that may be a link', async () => {
  const user = await signUp();
  const displayName = 'your account is locked. Unlock it now: https://evil.example/unlock?id=';
  const set = (values: { email_confirmed?: boolean; display_name?: string; username?: string }) =>
    db.updateTable('users').set(values).where('id', '=', user.id).execute();
  await set({ email_confirmed: false, display_name: 'A Nice Name' });
  const read = async () => {
    await requestReset(getEmail(user));
    const { headers, body } = await mailServer.waitForEmail(getEmail(user));
    return `${headers.get('to')}\n${decode(body)}`.replaceAll(getEmail(user), '');
  };
  const unconfirmed = await read();
  expect(unconfirmed).toContain('\nHello,\r\n');
  for (const name of ['A Nice Name', user.username]) expect(unconfirmed).not.toContain(name);
  await set({ email_confirmed: true });
  expect(await read()).toContain('Hello A Nice Name,');
  // Names from before they were checked.
  await set({ display_name: displayName });
  expect(await read()).toContain(`Hello ${user.username},`);
  await set({ username: `${user.username}.com` });
  const hidden = await read();
  expect(hidden).toContain('\nHello,\r\n');
  for (const name of ['evil.example', `${user.username}.com`]) expect(hidden).not.toContain(name);
});

test('a reset link works once, even when it is used several times at the same moment', async () => {
  const token = await requestToken(await signUp());
  const codes = (await Promise.all([reset(token), reset(token), reset(token)])).map(({ statusCode }) => statusCode);
  expect(codes.sort()).toEqual([200, 400, 400]);
  const again = await reset(token);
  expect([again.statusCode, again.json().fields.token]).toEqual([
    400,
    'This link has expired or has already been used. Please request a new one.',
  ]);
});

test('a newer reset link invalidates an older one', async () => {
  const user = await signUp();
  const [first, second] = [await requestToken(user), await requestToken(user)];
  expect((await reset(first)).statusCode).toBe(400);
  expect((await reset(second)).statusCode).toBe(200);
});

test('a reset link is invalid after an hour, after a password change and for a disabled account', async () => {
  const [late, changed, disabled] = [await signUp(), await signUp(), await signUp()];
  const tokens = [await requestToken(late), await requestToken(changed), await requestToken(disabled)];
  const { expires_at: expiresAt } = await db
    .selectFrom('password_resets')
    .select('expires_at')
    .where('user_id', '=', late.id)
    .executeTakeFirstOrThrow();
  expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(60);
  await db.updateTable('password_resets').set({ expires_at: new Date() }).where('user_id', '=', late.id).execute();
  const body = { currentPassword: changed.password, newPassword: 'changed by the owner' };
  expect((await call('POST', '/api/account/password', { as: changed.cookie, body })).statusCode).toBe(204);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  for (const token of tokens) expect((await reset(token)).statusCode).toBe(400);
});

test('a new password must follow the rules of registration, and a refused one does not use up the link', async () => {
  const user = await signUp();
  const token = await requestToken(user);
  for (const weak of ['short', 'x'.repeat(129), user.username, getEmail(user), 'password1']) {
    const response = await reset(token, weak);
    expect([weak.slice(0, 20), response.statusCode]).toEqual([weak.slice(0, 20), 400]);
    expect(response.json().fields.password).toMatch(/^Please choose a password/);
  }
  expect(await isSignedIn(user.cookie)).toBe(true);
  expect((await reset(token)).statusCode).toBe(200);
});

test('neither the database nor the job queue contains a token', async () => {
  const token = await requestToken(await signUp());
  const { rows } = await context.pool.query(
    "select data::text, output::text from pgboss.job where name like 'mail%' union all select token_hash::text, '' from password_resets",
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('the response is the same for any address, and only enabled accounts get an email', async () => {
  const [user, disabled] = [await signUp(), await signUp()];
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  const responses = [];
  for (const email of ['unknown@mail.example', getEmail(disabled), getEmail(user)]) {
    const { statusCode, body, headers } = await requestReset(email);
    responses.push({ statusCode, body, headerNames: Object.keys(headers).sort() });
  }
  expect(responses[1]).toEqual(responses[0]);
  expect(responses[2]).toEqual(responses[0]);
  expect(await waitForToken(user)).not.toBe('');
  const others = mailServer.received.filter(
    ({ headers }) => headers.get('subject') === 'Reset your Linksieve password',
  );
  expect(others).toEqual([]);
  expect(await db.selectFrom('password_resets').select('user_id').where('user_id', '=', disabled.id).execute()).toEqual(
    [],
  );
});

test('an hour allows five resets for one email address and twenty from one network', async () => {
  await db.deleteFrom('login_failures').execute();
  const codes = [];
  for (let i = 0; i < 6; i++)
    codes.push((await requestReset(i % 2 ? 'often@mail.example' : 'OFTEN@mail.example')).statusCode);
  expect(codes).toEqual([204, 204, 204, 204, 204, 429]);
  await db.deleteFrom('login_failures').execute();
  for (let i = 0; i < 20; i++) expect((await requestReset(`unknown-${i}@mail.example`)).statusCode).toBe(204);
  expect((await requestReset('one-more@mail.example')).statusCode).toBe(429);
  await db.deleteFrom('login_failures').execute();
});

test('an account that signs in with Google can get a first password by email, but not from an admin', async () => {
  const [user, admin] = [await signUp(), await signUp({ admin: true })];
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
  const refused = await call('POST', `/api/admin/users/${user.id}/reset-link`, { as: admin.cookie });
  expect([refused.statusCode, refused.json().error]).toEqual([
    409,
    'This account has no password because its owner signs in with Google or another provider.',
  ]);
  expect((await reset(await requestToken(user))).statusCode).toBe(200);
  expect((await logIn(user.username, password)).statusCode).toBe(200);
});

test('a reset unlocks an account that was throttled after failed sign-ins', async () => {
  const user = await signUp();
  for (let i = 0; i < 10; i++) await logIn(user.username, 'wrong');
  expect((await logIn(user.username, user.password)).statusCode).toBe(429);
  expect((await reset(await requestToken(user))).statusCode).toBe(200);
  expect((await logIn(user.username, password)).statusCode).toBe(200);
});

test('an admin creates a reset link for another user, and the audit event does not contain its token', async () => {
  const [admin, user, disabled] = [await signUp({ admin: true }), await signUp(), await signUp()];
  const createLink = (id: number) => call('POST', `/api/admin/users/${id}/reset-link`, { as: admin.cookie });
  const response = await createLink(user.id);
  expect(response.json().link).toMatch(/^https:\/\/linksieve\.example\/auth\?tab=reset#[\w-]{43}$/);
  const token = response.json().link.split('#')[1];
  const events = await db.selectFrom('audit_events').selectAll().where('user_id', '=', admin.id).execute();
  expect(events).toMatchObject([{ event: 'Made a reset link', details: { username: user.username } }]);
  expect(JSON.stringify(events)).not.toContain(token);
  expect(await isSignedIn(user.cookie)).toBe(true);
  expect((await reset(token)).statusCode).toBe(200);
  expect(await isSignedIn(user.cookie)).toBe(false);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  expect((await createLink(disabled.id)).statusCode).toBe(409);
  expect((await createLink(admin.id)).statusCode).toBe(409);
  expect((await createLink(999_999)).statusCode).toBe(404);
});

test('the command line creates a reset link for an existing account only', async () => {
  const user = await signUp();
  const lines: string[] = [];
  await runAdminCommand(context, ['reset', getEmail(user)], (line) => lines.push(line));
  const token = /https:\/\/linksieve\.example\/auth\?tab=reset#([\w-]{43})$/.exec(lines[0] ?? '')?.[1] ?? '';
  expect((await reset(token)).statusCode).toBe(200);
  await runAdminCommand(context, ['reset', 'nobody-here'], (line) => lines.push(line));
  expect(lines[1]).toBe('There is no account named nobody-here.');
  process.exitCode = 0;
});
