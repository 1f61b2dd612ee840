import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { maxFailures } from '../../../platform/throttle/throttle.ts';
import { startTestApp, type TestUser } from '../../../test-app.fixtures.ts';
import { runAdminCommand } from '../commands.ts';
import { createResetLink } from '../set-password.ts';
import { buildFactorCalls, generateCode, getCookies } from './second-factor.fixtures.ts';

const testApp = await startTestApp();
const { call, context, signUp } = testApp;
const { db } = context;
const { turnOn, logIn, enterCode } = buildFactorCalls(testApp);

const isSignedIn = async (cookie: string) =>
  (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode === 200;
const getChallenge = async (user: TestUser, as?: string): Promise<string> =>
  (await logIn(user, as ? { as } : {})).json().challenge;
const readFactor = async (as: string) => (await call('GET', '/api/account', { as })).json().secondFactor;
const renewCodes = (as: string) => call('POST', '/api/account/second-factor/recovery-codes', { as });
const turnOff = (as: string) => call('DELETE', '/api/account/second-factor', { as });

test('after the password, an account with a second factor gets a challenge and no session', async () => {
  const user = await signUp();
  const { secret } = await turnOn(user);
  const response = await logIn(user);
  expect([response.statusCode, response.json()]).toEqual([
    401,
    {
      error: 'Please enter the code that your authenticator app shows.',
      code: 'second_factor_required',
      challenge: expect.stringMatching(/^\d+\.\d+\.[\w-]{43}$/),
      requestId: expect.any(String),
    },
  ]);
  expect(response.headers['set-cookie']).toBeUndefined();
  const completed = await enterCode(response.json().challenge, generateCode(secret));
  expect([completed.statusCode, completed.json().username]).toEqual([200, user.username]);
  expect(await isSignedIn(getCookies(completed))).toBe(true);
});

test('a wrong password of such an account gets the same answer as for any other account', async () => {
  const user = await signUp();
  await turnOn(user);
  const response = await logIn({ ...user, password: 'wrong' });
  expect([response.statusCode, response.json()]).toMatchObject([401, { error: 'Invalid username or password' }]);
  expect(response.json()).not.toHaveProperty('challenge');
});

/** Moves the clock of the server until the end of the test. */
const setClock = (now: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};

test('a code is accepted once, also when it is sent several times at once', async () => {
  const user = await signUp();
  const { secret } = await turnOn(user);
  const challenge = await getChallenge(user);
  const code = generateCode(secret);
  const codes = await Promise.all([1, 2, 3].map(async () => (await enterCode(challenge, code)).statusCode));
  expect(codes.sort()).toEqual([200, 400, 400]);
  expect((await enterCode(challenge, generateCode(secret, 3))).statusCode).toBe(400);
});

test('a code is valid in its 30 seconds, and up to five seconds before and after', async () => {
  const user = await signUp();
  const { secret } = await turnOn(user);
  const start = Math.ceil(Date.now() / 30_000) * 30_000;
  const code = generateCode(secret, (start - Date.now()) / 30_000);
  const statuses: Record<number, number> = {};
  for (const seconds of [-6, -4, 0, 29, 34, 36]) {
    setClock(start + seconds * 1000);
    await db.updateTable('second_factors').set({ last_step: 0 }).where('user_id', '=', user.id).execute();
    statuses[seconds] = (await enterCode(await getChallenge(user), code)).statusCode;
  }
  expect(statuses).toEqual({ '-6': 400, '-4': 200, 0: 200, 29: 200, 34: 200, 36: 400 });
});

test('each recovery code is accepted once, in any case and with or without hyphens', async () => {
  const user = await signUp();
  const { recoveryCodes } = await turnOn(user);
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
  const [first = '', second = ''] = recoveryCodes;
  const challenge = await getChallenge(user);
  const typed = first.toLowerCase().replaceAll('-', ' ');
  const codes = await Promise.all([1, 2].map(async () => (await enterCode(challenge, typed)).statusCode));
  expect(codes.sort()).toEqual([200, 400]);
  const response = await enterCode(challenge, second.replaceAll('-', ''));
  expect(response.statusCode).toBe(200);
  expect(await readFactor(getCookies(response))).toEqual({ since: expect.stringMatching(/^20/), recoveryCodesLeft: 8 });
});

test('recovery codes are salted, and those from before version 68 of the schema work until they are renewed', async () => {
  const [user, twin] = [await signUp(), await signUp()];
  const { recoveryCodes } = await turnOn(user);
  await turnOn(twin);
  const salts = await db.selectFrom('recovery_codes').select('salt').distinct().execute();
  expect(salts.length).toBeGreaterThanOrEqual(2);
  expect(salts.every(({ salt }) => salt?.length === 16)).toBe(true);
  const old = 'ABCDEFGHIJKLMNOP';
  await db
    .insertInto('recovery_codes')
    .values({ user_id: user.id, code_hash: createHash('sha256').update(old).digest(), salt: null })
    .execute();
  const challenge = await getChallenge(user);
  expect((await enterCode(challenge, 'abcd-efgh-ijkl-mnop')).statusCode).toBe(200);
  expect((await enterCode(challenge, old)).statusCode).toBe(400);
  expect((await enterCode(challenge, recoveryCodes[0] ?? '')).statusCode).toBe(200);
});

test('new recovery codes replace the old ones', async () => {
  const user = await signUp();
  const { recoveryCodes: old } = await turnOn(user);
  const { recoveryCodes } = (await renewCodes(user.cookie)).json();
  const challenge = await getChallenge(user);
  expect((await enterCode(challenge, old[0] ?? '')).statusCode).toBe(400);
  expect((await enterCode(challenge, recoveryCodes[0])).statusCode).toBe(200);
});

test('wrong codes are limited, but never keep the owner from using a recovery code', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  const challenge = await getChallenge(user);
  const guesses = Array.from({ length: maxFailures + 5 }, (_, i) =>
    enterCode(challenge, generateCode(secret, 100 + i)).then(({ statusCode }) => statusCode),
  );
  const codes = await Promise.all(guesses);
  expect([codes.filter((code) => code === 400).length, codes.filter((code) => code === 429).length]).toEqual([
    maxFailures,
    5,
  ]);
  expect((await enterCode(challenge, generateCode(secret))).statusCode).toBe(429);
  const wrong = await Promise.all(Array.from({ length: 20 }, () => enterCode(challenge, 'AAAA-AAAA-AAAA-AAAA')));
  expect(new Set(wrong.map(({ statusCode }) => statusCode))).toEqual(new Set([400]));
  expect((await enterCode(challenge, recoveryCodes[0] ?? '')).statusCode).toBe(200);
});

