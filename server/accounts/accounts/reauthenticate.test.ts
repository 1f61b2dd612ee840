import { afterAll, expect, test } from 'vitest';
import { maxFailures } from '../../platform/throttle/throttle.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { proofMaxAgeMs } from '../sessions/sessions.ts';
import { startIssuer } from './google/id-tokens.fixtures.ts';
import { buildFactorCalls, generateCode, getCookies } from './second-factor/second-factor.fixtures.ts';

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

test('actions that are dangerous or outlive the session need a proof of identity within the last 15 minutes', async () => {
  const [admin, target] = [await signUpLongAgo({ admin: true }), await signUp()];
  const dangerous = [
    ['POST', '/api/api-keys', {}],
    ['POST', '/api/api-keys/1/rotate', {}],
    ['POST', '/api/webhooks', { url: 'https://hook.test/', events: ['alert.created'] }],
    ['POST', '/api/webhooks/1/secret'],
    ['POST', '/api/account/alert-feed'],
    ['POST', '/api/reports/1/share', {}],
    ['DELETE', '/api/account/access'],
    ['POST', '/api/account/identities/acme'],
    ['DELETE', '/api/account/identities/1'],
    ['POST', `/api/admin/users/${target.id}/revoke-admin`],
    ['POST', `/api/admin/users/${target.id}/disable`],
    ['POST', `/api/admin/users/${target.id}/enable`],
    ['GET', '/api/admin/export/csv'],
    ['GET', '/api/admin/audit-events/export/csv'],
    ['POST', '/api/domains/bulk-delete', { ids: [1] }],
    ['POST', '/api/admin/transfer-profile', { profileId: 1, newFirebaseUid: 'nobody' }],
    ['DELETE', '/api/admin/profiles/1'],
    ['DELETE', '/api/admin/feeds/1'],
    ['POST', '/api/admin/delete-all-domains', { confirmationCode: 'DELETE ALL DOMAINS' }],
    ['POST', `/api/admin/users/${target.id}/grant-admin`],
    ['POST', `/api/admin/users/${target.id}/reset-link`],
    ['POST', `/api/admin/users/${target.id}/reset-second-factor`],
    ['GET', '/api/account/data'],
    ['GET', '/api/account/proof'],
    ['POST', '/api/account/second-factor'],
    ['POST', '/api/account/second-factor/confirm', { code: '123456' }],
    ['POST', '/api/account/second-factor/recovery-codes'],
    ['DELETE', '/api/account/second-factor'],
    ['DELETE', '/api/account/sessions/others'],
    ['DELETE', '/api/account/sessions'],
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

test('without a proof, nobody sees the address of the alert feed, or ends a session other than the own one', async () => {
  const user = await signUp();
  const elsewhere = getCookies(await call('POST', '/api/auth/login', { body: user }));
  await ageProof(user, proofMaxAgeMs);
  expect((await call('GET', '/api/account/alert-feed', { as: user.cookie })).json()).toEqual({
    url: null,
    isHidden: true,
  });
  const sessions: { id: number; isThisDevice: boolean }[] = (
    await call('GET', '/api/account/sessions', { as: user.cookie })
  ).json();
  const end = async (isOwn: boolean) => {
    const id = sessions.find(({ isThisDevice }) => isThisDevice === isOwn)?.id;
    return (await call('DELETE', `/api/account/sessions/${id}`, { as: user.cookie })).statusCode;
  };
  expect([await end(false), await end(true)]).toEqual([403, 204]);
  expect((await call('GET', '/api/auth/current-user', { as: elsewhere })).statusCode).toBe(200);
});

test('the password proves the identity of this session only, and for 15 minutes', async () => {
  const user = await signUpLongAgo();
  const cookie =
    String((await call('POST', '/api/auth/login', { body: user })).headers['set-cookie']).split(';')[0] ?? '';
  await ageProof(user, proofMaxAgeMs);
  const wrong = await confirm(user.cookie, { password: 'wrong' });
  expect([wrong.statusCode, wrong.json().fields]).toEqual([400, { password: 'This is not your current password.' }]);
  expect(await download(user.cookie)).toBe(403);
  const proven = getCookies(await confirm(user.cookie, { password: user.password }));
  expect([await download(proven), await download(cookie)]).toEqual([200, 403]);
  await ageProof(user, proofMaxAgeMs);
  expect(await download(proven)).toBe(403);
});

const readUser = async (as: string) => (await call('GET', '/api/auth/current-user', { as })).statusCode;

test('a proof gives the session a new id; the earlier one is no proof and works for some seconds only', async () => {
  const user = await signUpLongAgo();
  const readSessions = () =>
    db.selectFrom('sessions').select(['id', 'expires_at']).where('user_id', '=', user.id).execute();
  const before = await readSessions();
  const response = await confirm(user.cookie, { password: user.password });
  expect(response.statusCode).toBe(204);
  expect(String(response.headers['set-cookie'])).toMatch(
    /^__Host-sid=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const proven = getCookies(response);
  expect(proven).not.toBe(user.cookie);
  expect(await readSessions()).toEqual(before);
  expect([await download(proven), await download(user.cookie)]).toEqual([200, 403]);
  // Requests of other tabs that were sent before the answer.
  expect(await readUser(user.cookie)).toBe(200);
  await db.updateTable('sessions').set({ previous_until: new Date() }).where('user_id', '=', user.id).execute();
  expect([await readUser(user.cookie), await readUser(proven)]).toEqual([401, 200]);
});

test('two tabs that prove it at the same time keep one session, which both can use', async () => {
  const user = await signUpLongAgo();
  const responses = await Promise.all([1, 2].map(() => confirm(user.cookie, { password: user.password })));
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  const cookies = responses.map(getCookies).filter((cookie) => cookie !== '');
  expect(cookies).toHaveLength(1);
  expect(await download(cookies[0] ?? '')).toBe(200);
});

test('after a proof, signing out and changing the password end the session of the new id', async () => {
  const [first, second] = [await signUpLongAgo(), await signUpLongAgo()];
  const proven = getCookies(await confirm(first.cookie, { password: first.password }));
  await call('POST', '/api/auth/logout', { as: first.cookie });
  expect(await readUser(proven)).toBe(401);
  const body = { currentPassword: second.password, newPassword: 'a new long secret' };
  const own = getCookies(await confirm(second.cookie, { password: second.password }));
  // Sent with the earlier id, by another tab.
  expect((await call('POST', '/api/account/password', { as: second.cookie, body })).statusCode).toBe(204);
  expect(await readUser(own)).toBe(200);
});

test('with a second factor, a proof needs the password and a code', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  await ageProof(user, proofMaxAgeMs);
  const { password } = user;
  const missing = await confirm(user.cookie, { password });
  expect([missing.statusCode, Object.keys(missing.json().fields)]).toEqual([400, ['code']]);
  const code = generateCode(secret);
  expect((await confirm(user.cookie, { code })).json().fields).toHaveProperty('password');
  expect((await confirm(user.cookie, { password: 'wrong', code })).json().fields).toHaveProperty('password');
  expect((await confirm(user.cookie, { password, code: generateCode(secret, 50) })).json().fields).toHaveProperty(
    'code',
  );
  expect(await download(user.cookie)).toBe(403);
  const proven = getCookies(await confirm(user.cookie, { password, code }));
  expect(await download(proven)).toBe(200);
  await ageProof(user, proofMaxAgeMs);
  expect((await confirm(proven, { password, code: recoveryCodes[0] ?? '' })).statusCode).toBe(204);
});

test('with a second factor, the password alone changes neither password nor address nor factor, and deletes nothing', async () => {
  const user = await signUp();
  const { secret } = await turnOn(user);
  await ageProof(user, proofMaxAgeMs);
  const { cookie: as, password: currentPassword } = user;
  const refused = [
    await call('POST', '/api/account/password', { as, body: { currentPassword, newPassword: 'a new long secret' } }),
    await call('POST', '/api/account/email', { as, body: { currentPassword, email: 'new@mail.example' } }),
    await call('DELETE', '/api/account/second-factor', { as }),
    await call('DELETE', '/api/account', { as, body: { password: currentPassword } }),
  ];
  expect(refused.map(({ statusCode, json }) => [statusCode, json().code])).toEqual(
    refused.map(() => [403, 'reauthentication_required']),
  );
  const proven = getCookies(await confirm(as, { password: currentPassword, code: generateCode(secret) }));
  const body = { currentPassword, newPassword: 'a new long secret' };
  expect((await call('POST', '/api/account/password', { as: proven, body })).statusCode).toBe(204);
});

test('turning on the second factor ends the proofs of other sessions, and a remembered device proves no code', async () => {
  const user = await signUp();
  const elsewhere = getCookies(await call('POST', '/api/auth/login', { body: user }));
  const { secret } = await turnOn(user);
  expect([await download(user.cookie), await download(elsewhere)]).toEqual([200, 403]);
  const { challenge } = (await call('POST', '/api/auth/login', { body: user })).json();
  const body = { challenge, code: generateCode(secret), rememberDevice: true };
  const withCode = getCookies(await call('POST', '/api/auth/login/second-factor', { body }));
  expect(await download(withCode)).toBe(200);
  const remembered = getCookies(await call('POST', '/api/auth/login', { as: withCode, body: user }));
  expect([await readUser(remembered), await download(remembered)]).toEqual([200, 403]);
});

test('a code of the second factor proves it alone, for users without a password', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
  await ageProof(user, proofMaxAgeMs);
  expect((await confirm(user.cookie, { code: generateCode(secret, 50) })).statusCode).toBe(400);
  expect(await download(user.cookie)).toBe(403);
  const proven = getCookies(await confirm(user.cookie, { code: generateCode(secret) }));
  expect(await download(proven)).toBe(200);
  await ageProof(user, proofMaxAgeMs);
  expect((await confirm(proven, { code: recoveryCodes[0] ?? '' })).statusCode).toBe(204);
});

test('a recent sign-in with the linked Google account proves it, and one with another does not', async () => {
  const [user, other] = [await signUpLongAgo(), await signUpLongAgo()];
  await db.updateTable('users').set({ firebase_uid: 'g-own', password_hash: null }).where('id', '=', user.id).execute();
  const send = async (as: string, sub: string, minutes = 0) => {
    const claims = { sub, email: 'a@mail.example', auth_time: Math.floor(Date.now() / 1000) - minutes * 60 };
    const idToken = await issuer.buildToken({ claims });
    return await call('POST', '/api/account/reauthenticate/firebase', { as, body: { idToken } });
  };
  const sent = [await send(user.cookie, 'g-own', 6), await send(user.cookie, 'g-other')];
  expect(sent.map(({ statusCode }) => statusCode)).toEqual([401, 403]);
  expect([(await send(other.cookie, 'g-own')).statusCode, await download(user.cookie)]).toEqual([403, 403]);
  const proven = await send(user.cookie, 'g-own');
  expect([proven.statusCode, await download(getCookies(proven))]).toEqual([204, 200]);
  // A code is needed too once there is a second factor.
  await turnOn({ ...user, cookie: getCookies(proven) });
  expect((await send(getCookies(proven), 'g-own')).statusCode).toBe(409);
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
  let as = user.cookie;
  const list = async () => (await call('GET', `/api/users/${user.id}/api-keys`, { as })).json();
  expect(await list()).toMatchObject([{ id, keyValue }]);
  await ageProof(user, proofMaxAgeMs);
  const hidden = await list();
  expect(hidden).toMatchObject([{ id, keyValue: null, isHidden: true }]);
  expect(JSON.stringify(hidden)).not.toContain(keyValue);
  as = getCookies(await confirm(user.cookie, { password: user.password }));
  expect((await list())[0]).not.toHaveProperty('isHidden');
});
