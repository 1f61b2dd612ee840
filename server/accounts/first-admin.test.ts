import { expect, test } from 'vitest';
import { ping } from '../db/database.ts';
import { startTestApp } from '../test-context.ts';
import { createFirstAdmin } from './commands.ts';

const { call, context } = await startTestApp();

test('a fresh installation has no account, and so none with a password that everybody knows', async () => {
  expect(await createFirstAdmin(context)).toContain('There is no admin yet');
  expect(await context.db.selectFrom('users').selectAll().execute()).toEqual([]);
  for (const password of ['admin', 'password', 'linksieve', 'changeme']) {
    const response = await call('POST', '/api/auth/login', { body: { username: 'admin', password } });
    expect(response.statusCode).toBe(401);
  }
});

test('of two processes that start at once on an empty database one makes the admin, and both go on', async () => {
  const { context } = await startTestApp({
    ADMIN_USERNAME: 'first',
    ADMIN_EMAIL: 'first@mail.example',
    ADMIN_PASSWORD: 'only for the first admin',
  });
  // Each finds a connection that is open already.
  await Promise.all([ping(context.db), ping(context.db)]);
  const told = await Promise.all([createFirstAdmin(context), createFirstAdmin(context)]);
  expect(told.sort()).toEqual(['', 'Sign in as first with the password from ADMIN_PASSWORD.']);
});