test('wrong codes of others do not affect a known device', async () => {
  const user = await signUp();
  const device = getCookies(await logIn(user)).split('; ')[1] ?? '';
  const { secret } = await turnOn({ ...user, cookie: `${user.cookie}; ${device}` });
  const known = getCookies(await enterCode(await getChallenge(user), generateCode(secret)));
  const challenge = await getChallenge(user);
  for (let i = 0; i < maxFailures; i++) await enterCode(challenge, generateCode(secret, 100 + i));
  setClock(Date.now() + 30_000);
  expect((await enterCode(challenge, generateCode(secret))).statusCode).toBe(429);
  expect((await enterCode(challenge, generateCode(secret), { as: known })).statusCode).toBe(200);
});

test('a challenge is valid for ten minutes, and refused when it is forged or older than a change of the password', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const { secret } = await turnOn(user);
  await turnOn(other);
  const challenge = await getChallenge(user);
  const [, expires, signature] = challenge.split('.');
  const forged = [
    'nonsense',
    `${other.id}.${expires}.${signature}`,
    `${user.id}.${Number(expires) + 1}.${signature}`,
    `${user.id}.${expires}.${'A'.repeat(43)}`,
  ];
  for (const text of forged) {
    const response = await enterCode(text, generateCode(secret));
    expect([text, response.statusCode]).toEqual([text, 401]);
  }
  expect(Math.round((Number(expires) - Date.now()) / 60_000)).toBe(10);
  const body = { currentPassword: user.password, newPassword: 'a new long secret' };
  expect((await call('POST', '/api/account/password', { as: user.cookie, body })).statusCode).toBe(204);
  const response = await enterCode(challenge, generateCode(secret));
  expect([response.statusCode, response.json().error]).toEqual([
    401,
    'This sign-in has expired. Please sign in again.',
  ]);
});

test('a remembered device needs no code until the password changes or the user signs out everywhere', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  const plain = await enterCode(await getChallenge(user), generateCode(secret));
  expect((await logIn(user, { as: getCookies(plain) })).statusCode).toBe(401);
  const remembered = await enterCode(await getChallenge(user), recoveryCodes[0] ?? '', { rememberDevice: true });
  const signedIn = await logIn(user, { as: getCookies(remembered) });
  expect(signedIn.statusCode).toBe(200);
  // The trust continues with the cookie that the sign-in renews.
  const cookies = getCookies(await logIn(user, { as: getCookies(signedIn) }));
  // A remembered device has proven the password only.
  expect((await call('DELETE', '/api/account/sessions', { as: cookies })).json().code).toBe(
    'reauthentication_required',
  );
  await db.updateTable('sessions').set({ proven_at: new Date() }).where('user_id', '=', user.id).execute();
  expect((await call('DELETE', '/api/account/sessions', { as: cookies })).statusCode).toBe(204);
  expect((await logIn(user, { as: cookies })).json().code).toBe('second_factor_required');
});

