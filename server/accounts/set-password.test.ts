import { expect, test } from 'vitest';
import { startMailServer } from '../mail/mail-server.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { runAdminCommand } from './commands.ts';

const mailServer = await startMailServer();
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { worker: true },
);
const { db } = context;
const password = 'another long secret';

type Person = Awaited<ReturnType<typeof signUp>>;
const addressOf = ({ username }: Person) => `${username}@mail.example`;
const ask = (email: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/auth/reset-request', { body: { email }, headers });
const reset = (token: string, chosen = password) =>
  call('POST', '/api/auth/reset', { body: { token, password: chosen } });
const logIn = (username: string, secret: string) =>
  call('POST', '/api/auth/login', { body: { username, password: secret } });
const isSignedIn = async (cookie: string) =>
  (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode === 200;

/** Waits for the mail and reads the token out of its link, which is encoded for its length. */
async function mailedToken(person: Person): Promise<string> {
  const { body } = await mailServer.take(addressOf(person));
  const text = body.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return /https:\/\/linksieve\.example\/auth\?tab=reset#([\w-]{43})\r\n/.exec(text)?.[1] ?? '';
}

async function tokenFor(person: Person): Promise<string> {
  expect((await ask(addressOf(person))).statusCode).toBe(204);
  return await mailedToken(person);
}

test('a mailed link sets another password, ends every session and signs in', async () => {
  const person = await signUp();
  const token = await tokenFor(person);
  const response = await reset(token);
  expect([response.statusCode, response.json().username]).toEqual([200, person.username]);
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
  expect([await isSignedIn(cookie), await isSignedIn(person.cookie)]).toEqual([true, false]);
  expect((await logIn(person.username, person.password)).statusCode).toBe(401);
  expect((await logIn(person.username, password)).statusCode).toBe(200);
});

test('the email says for which account it is, and that it may be ignored', async () => {
  const person = await signUp();
  await ask(addressOf(person).toUpperCase());
  const { headers, body } = await mailServer.take(addressOf(person));
  expect(headers.get('subject')).toBe('Choose a new password for Linksieve');
  expect(headers.get('auto-submitted')).toBe('auto-generated');
  expect(body).toContain(`the account ${person.username}.`);
  expect(body).toContain('If it was not you, do nothing');
});

test('a link works once, also when it is used twice at the same moment', async () => {
  const token = await tokenFor(await signUp());
  const codes = (await Promise.all([reset(token), reset(token), reset(token)])).map(({ statusCode }) => statusCode);
  expect(codes.sort()).toEqual([200, 400, 400]);
  const again = await reset(token);
  expect([again.statusCode, again.json().fields.token]).toEqual([
    400,
    'This link is over or was used already. Please ask for a new one.',
  ]);
});

test('a newer link takes the place of an older one', async () => {
  const person = await signUp();
  const [first, second] = [await tokenFor(person), await tokenFor(person)];
  expect((await reset(first)).statusCode).toBe(400);
  expect((await reset(second)).statusCode).toBe(200);
});

test('a link is over after an hour, when the password was changed, and when the account was disabled', async () => {
  const [late, changed, disabled] = [await signUp(), await signUp(), await signUp()];
  const tokens = [await tokenFor(late), await tokenFor(changed), await tokenFor(disabled)];
  const { expires_at: end } = await db
    .selectFrom('password_resets')
    .select('expires_at')
    .where('user_id', '=', late.id)
    .executeTakeFirstOrThrow();
  expect(Math.round((end.getTime() - Date.now()) / 60_000)).toBe(60);
  await db.updateTable('password_resets').set({ expires_at: new Date() }).where('user_id', '=', late.id).execute();
  const body = { currentPassword: changed.password, newPassword: 'changed by knowing it' };
  expect((await call('POST', '/api/account/password', { as: changed.cookie, body })).statusCode).toBe(204);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  for (const token of tokens) expect((await reset(token)).statusCode).toBe(400);
});

test('a new password keeps the rules of registration, and a refused one does not use the link up', async () => {
  const person = await signUp();
  const token = await tokenFor(person);
  for (const weak of ['short', 'x'.repeat(129), person.username, addressOf(person), 'password1']) {
    const response = await reset(token, weak);
    expect([weak.slice(0, 20), response.statusCode]).toEqual([weak.slice(0, 20), 400]);
    expect(response.json().fields.password).toMatch(/^Please choose a password/);
  }
  expect(await isSignedIn(person.cookie)).toBe(true);
  expect((await reset(token)).statusCode).toBe(200);
});

test('neither the database nor the queue nor the log contains a token', async () => {
  const token = await tokenFor(await signUp());
  const { rows } = await context.pool.query(
    "select data::text, output::text from pgboss.job where name like 'mail%' union all select token_hash::text, '' from password_resets",
  );
  expect(rows.length).toBeGreaterThan(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('the answer is the same for any address, and nobody without an account, or a disabled one, is written to', async () => {
  const [person, disabled] = [await signUp(), await signUp()];
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  const answers = [];
  for (const email of ['nobody@mail.example', addressOf(disabled), addressOf(person)]) {
    const { statusCode, body, headers } = await ask(email);
    answers.push({ statusCode, body, names: Object.keys(headers).sort() });
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(await mailedToken(person)).not.toBe('');
  expect(mailServer.received).toEqual([]);
  expect(await db.selectFrom('password_resets').select('user_id').where('user_id', '=', disabled.id).execute()).toEqual(
    [],
  );
});

test('one mailbox gets five emails an hour, and one place asks twenty times', async () => {
  await db.deleteFrom('login_failures').execute();
  const codes = [];
  for (let i = 0; i < 6; i++) codes.push((await ask(i % 2 ? 'much@mail.example' : 'MUCH@mail.example')).statusCode);
  expect(codes).toEqual([204, 204, 204, 204, 204, 429]);
  await db.deleteFrom('login_failures').execute();
  for (let i = 0; i < 20; i++) expect((await ask(`nobody-${i}@mail.example`)).statusCode).toBe(204);
  expect((await ask('nobody-else@mail.example')).statusCode).toBe(429);
  await db.deleteFrom('login_failures').execute();
});

test('an account that signs in with Google gets a first password by mail, and by no admin', async () => {
  const [person, admin] = [await signUp(), await signUp({ admin: true })];
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', person.id).execute();
  const made = await call('POST', `/api/admin/users/${person.id}/reset-link`, { as: admin.cookie });
  expect([made.statusCode, made.json().error]).toEqual([409, 'This account has no password: it signs in with Google.']);
  expect((await reset(await tokenFor(person))).statusCode).toBe(200);
  expect((await logIn(person.username, password)).statusCode).toBe(200);
});

test('an account that was locked by wrong tries is open again for the new password', async () => {
  const person = await signUp();
  for (let i = 0; i < 10; i++) await logIn(person.username, 'wrong');
  expect((await logIn(person.username, person.password)).statusCode).toBe(429);
  expect((await reset(await tokenFor(person))).statusCode).toBe(200);
  expect((await logIn(person.username, password)).statusCode).toBe(200);
});

test('an admin makes a link for somebody else, and the log says so without it', async () => {
  const [admin, person, disabled] = [await signUp({ admin: true }), await signUp(), await signUp()];
  const make = (id: number) => call('POST', `/api/admin/users/${id}/reset-link`, { as: admin.cookie });
  const response = await make(person.id);
  expect(response.json().link).toMatch(/^https:\/\/linksieve\.example\/auth\?tab=reset#[\w-]{43}$/);
  const token = response.json().link.split('#')[1];
  const acts = await db.selectFrom('admin_acts').selectAll().where('user_id', '=', admin.id).execute();
  expect(acts).toMatchObject([{ act: 'Made a reset link', details: { username: person.username } }]);
  expect(JSON.stringify(acts)).not.toContain(token);
  expect(await isSignedIn(person.cookie)).toBe(true);
  expect((await reset(token)).statusCode).toBe(200);
  expect(await isSignedIn(person.cookie)).toBe(false);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  expect((await make(disabled.id)).statusCode).toBe(409);
  expect((await make(admin.id)).statusCode).toBe(409);
  expect((await make(999_999)).statusCode).toBe(404);
});

test('the command line makes a link, and for nobody none', async () => {
  const person = await signUp();
  const lines: string[] = [];
  await runAdminCommand(context, ['reset', addressOf(person)], (line) => lines.push(line));
  const token = /https:\/\/linksieve\.example\/auth\?tab=reset#([\w-]{43})$/.exec(lines[0] ?? '')?.[1] ?? '';
  expect((await reset(token)).statusCode).toBe(200);
  await runAdminCommand(context, ['reset', 'nobody-here'], (line) => lines.push(line));
  expect(lines[1]).toBe('There is no account named nobody-here.');
  process.exitCode = 0;
});
