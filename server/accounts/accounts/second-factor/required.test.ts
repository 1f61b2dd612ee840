import { expect, test } from 'vitest';
import { startTestApp } from '../../../test-app.fixtures.ts';
import { buildFactorCalls, getCookies } from './second-factor.fixtures.ts';

const testApp = await startTestApp({ REQUIRE_ADMIN_SECOND_FACTOR: '1' });
const { app, call, context, signUp } = testApp;
const { turnOn } = buildFactorCalls(testApp);

test('an admin without a second factor can only set one up', async () => {
  const admin = await signUp({ admin: true });
  const as = admin.cookie;
  const allowed = new Set<string>();
  for (const { url, method, config } of app.allRoutes) {
    if (method === 'HEAD' || (config?.access !== 'user' && config?.access !== 'admin')) continue;
    const path = url.replace(/:\w+/g, '1');
    const response = await call(method as 'GET', path, { as, ...(method !== 'GET' && { body: {} }) });
    if (response.statusCode !== 403 || response.json().code !== 'second_factor_missing')
      allowed.add(`${method} ${url}`);
  }
  expect([...allowed].sort()).toEqual([
    'GET /api/account',
    'GET /api/auth/current-user',
    'POST /api/account/reauthenticate',
    'POST /api/account/reauthenticate/firebase',
    'POST /api/account/second-factor',
    'POST /api/account/second-factor/confirm',
  ]);
});

test('after setting it up, the admin can do everything but turn it off', async () => {
  const admin = await signUp({ admin: true });
  const getUser = async () => (await call('GET', '/api/auth/current-user', { as: admin.cookie })).json();
  expect(await getUser()).toMatchObject({ isAdmin: true, needsSecondFactor: true });
  await turnOn(admin);
  expect(await getUser()).not.toHaveProperty('needsSecondFactor');
  expect((await call('GET', '/api/admin/users', { as: admin.cookie })).statusCode).toBe(200);
  const off = await call('DELETE', '/api/account/second-factor', { as: admin.cookie });
  expect([off.statusCode, off.json().error]).toEqual([
    409,
    'This server requires two-factor authentication for admins, so you cannot turn it off.',
  ]);
});

test('an admin whose factor was reset, and a user who becomes an admin, must set one up; other users need none', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const countUsers = async (as: string) => (await call('GET', '/api/users/count', { as })).json().code;
  expect((await call('GET', '/api/profiles', { as: user.cookie })).statusCode).toBe(200);
  await context.db.updateTable('users').set({ is_admin: true }).where('id', '=', user.id).execute();
  expect(await countUsers(user.cookie)).toBe('second_factor_missing');
  await turnOn(admin);
  const other = getCookies(await call('POST', '/api/auth/login', { body: user }));
  expect(await countUsers(other)).toBe('second_factor_missing');
  await context.db.updateTable('users').set({ second_factor_at: null }).where('id', '=', admin.id).execute();
  expect(await countUsers(admin.cookie)).toBe('second_factor_missing');
});
