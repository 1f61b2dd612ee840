import { expect, test } from 'vitest';
import { maxRegistrationsPerHour } from '../../platform/throttle/throttle.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxConcurrentHashes, passwordQueue } from './passwords.ts';

const { app, call, context, signUp } = await startTestApp();
const account = (username: string) => ({
  username,
  email: `${username}@mail.example`,
  password: 'a long enough secret',
});

test('a new account is signed in and never an admin', async () => {
  const response = await call('POST', '/api/auth/register', {
    body: { ...account('ada'), isAdmin: true, displayName: 'Ada' },
  });
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({
    username: 'ada',
    displayName: 'Ada',
    isAdmin: false,
    subscriptionTier: 'full_access',
  });
  const cookie = String(response.headers['set-cookie']);
  expect(cookie).toMatch(/^__Host-sid=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const me = await call('GET', '/api/auth/current-user', { as: cookie.split(';')[0] });
  expect(me.json()).toMatchObject({ username: 'ada' });
});

test('a taken username or email address returns 400 with the reason', async () => {
  await call('POST', '/api/auth/register', { body: account('grace') });
  const name = await call('POST', '/api/auth/register', { body: { ...account('Grace'), email: 'other@mail.example' } });
  expect([name.statusCode, name.json().error]).toEqual([400, 'This username is already taken.']);
  const email = await call('POST', '/api/auth/register', {
    body: { ...account('hopper'), email: 'GRACE@mail.example' },
  });
  expect([email.statusCode, email.json().error]).toEqual([400, 'An account with this email address already exists.']);
});

test('a wrong password and an unknown name get the same response', async () => {
  const { username } = await signUp();
  const wrong = await call('POST', '/api/auth/login', { body: { username, password: 'not this one' } });
  const unknown = await call('POST', '/api/auth/login', {
    body: { username: 'nobody-here', password: 'not this one' },
  });
  for (const response of [wrong, unknown]) {
    expect([response.statusCode, response.json().error]).toEqual([401, 'Invalid username or password']);
  }
});

test('after ten failures an account is throttled even with the right password, and others are not', async () => {
  const [victim, other] = [await signUp(), await signUp()];
  for (let i = 0; i < 10; i++)
    await call('POST', '/api/auth/login', { body: { username: victim.username, password: 'wrong' } });
  const throttled = await call('POST', '/api/auth/login', { body: victim });
  expect(throttled.statusCode).toBe(429);
  expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0);
  expect((await call('POST', '/api/auth/login', { body: other })).statusCode).toBe(200);
});

test('failures with the username and with the email address count together', async () => {
  const { username, password } = await signUp();
  const names = [username, `${username}@mail.example`];
  for (let i = 0; i < 10; i++)
    await call('POST', '/api/auth/login', { body: { username: names[i % 2], password: 'wrong' } });
  for (const name of names)
    expect((await call('POST', '/api/auth/login', { body: { username: name, password } })).statusCode).toBe(429);
});

test('an unknown name is throttled like an account', async () => {
  const login = () => call('POST', '/api/auth/login', { body: { username: 'nobody-at-all', password: 'wrong' } });
  for (let i = 0; i < 10; i++) expect((await login()).statusCode).toBe(401);
  expect((await login()).statusCode).toBe(429);
});

test('an address that registers too many accounts is throttled, and others are not', async () => {
  await call('POST', '/api/auth/register', { body: account('first') });
  const register = (remoteAddress: string, username: string) =>
    app.inject({ method: 'POST', url: '/api/auth/register', remoteAddress, payload: account(username) });
  for (let i = 0; i < maxRegistrationsPerHour; i++) expect((await register('192.0.2.1', 'first')).statusCode).toBe(400);
  const throttled = await register('192.0.2.1', 'second');
  expect([throttled.statusCode, Number(throttled.headers['retry-after']) > 3000]).toEqual([429, true]);
  expect((await register('192.0.2.2', 'second')).statusCode).toBe(201);
});

test('registrations that wait for hashing do not occupy database connections', async () => {
  const { cookie } = await signUp();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const blocking = Array.from({ length: maxConcurrentHashes }, () =>
    passwordQueue.run({ key: 'blocking' }, () => released),
  );
  const registrations = Array.from({ length: (context.pool.options.max ?? 10) + 2 }, (_, i) =>
    call('POST', '/api/auth/register', { body: account(`waiting-${i}`) }),
  );
  // Each round trip lets the registrations advance one step, until all of them wait for hashing.
  for (let round = 0; round < 10; round++)
    expect((await call('GET', '/api/auth/current-user', { as: cookie })).statusCode).toBe(200);
  release();
  await Promise.all(blocking);
  expect(new Set((await Promise.all(registrations)).map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
});

test('signing out ends the session', async () => {
  const { cookie } = await signUp();
  expect((await call('POST', '/api/auth/logout', { as: cookie })).statusCode).toBe(204);
  expect((await call('GET', '/api/auth/current-user', { as: cookie })).statusCode).toBe(401);
});

test('a request from another site returns 403', async () => {
  const { cookie } = await signUp();
  const site = await call('POST', '/api/auth/logout', { as: cookie, headers: { 'sec-fetch-site': 'cross-site' } });
  const origin = await call('POST', '/api/auth/logout', {
    as: cookie,
    headers: { 'sec-fetch-site': '', origin: 'https://evil.example' },
  });
  const bare = await call('POST', '/api/auth/logout', { as: cookie, headers: { 'sec-fetch-site': '' } });
  for (const response of [site, origin, bare]) expect(response.statusCode).toBe(403);
});

test('only an admin can count the accounts', async () => {
  const [user, admin] = [await signUp(), await signUp({ admin: true })];
  expect((await call('GET', '/api/users/count')).statusCode).toBe(401);
  expect((await call('GET', '/api/users/count', { as: user.cookie })).statusCode).toBe(403);
  expect((await call('GET', '/api/users/count', { as: admin.cookie })).json().count).toBeGreaterThan(1);
});

test('a validation error returns a message for the field', async () => {
  const response = await call('POST', '/api/auth/register', { body: { ...account('x'), password: 'short' } });
  expect(response.statusCode).toBe(400);
  expect(response.json().fields).toMatchObject({ password: 'Please choose a password of at least 8 characters' });
});
