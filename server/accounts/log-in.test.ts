import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';

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
