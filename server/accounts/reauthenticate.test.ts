import { afterAll, expect, test } from 'vitest';
import { proofMaxAgeMs } from '../sessions/sessions.ts';
import { startTestApp, type TestUser } from '../test-app.fixtures.ts';
import { maxFailures } from '../throttle/throttle.ts';
import { startIssuer } from './google/id-tokens.fixtures.ts';
import { buildFactorCalls, generateCode } from './second-factor/second-factor.fixtures.ts';

const issuer = await startIssuer();
afterAll(issuer.stop);
const testApp = await startTestApp(issuer.settings);
const { app, call, context, signUp } = testApp;
const { db } = context;
const { turnOn } = buildFactorCalls(testApp);

/** Makes the user's sessions as old as if the last proof were `ms` milliseconds ago. */
const ageProof = ({ id }: TestUser, ms: number) =>
  db
    .updateTable('sessions')
    .set({ proven_at: new Date(Date.now() - ms) })
    .where('user_id', '=', id)
    .execute();
const signUpLongAgo = async (options?: { admin?: boolean }) => {
  const user = await signUp(options);
  await ageProof(user, proofMaxAgeMs);
  return user;
};
const confirm = (as: string, body: object) => call('POST', '/api/account/reauthenticate', { as, body });
const download = async (as: string) => (await call('GET', '/api/account/data', { as })).statusCode;

test('dangerous actions need a proof of identity within the last 15 minutes', async () => {
  const [admin, target] = [await signUpLongAgo({ admin: true }), await signUp()];
  const dangerous = [
    ['POST', '/api/admin/delete-all-domains', { confirmationCode: 'DELETE ALL DOMAINS' }],
    ['POST', `/api/admin/users/${target.id}/grant-admin`],
    ['POST', `/api/admin/users/${target.id}/reset-link`],
    ['POST', `/api/admin/users/${target.id}/reset-second-factor`],
    ['GET', '/api/account/data'],
    ['POST', '/api/account/second-factor'],
    ['POST', '/api/account/second-factor/confirm', { code: '123456' }],
    ['POST', '/api/account/second-factor/recovery-codes'],
    ['DELETE', '/api/account/second-factor'],
  ] as const;
  const marked = app.allRoutes.filter(({ config, method }) => config?.needsProof && method !== 'HEAD');
  expect(marked).toHaveLength(dangerous.length);
  for (const [method, path, body] of dangerous) {
    const response = await call(method, path, { as: admin.cookie, ...(body && { body }) });
    expect([path, response.statusCode, response.json().code]).toEqual([path, 403, 'reauthentication_required']);
  }
  await ageProof(admin, proofMaxAgeMs - 60_000);
  for (const [method, path, body] of dangerous) {
    const response = await call(method, path, { as: admin.cookie, ...(body && { body }) });
    expect([path, response.statusCode === 403]).toEqual([path, false]);
  }
});

test('the password proves the identity of this session only, and for 15 minutes', async () => {
  const user = await signUpLongAgo();
  const cookie =
    String((await call('POST', '/api/auth/login', { body: user })).headers['set-cookie']).split(';')[0] ?? '';
  await ageProof(user, proofMaxAgeMs);
  const wrong = await confirm(user.cookie, { password: 'wrong' });
  expect([wrong.statusCode, wrong.json().fields]).toEqual([400, { password: 'This is not your current password.' }]);
  expect(await download(user.cookie)).toBe(403);
  expect((await confirm(user.cookie, { password: user.password })).statusCode).toBe(204);
  expect([await download(user.cookie), await download(cookie)]).toEqual([200, 403]);
  await ageProof(user, proofMaxAgeMs);
  expect(await download(user.cookie)).toBe(403);
});

test('a code of the second factor proves it too, for users without a password', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
  await ageProof(user, proofMaxAgeMs);
  expect((await confirm(user.cookie, { code: generateCode(secret, 50) })).statusCode).toBe(400);
  expect(await download(user.cookie)).toBe(403);
  expect((await confirm(user.cookie, { code: generateCode(secret) })).statusCode).toBe(204);
  expect(await download(user.cookie)).toBe(200);
  await ageProof(user, proofMaxAgeMs);
  expect((await confirm(user.cookie, { code: recoveryCodes[0] ?? '' })).statusCode).toBe(204);
});

test('a recent sign-in with the linked Google account proves it, and one with another does not', async () => {
  const [user, other] = [await signUpLongAgo(), await signUpLongAgo()];
  await db.updateTable('users').set({ firebase_uid: 'g-own', password_hash: null }).where('id', '=', user.id).execute();
  const send = async (as: string, sub: string, minutes = 0) => {
    const claims = { sub, email: 'a@mail.example', auth_time: Math.floor(Date.now() / 1000) - minutes * 60 };
    const idToken = await issuer.buildToken({ claims });
    return (await call('POST', '/api/account/reauthenticate/firebase', { as, body: { idToken } })).statusCode;
  };
  expect([await send(user.cookie, 'g-own', 6), await send(user.cookie, 'g-other')]).toEqual([401, 403]);
  expect([await send(other.cookie, 'g-own'), await download(user.cookie)]).toEqual([403, 403]);
  expect([await send(user.cookie, 'g-own'), await download(user.cookie)]).toEqual([204, 200]);
});

test('an account without a password is deleted only after a proof of identity', async () => {
  const user = await signUpLongAgo();
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
  const remove = () => call('DELETE', '/api/account', { as: user.cookie, body: { username: user.username } });
  expect((await remove()).json().code).toBe('reauthentication_required');
  await ageProof(user, 0);
  expect((await remove()).statusCode).toBe(204);
});

test('wrong passwords of a session are limited', async () => {
  const user = await signUpLongAgo();
  for (let i = 0; i < maxFailures; i++) {
    expect((await confirm(user.cookie, { password: 'wrong' })).statusCode).toBe(400);
  }
  expect((await confirm(user.cookie, { password: user.password })).statusCode).toBe(429);
});

test('a session from before an update has no proof', async () => {
  const user = await signUp();
  await context.pool.query('update sessions set proven_at = null where user_id = $1', [user.id]);
  expect(await download(user.cookie)).toBe(403);
});

test('the values of API keys are hidden until the user has proven their identity', async () => {
  const user = await signUp();
  const { id, keyValue } = (await call('POST', '/api/api-keys', { as: user.cookie, body: {} })).json();
  const list = async () => (await call('GET', `/api/users/${user.id}/api-keys`, { as: user.cookie })).json();
  expect(await list()).toMatchObject([{ id, keyValue }]);
  await ageProof(user, proofMaxAgeMs);
  const hidden = await list();
  expect(hidden).toMatchObject([{ id, keyValue: null, isHidden: true }]);
  expect(JSON.stringify(hidden)).not.toContain(keyValue);
  await confirm(user.cookie, { password: user.password });
  expect((await list())[0]).not.toHaveProperty('isHidden');
});
