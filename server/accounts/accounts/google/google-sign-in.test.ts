import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../../../test-app.fixtures.ts';
import { maxSignInsPerHour } from './google-sign-in.ts';
import { startIssuer } from './id-tokens.fixtures.ts';

const issuer = await startIssuer();
afterAll(issuer.stop);
const { app, call, context, signUp } = await startTestApp(issuer.settings);
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;

const signIn = async (claims: Record<string, unknown>, as?: string) =>
  call('POST', '/api/auth/firebase', { body: { idToken: await issuer.buildToken({ claims }) }, ...(as && { as }) });
const getCookie = (response: { headers: Record<string, unknown> }) =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';
const findIdentity = (username: string) =>
  context.db.selectFrom('users').select('firebase_uid').where('username', '=', username).executeTakeFirstOrThrow();

test('the first sign-in creates an account, and later ones update its name and picture', async () => {
  const first = await signIn({ sub: 'g-1', email: 'grace.hopper@mail.example', name: 'Grace', isAdmin: true });
  expect(first.statusCode).toBe(200);
  expect(first.json()).toMatchObject({
    username: 'grace.hopper',
    email: 'grace.hopper@mail.example',
    displayName: 'Grace',
    firebaseUid: 'g-1',
    isAdmin: false,
  });
  const picture = 'https://lh3.googleusercontent.com/a/grace';
  const again = await signIn({ sub: 'g-1', email: 'grace.hopper@mail.example', name: 'Rear Admiral', picture });
  expect(again.json()).toMatchObject({ id: first.json().id, displayName: 'Rear Admiral', photoURL: picture });
  const withoutName = await signIn({ sub: 'g-1', email: 'grace.hopper@mail.example' });
  expect(withoutName.json()).toMatchObject({ displayName: 'Rear Admiral', photoURL: picture });
  const me = await call('GET', '/api/auth/current-user', { as: getCookie(withoutName) });
  expect(me.json()).toMatchObject({ username: 'grace.hopper' });
});

test('a name that the user has chosen here is kept by later sign-ins', async () => {
  const claims = { sub: 'g-own-name', email: 'own.name@mail.example', name: 'From Google' };
  const as = getCookie(await signIn(claims));
  expect((await call('PATCH', '/api/account', { as, body: { displayName: 'My Name' } })).statusCode).toBe(200);
  const picture = 'https://lh3.googleusercontent.com/a/own-name';
  expect((await signIn({ ...claims, picture })).json()).toMatchObject({ displayName: 'My Name', photoURL: picture });
});

test('a sign-in with Google finds its account after the email address was changed', async () => {
  const claims = { sub: 'g-moved', email: 'before@mail.example' };
  const { id } = (await signIn(claims)).json();
  await context.db.updateTable('users').set({ email: 'after@mail.example' }).where('id', '=', id).execute();
  expect((await signIn(claims)).json()).toMatchObject({ id, email: 'after@mail.example' });
});

test('a sign-in starts a new session and ends the previous one', async () => {
  const before = getCookie(await signIn({ sub: 'g-2', email: 'again@mail.example' }));
  const after = getCookie(await signIn({ sub: 'g-2', email: 'again@mail.example' }, before));
  expect(after).not.toBe(before);
  expect((await call('GET', '/api/auth/current-user', { as: before })).statusCode).toBe(401);
  expect((await call('GET', '/api/auth/current-user', { as: after })).statusCode).toBe(200);
});

test('a taken or invalid username is replaced by a free one', async () => {
  const taken = await signUp();
  const first = await signIn({ sub: 'g-3', email: `${taken.username}@other.example` });
  expect(first.json().username).toMatch(new RegExp(`^${taken.username}-[0-9a-f]{8}$`));
  for (const [sub, email] of [
    ['g-4', 'æ@mail.example'],
    ['g-5', '..@mail.example'],
  ]) {
    expect((await signIn({ sub, email })).json().username).toMatch(/^user_[0-9a-f]{8}$/);
  }
  const long = await signIn({ sub: 'g-6', email: `-josé+${'x'.repeat(50)}@mail.example` });
  expect(long.json().username).toBe(`jose${'x'.repeat(36)}`);
});

test('concurrent first sign-ins create one account', async () => {
  const responses = await Promise.all([1, 2, 3, 4].map(() => signIn({ sub: 'g-7', email: 'twice@mail.example' })));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect(new Set(responses.map((response) => response.json().id)).size).toBe(1);
});

test('a sign-in more than five minutes ago starts no session', async () => {
  const old = await signIn({ sub: 'g-8', email: 'old@mail.example', auth_time: minutesAgo(6) });
  expect([old.statusCode, old.headers['set-cookie']]).toEqual([401, undefined]);
  expect((await signIn({ sub: 'g-8', email: 'old@mail.example', auth_time: minutesAgo(4) })).statusCode).toBe(200);
});

test('an invalid token returns 401, and keys that cannot be fetched return 503', async () => {
  expect((await call('POST', '/api/auth/firebase', { body: { idToken: 'a.b.c' } })).statusCode).toBe(401);
  const offline = await startTestApp({ ...issuer.settings, FIREBASE_JWKS_URL: 'http://127.0.0.1:1/keys' });
  const response = await offline.call('POST', '/api/auth/firebase', { body: { idToken: await issuer.buildToken() } });
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([503, undefined]);
});

test('a disabled account cannot sign in', async () => {
  const { id } = (await signIn({ sub: 'g-9', email: 'disabled@mail.example' })).json();
  await context.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute();
  const response = await signIn({ sub: 'g-9', email: 'disabled@mail.example' });
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([403, undefined]);
});

