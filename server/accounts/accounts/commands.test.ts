import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createAdminFromSettings, runAdminCommand } from './commands.ts';
import { createResetLink } from './set-password.ts';

const { call, context, signUp } = await startTestApp();

test('a new installation has no account and no default password', async () => {
  expect(await createAdminFromSettings(context)).toBe('');
  expect(await context.db.selectFrom('users').selectAll().execute()).toEqual([]);
  for (const password of ['admin', 'password', 'linksieve', 'changeme']) {
    const response = await call('POST', '/api/auth/login', { body: { username: 'admin', password } });
    expect(response.statusCode).toBe(401);
  }
});

test('grant and revoke take effect on the next call', async () => {
  await signUp({ admin: true });
  const { cookie, username } = await signUp();
  await runAdminCommand(context, ['grant', username.toUpperCase()], () => undefined);
  expect((await call('GET', '/api/users/count', { as: cookie })).statusCode).toBe(200);
  await runAdminCommand(context, ['revoke', username], () => undefined);
  expect((await call('GET', '/api/users/count', { as: cookie })).statusCode).toBe(403);
});

test('a created admin can sign in with the printed password', async () => {
  const lines: string[] = [];
  await runAdminCommand(context, ['create', 'root@mail.example'], (line) => lines.push(line));
  const password = lines[0]?.split('Password: ')[1] ?? '';
  const response = await call('POST', '/api/auth/login', { body: { username: 'root', password } });
  expect(response.json()).toMatchObject({ username: 'root', email: 'root@mail.example', isAdmin: true });
});

test('the last admin cannot be revoked, and grant and revoke are audited as the command line', async () => {
  await context.db.updateTable('users').set({ is_admin: false }).execute();
  const { username } = await signUp({ admin: true });
  const lines: string[] = [];
  await runAdminCommand(context, ['revoke', username], (line) => lines.push(line));
  expect(lines).toEqual([
    `${username} is the last admin. Make another user an admin first: npm run admin -- grant NAME`,
  ]);
  process.exitCode = 0;
  const other = await signUp();
  await runAdminCommand(context, ['grant', other.username], () => undefined);
  await runAdminCommand(context, ['revoke', username], () => undefined);
  const events = await context.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(2).execute();
  expect(events).toMatchObject([
    { username: 'command line', event: 'Removed an admin', details: { username }, address: null, user_id: null },
    { username: 'command line', event: 'Made an admin', details: { username: other.username } },
  ]);
});

test('email changes the address of an account, deletes its reset link and is audited', async () => {
  const lines: string[] = [];
  const run = (...words: string[]) => runAdminCommand(context, words, (line) => lines.push(line));
  await run('create', 'nameless');
  const { id } = await context.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'nameless@localhost.localdomain')
    .executeTakeFirstOrThrow();
  await createResetLink(context.db, id, new Date());
  const other = await signUp();
  lines.length = 0;
  await run('email', 'nameless');
  await run('email', 'nobody-here', 'found@mail.example');
  await run('email', 'nameless', 'no address');
  await run('email', 'nameless', 'root@localhost.localdomain');
  await run('email', 'nameless', `${other.username}@MAIL.example`);
  expect(lines).toEqual([
    'Usage: npm run admin -- grant|revoke|create|reset|unlock|reset-2fa NAME, email NAME ADDRESS, feeds list|add KEY, digests, or rotate-key',
    'There is no account named nobody-here.',
    'Please enter a valid email address',
    'Please enter a valid email address',
    'An account with this email address already exists.',
  ]);
  process.exitCode = 0;
  const events = () =>
    context.db
      .selectFrom('audit_events')
      .select(['username', 'details'])
      .where('event', '=', 'Changed an email address')
      .execute();
  expect(await events()).toEqual([]);
  await run('email', 'NAMELESS', 'found@mail.example');
  expect(lines.at(-1)).toBe('The email address of nameless is now found@mail.example.');
  expect(await events()).toEqual([{ username: 'command line', details: { id, username: 'nameless' } }]);
  const user = await context.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst();
  expect(user).toEqual({ email: 'found@mail.example' });
  const links = await context.db.selectFrom('password_resets').select('user_id').where('user_id', '=', id).execute();
  expect(links).toEqual([]);
});

test('an unknown name and an unknown command print the reason', async () => {
  const lines: string[] = [];
  await runAdminCommand(context, ['grant', 'nobody-here'], (line) => lines.push(line));
  await runAdminCommand(context, ['destroy', 'x'], (line) => lines.push(line));
  expect(lines).toEqual([
    'There is no account named nobody-here.',
    'Usage: npm run admin -- grant|revoke|create|reset|unlock|reset-2fa NAME, email NAME ADDRESS, feeds list|add KEY, digests, or rotate-key',
  ]);
  process.exitCode = 0;
});

test('the first admin is created from the settings once', async () => {
  const firstAdmin = { username: 'first', email: 'first@mail.example', password: 'a long enough secret' };
  const config = { ...context.config, firstAdmin };
  await context.db.updateTable('users').set({ is_admin: false }).execute();
  expect(await createAdminFromSettings({ ...context, config })).toContain('Sign in as first');
  expect(await createAdminFromSettings({ ...context, config })).toBe('');
});

test('invalid ADMIN_* settings throw with the reason', async () => {
  const firstAdmin = { username: 'second', email: 'second@mail.example', password: 'short' };
  await context.db.updateTable('users').set({ is_admin: false }).execute();
  const creating = createAdminFromSettings({ ...context, config: { ...context.config, firstAdmin } });
  await expect(creating).rejects.toThrow(
    'from the ADMIN_* settings: Please choose a password of at least 8 characters',
  );
});

test('two processes that start at the same time create one admin, and neither fails', async () => {
  const { context } = await startTestApp({
    ADMIN_USERNAME: 'first',
    ADMIN_EMAIL: 'first@mail.example',
    ADMIN_PASSWORD: 'only for the first admin',
  });
  // Opens two connections, so that both calls start at the same time.
  await Promise.all([sql`select 1`.execute(context.db), sql`select 1`.execute(context.db)]);
  const messages = await Promise.all([createAdminFromSettings(context), createAdminFromSettings(context)]);
  expect(messages.sort()).toEqual(['', 'Sign in as first with the password from ADMIN_PASSWORD.']);
});