test('a device is remembered for 30 days, and only for its account', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const { recoveryCodes } = await turnOn(user);
  await turnOn(other);
  const cookies = getCookies(
    await enterCode(await getChallenge(user), recoveryCodes[0] ?? '', { rememberDevice: true }),
  );
  const [, device = ''] = /__Host-device=(\S+)/.exec(cookies) ?? [];
  const [id, expires, trusted, signature] = device.split('.');
  expect(Math.round((Number(trusted) - Date.now()) / 86_400_000)).toBe(30);
  expect((await logIn(other, { as: cookies })).statusCode).toBe(401);
  const forged = `__Host-device=${[id, expires, Number(trusted) + 1, signature].join('.')}`;
  expect((await logIn(user, { as: forged })).statusCode).toBe(401);
  expect((await logIn(user, { as: cookies })).statusCode).toBe(200);
});

test('a reset link changes the password, but signs in only with a code', async () => {
  const user = await signUp();
  const { secret } = await turnOn(user);
  const { path } = await createResetLink(db, user.id, new Date());
  const body = { token: path.split('#')[1] ?? '', password: 'a new long secret' };
  const response = await call('POST', '/api/auth/reset', { body });
  expect([response.statusCode, response.json().code]).toEqual([401, 'second_factor_required']);
  expect(response.headers['set-cookie']).toBeUndefined();
  expect(await isSignedIn(user.cookie)).toBe(false);
  expect((await logIn(user)).json().error).toBe('Invalid username or password');
  expect((await enterCode(response.json().challenge, generateCode(secret))).statusCode).toBe(200);
});

test('turning off the second factor, or an admin, lets the user sign in with the password alone', async () => {
  const admin = await signUp({ admin: true });
  const reset = (id: number) => call('POST', `/api/admin/users/${id}/reset-second-factor`, { as: admin.cookie });
  const [first, second, third] = [await signUp(), await signUp(), await signUp()];
  for (const user of [first, second, third]) await turnOn(user);
  expect((await turnOff(first.cookie)).statusCode).toBe(204);
  const response = await reset(second.id);
  expect([response.statusCode, response.json().hasSecondFactor]).toEqual([200, false]);
  const lines: string[] = [];
  await runAdminCommand(context, ['reset-2fa', third.username], (line) => lines.push(line));
  expect(lines).toEqual([`Two-factor authentication of ${third.username} is off.`]);
  for (const user of [first, second, third]) expect((await logIn(user)).statusCode).toBe(200);
  expect(await readFactor(first.cookie)).toBeNull();
  const left = await db.selectFrom('recovery_codes').where('user_id', 'in', [first.id, second.id]).select('user_id');
  expect(await left.execute()).toEqual([]);
  expect((await reset(admin.id)).statusCode).toBe(409);
  const events = await db.selectFrom('audit_events').select(['username', 'event']).orderBy('id', 'desc').limit(2);
  expect(await events.execute()).toEqual([
    { username: 'command line', event: 'Reset a second factor' },
    { username: admin.username, event: 'Reset a second factor' },
  ]);
});

test('a second factor counts only after its first code, and cannot be replaced while it is on', async () => {
  const user = await signUp();
  const start = () => call('POST', '/api/account/second-factor', { as: user.cookie });
  const confirm = (code: string) =>
    call('POST', '/api/account/second-factor/confirm', { as: user.cookie, body: { code } });
  expect((await confirm('123456')).statusCode).toBe(409);
  const { secret: abandoned } = (await start()).json();
  expect((await logIn(user)).statusCode).toBe(200);
  expect((await renewCodes(user.cookie)).statusCode).toBe(409);
  const { secret, url } = (await start()).json();
  expect(url).toBe(
    `otpauth://totp/Linksieve:${user.username}?issuer=Linksieve&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  expect((await confirm(generateCode(abandoned))).statusCode).toBe(400);
  const first = generateCode(secret);
  expect((await confirm(first)).statusCode).toBe(200);
  expect((await enterCode(await getChallenge(user), first)).json().fields.code).toMatch(/already used/);
  expect((await start()).statusCode).toBe(409);
  expect((await confirm(generateCode(secret, 1))).statusCode).toBe(409);
});

test('the database contains the secret only encrypted, and recovery codes only as salted hashes', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  const rows = await context.pool.query(
    'select f::text, r::text from second_factors f join recovery_codes r using (user_id) where user_id = $1',
    [user.id],
  );
  expect(rows.rows).toHaveLength(10);
  const copy = JSON.stringify(rows.rows);
  for (const value of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
    const unsalted = createHash('sha256').update(value).digest('hex');
    for (const form of [value, Buffer.from(value).toString('hex'), unsalted]) expect(copy).not.toContain(form);
  }
});

test('if the secret key of the server has changed, recovery codes still work', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  await db
    .updateTable('second_factors')
    .set({ secret: Buffer.alloc(80) })
    .where('user_id', '=', user.id)
    .execute();
  const challenge = await getChallenge(user);
  const response = await enterCode(challenge, generateCode(secret));
  expect([response.statusCode, response.json().error]).toEqual([409, expect.stringMatching(/use a recovery code/)]);
  expect((await enterCode(challenge, recoveryCodes[0] ?? '')).statusCode).toBe(200);
});
