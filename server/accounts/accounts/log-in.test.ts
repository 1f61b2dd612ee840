import argon2 from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxConcurrentHashes, passwordQueue } from './passwords.ts';

const debug = await startTestApp({ LINKSIEVE_DEBUG: '1' });
const normal = await startTestApp();
const production = await startTestApp({ LINKSIEVE_DEBUG: '1', NODE_ENV: 'production' });

const debugLogIn = (body: object, { call } = debug) => call('POST', '/api/auth/debug-login', { body });

test('debug sign-in exists only with LINKSIEVE_DEBUG, and never in production', async () => {
  for (const [app, status, page] of [
    [debug, 200, 200],
    [normal, 404, 404],
    [production, 404, 404],
  ] as const) {
    const response = await debugLogIn({ email: 'tester@mail.example' }, app);
    expect(response.statusCode).toBe(status);
    if (status === 404) expect(response.json().code).toBe('not_found');
    const screen = await app.call('GET', '/debug-login', { headers: { accept: 'text/html' } });
    expect(screen.statusCode).toBe(page);
  }
});

test('a test user is created at the first sign-in and is never an admin', async () => {
  const response = await debugLogIn({
    email: 'maker@mail.example',
    name: 'A Maker',
    username: 'maker-1',
    isAdmin: true,
  });
  expect(response.json()).toMatchObject({ username: 'maker-1', displayName: 'A Maker', isAdmin: false });
  const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
  const me = await debug.call('GET', '/api/auth/current-user', { as: cookie });
  expect(me.json()).toMatchObject({ email: 'maker@mail.example' });
  const again = await debugLogIn({ email: 'MAKER@mail.example' });
  expect(again.json().id).toBe(response.json().id);
});

test('the username defaults to the local part of the address, with a random suffix if it is taken', async () => {
  expect((await debugLogIn({ email: 'grace.h@mail.example' })).json().username).toBe('grace.h');
  expect((await debugLogIn({ email: 'grace.h@other.example' })).json().username).toMatch(/^grace\.h-[0-9a-f]{8}$/);
  expect((await debugLogIn({ email: '++@mail.example' })).json().username).toMatch(/^user_[0-9a-f]{8}$/);
});

test('an email address is required', async () => {
  for (const body of [{}, { email: '' }, { email: '   ' }]) {
    const response = await debugLogIn(body);
    expect([response.statusCode, response.json().fields]).toEqual([400, { email: 'Email required' }]);
  }
  expect((await debugLogIn({ email: 'nowhere' })).json().fields.email).toBe('Please enter a valid email address');
});

test('debug sign-in cannot use a real account or its username', async () => {
  const [user, google] = [await debug.signUp(), await debug.signUp()];
  await debug.context.db
    .updateTable('users')
    .set({ password_hash: null, firebase_uid: 'a-uid' })
    .where('id', '=', google.id)
    .execute();
  for (const { username } of [user, google]) {
    const response = await debugLogIn({ email: `${username}@mail.example` });
    expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, ['email']]);
  }
  const taken = await debugLogIn({ email: 'new@mail.example', username: user.username });
  expect([taken.statusCode, taken.json().fields]).toEqual([400, { username: 'This username is already taken.' }]);
});

const logInFrom = (remoteAddress: string, username: string, password: string) =>
  normal.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin' },
    payload: { username, password },
  });

/** Occupies all hashing until the returned function is called. */
function blockHashing(waiting: number): () => Promise<void> {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const tasks = [
    ...Array.from({ length: maxConcurrentHashes }, () => passwordQueue.run({ key: 'blocking' }, () => promise)),
    ...Array.from({ length: waiting }, (_, i) => passwordQueue.run({ key: `${i}` }, async () => undefined)),
  ];
  return async () => {
    release();
    await Promise.all(tasks);
  };
}

test('sign-ins that are turned away, because too many passwords wait, do not count as failures', async () => {
  const { username, password } = await normal.signUp();
  const release = blockHashing(600);
  const networks = Array.from({ length: 6 }, (_, i) => `198.51.100.${i}`);
  const codes: number[] = [];
  // More than ten from each network, and more than 50 in all.
  for (const _round of [1, 2]) {
    const attempts = networks.flatMap((network) =>
      Array.from({ length: 6 }, () => logInFrom(network, username, 'wrong password')),
    );
    for (const { statusCode } of await Promise.all(attempts)) codes.push(statusCode);
  }
  await release();
  expect(codes).toEqual(Array.from({ length: 72 }, () => 503));
  expect((await logInFrom('198.51.100.0', username, password)).statusCode).toBe(200);
});

test('networks with a session of the account hash first, and those with failed sign-ins last', async () => {
  const { username, password } = await normal.signUp();
  await logInFrom('192.0.2.1', username, password);
  await logInFrom('192.0.2.3', username, 'wrong password');
  const release = blockHashing(0);
  const verify = vi.spyOn(argon2, 'verify');
  const sending: Promise<unknown>[] = [];
  for (const address of ['192.0.2.3', '192.0.2.2', '192.0.2.1']) {
    const count = passwordQueue.countWaiting();
    sending.push(logInFrom(address, username, `from ${address}`));
    await expect.poll(passwordQueue.countWaiting).toBe(count + 1);
  }
  await release();
  await Promise.all(sending);
  const order = verify.mock.calls.map(([, text]) => text);
  verify.mockRestore();
  expect(order).toEqual(['from 192.0.2.1', 'from 192.0.2.2', 'from 192.0.2.3']);
});
