import { expect, test } from 'vitest';
import { startTestApp } from '../test-context.ts';
import { runAdminCommand } from './admin-command.ts';
import { createFirstAdmin } from './first-admin.ts';

const { call, context, signUp } = await startTestApp();

test('an account becomes an admin, and stops being one on its next call', async () => {
  const { cookie, username } = await signUp();
  await runAdminCommand(context.db, ['grant', username.toUpperCase()], () => undefined);
  expect((await call('GET', '/api/users/count', { as: cookie })).statusCode).toBe(200);
  await runAdminCommand(context.db, ['revoke', username], () => undefined);
  expect((await call('GET', '/api/users/count', { as: cookie })).statusCode).toBe(403);
});

test('a created admin can sign in with the printed password', async () => {
  const lines: string[] = [];
  await runAdminCommand(context.db, ['create', 'root@mail.example'], (line) => lines.push(line));
  const password = lines[0]?.split('Password: ')[1] ?? '';
  const response = await call('POST', '/api/auth/login', { body: { username: 'root', password } });
  expect(response.json()).toMatchObject({ username: 'root', email: 'root@mail.example', isAdmin: true });
});

test('an unknown name and a wrong call are told', async () => {
  const lines: string[] = [];
  await runAdminCommand(context.db, ['grant', 'nobody-here'], (line) => lines.push(line));
  await runAdminCommand(context.db, ['destroy', 'x'], (line) => lines.push(line));
  expect(lines).toEqual(['There is no account named nobody-here.', 'Usage: npm run admin -- grant|revoke|create NAME']);
  process.exitCode = 0;
});

test('the first admin of the settings is made once', async () => {
  const firstAdmin = { username: 'first', email: 'first@mail.example', password: 'a long enough secret' };
  const config = { ...context.config, firstAdmin };
  await context.db.updateTable('users').set({ is_admin: false }).execute();
  expect(await createFirstAdmin({ ...context, config })).toContain('Sign in as first');
  expect(await createFirstAdmin({ ...context, config })).toBe('');
});

test('settings that make no account are told in a sentence', async () => {
  const firstAdmin = { username: 'second', email: 'second@mail.example', password: 'short' };
  await context.db.updateTable('users').set({ is_admin: false }).execute();
  const made = createFirstAdmin({ ...context, config: { ...context.config, firstAdmin } });
  await expect(made).rejects.toThrow('from the settings ADMIN_*: Please choose a password of at least 8 characters');
});