test('a password account is linked by its password, not by its email address', async () => {
  const { username, password, id } = await signUp();
  await context.db.updateTable('users').set({ email_confirmed: false }).where('id', '=', id).execute();
  const claims = { sub: 'g-10', email: `${username.toUpperCase()}@mail.example`, name: 'From Google' };
  const refused = await signIn(claims);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'password_needed']);
  expect(refused.headers['set-cookie']).toBeUndefined();

  const idToken = await issuer.buildToken({ claims });
  const link = (guess: string) => call('POST', '/api/auth/firebase/link', { body: { idToken, password: guess } });
  const wrong = await link('not this one');
  expect([wrong.statusCode, Object.keys(wrong.json().fields)]).toEqual([400, ['password']]);
  expect((await findIdentity(username)).firebase_uid).toBeNull();

  const linked = await link(password);
  expect(linked.json()).toMatchObject({ id, firebaseUid: 'g-10', displayName: 'From Google' });
  expect((await call('GET', '/api/auth/current-user', { as: getCookie(linked) })).statusCode).toBe(200);
  const { email_confirmed: isConfirmed } = await context.db
    .selectFrom('users')
    .select('email_confirmed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(isConfirmed).toBe(true);
  expect((await signIn(claims)).json()).toMatchObject({ id });
  expect((await call('POST', '/api/auth/login', { body: { username, password } })).statusCode).toBe(200);
});

test('password guesses when linking are throttled like sign-ins', async () => {
  const { username, password } = await signUp();
  const idToken = await issuer.buildToken({ claims: { sub: 'g-11', email: `${username}@mail.example` } });
  const link = (guess: string) => call('POST', '/api/auth/firebase/link', { body: { idToken, password: guess } });
  for (let i = 0; i < 10; i++) expect((await link('wrong')).statusCode).toBe(400);
  expect((await link(password)).statusCode).toBe(429);
  expect((await call('POST', '/api/auth/login', { body: { username, password } })).statusCode).toBe(429);
});

test('an account of another Google identity is not taken over by its email address', async () => {
  await signIn({ sub: 'g-12', email: 'moved@mail.example' });
  const response = await signIn({ sub: 'g-13', email: 'moved@mail.example' });
  expect([response.statusCode, response.json().code]).toEqual([409, 'conflict']);
});

test('too many sign-ins from one address are throttled, and other addresses are not', async () => {
  const from = (remoteAddress: string) =>
    app.inject({ method: 'POST', url: '/api/auth/firebase', remoteAddress, payload: { idToken: 'a.b.c' } });
  for (let i = 0; i < maxSignInsPerHour; i++) expect((await from('192.0.2.7')).statusCode).toBe(401);
  expect((await from('192.0.2.7')).statusCode).toBe(429);
  expect((await from('192.0.2.8')).statusCode).toBe(401);
});

test('the account of a Firebase UID is returned to its owner only', async () => {
  const claims = { sub: 'g-14', email: 'own@mail.example' };
  const bearer = { authorization: `Bearer ${await issuer.buildToken({ claims })}` };
  const find = (uid: string, options: object) => call('GET', `/api/users/firebase/${uid}`, options);
  expect((await find('g-14', { headers: bearer })).statusCode).toBe(404);
  const cookie = getCookie(await signIn(claims));
  for (const proof of [{ headers: bearer }, { as: cookie }]) {
    expect((await find('g-14', proof)).json()).toMatchObject({ email: 'own@mail.example' });
    expect((await find('g-1', proof)).statusCode).toBe(404);
  }
  const forged = { headers: { 'x-firebase-uid': 'g-14' } };
  expect((await find('g-14', forged)).statusCode).toBe(401);
  expect((await find('g-14', { headers: { authorization: 'Bearer a.b.c' } })).statusCode).toBe(401);
});

test('an account is created only for the UID of the token, and never as an admin', async () => {
  const claims = { sub: 'g-15', email: 'created@mail.example' };
  const headers = { authorization: `Bearer ${await issuer.buildToken({ claims })}` };
  const create = (body: object, options: object = { headers }) => call('POST', '/api/users', { body, ...options });
  const profile = { firebaseUid: 'g-15', email: 'another@mail.example', username: 'preferred', isAdmin: true };
  expect((await create({ ...profile, firebaseUid: 'g-1' })).statusCode).toBe(403);
  expect((await create(profile, {})).statusCode).toBe(401);
  const created = await create(profile);
  expect(created.statusCode).toBe(201);
  expect(created.json()).toMatchObject({ username: 'preferred', email: 'created@mail.example', isAdmin: false });
  expect(created.headers['set-cookie']).toBeUndefined();
  expect((await create(profile)).json()).toMatchObject({ id: created.json().id });
});

test('with Google sign-in, the Content-Security-Policy allows only its origins', async () => {
  const { headers } = await call('GET', '/healthz');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("frame-src 'self' https://demo-linksieve.firebaseapp.com;");
  expect(policy).toContain("script-src 'self' https://apis.google.com");
  expect(policy).not.toContain('unsafe-eval');
  expect(policy).not.toContain('127.0.0.1');
});

test('without its settings, Google sign-in returns 404 and its origins are not allowed', async () => {
  const plain = await startTestApp();
  const response = await plain.call('POST', '/api/auth/firebase', { body: { idToken: await issuer.buildToken() } });
  expect([response.statusCode, response.json().error]).toEqual([
    404,
    'Signing in with Google is not set up on this server.',
  ]);
  const { headers } = await plain.call('GET', '/healthz');
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(String(headers['content-security-policy'])).not.toContain('google');
});
