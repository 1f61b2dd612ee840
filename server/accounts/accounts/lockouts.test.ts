import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { maxFailures, maxUndelayedFailures } from '../../platform/throttle/throttle.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { runAdminCommand } from './commands.ts';
import { getCookies } from './second-factor/second-factor.fixtures.ts';
import { createResetLink } from './set-password.ts';

const { app, call, context, signUp } = await startTestApp();
const { db } = context;
const admin = await signUp({ admin: true });

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
}

const logInFrom = (remoteAddress: string, username: string, password: string, cookie?: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
    payload: { username, password },
  });

/** Sends `count` wrong passwords from an address. @returns the address */
async function fail(username: string, count: number, address = newAddress(), cookie?: string): Promise<string> {
  for (let i = 0; i < count; i++) await logInFrom(address, username, 'wrong', cookie);
  return address;
}

/** Inserts failed sign-ins to an account from other networks, `secondsAgo` each. */
const insertFailures = ({ id }: TestUser, secondsAgo: number[]) =>
  db
    .insertInto('login_failures')
    .values(
      secondsAgo.map((seconds) => ({
        key: `account:${id}`,
        user_id: id,
        failed_at: new Date(Date.now() - seconds * 1000),
      })),
    )
    .execute();

const getDevice = (cookies: string) => cookies.split('; ').find((cookie) => cookie.startsWith('__Host-device=')) ?? '';
const findUser = async (name: string) =>
  (await call('GET', `/api/admin/users/find?name=${name}`, { as: admin.cookie })).json();

test('failures of one network lock this network for the account, and neither other networks nor other accounts', async () => {
  const [victim, other] = [await signUp(), await signUp()];
  const attacker = await fail(victim.username, maxFailures);
  const refused = await logInFrom(attacker, victim.username, victim.password);
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 800]).toEqual([429, true]);
  expect((await logInFrom(attacker, other.username, other.password)).statusCode).toBe(200);
  expect((await logInFrom(newAddress(), victim.username, victim.password)).statusCode).toBe(200);
});

test('many failures from many networks delay attempts for the account, but never for more than a minute', async () => {
  const user = await signUp();
  await insertFailures(user, Array<number>(maxUndelayedFailures + 200).fill(0));
  const refused = await logInFrom(newAddress(), user.username, user.password);
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  await sql`update login_failures set failed_at = failed_at - interval '61 seconds' where user_id = ${user.id}`.execute(
    db,
  );
  expect((await logInFrom(newAddress(), user.username, user.password)).statusCode).toBe(200);
});

test('concurrent attempts from many networks do not evade the delay', async () => {
  const user = await signUp();
  await insertFailures(user, Array<number>(maxUndelayedFailures + 50).fill(61));
  const attempts = Array.from({ length: 8 }, () => logInFrom(newAddress(), user.username, 'wrong'));
  const codes = (await Promise.all(attempts)).map(({ statusCode }) => statusCode);
  expect(codes.sort()).toEqual([401, ...Array<number>(7).fill(429)]);
});

test('an unknown name is locked and delayed like an account', async () => {
  const name = 'nobody-at-all';
  const address = await fail(name, maxFailures);
  expect((await logInFrom(address, name, 'wrong')).statusCode).toBe(429);
  expect((await logInFrom(newAddress(), name, 'wrong')).statusCode).toBe(401);
  await db
    .insertInto('login_failures')
    .values(Array.from({ length: maxUndelayedFailures }, () => ({ key: `name:${name}`, failed_at: new Date() })))
    .execute();
  expect((await logInFrom(newAddress(), name, 'wrong')).statusCode).toBe(429);
});

test('a known device is never locked by others, and has ten attempts of its own', async () => {
  const user = await signUp();
  const address = newAddress();
  const device = getDevice(getCookies(await logInFrom(address, user.username, user.password)));
  await fail(user.username, maxFailures, address);
  await insertFailures(user, Array<number>(300).fill(1));
  await db
    .insertInto('login_failures')
    .values(Array.from({ length: 100 }, () => ({ key: `address:${address}`, failed_at: new Date() })))
    .execute();
  expect((await logInFrom(address, user.username, user.password)).statusCode).toBe(429);
  expect((await logInFrom(address, user.username, user.password, device)).statusCode).toBe(200);
  await fail(user.username, maxFailures, address, device);
  expect((await logInFrom(address, user.username, user.password, device)).statusCode).toBe(429);
});

test('a device cookie helps only its account, and is invalid if it was changed or the password was', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const cookies = getCookies(await call('POST', '/api/auth/login', { body: user }));
  const device = getDevice(cookies);
  const forged = device.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const address = await fail(user.username, maxFailures, await fail(other.username, maxFailures));
  expect((await logInFrom(address, other.username, other.password, device)).statusCode).toBe(429);
  expect((await logInFrom(address, user.username, user.password, forged)).statusCode).toBe(429);
  const changed = await call('POST', '/api/account/password', {
    as: cookies,
    body: { currentPassword: user.password, newPassword: 'a new long secret' },
  });
  expect((await logInFrom(address, user.username, 'a new long secret', device)).statusCode).toBe(429);
  const renewed = getDevice(getCookies(changed));
  expect((await logInFrom(address, user.username, 'a new long secret', renewed)).statusCode).toBe(200);
});

test.each([
  ['signing out everywhere else', 'DELETE', () => '/api/account/sessions/others'],
  ['ending a session', 'DELETE', (id: number) => `/api/account/sessions/${id}`],
] as const)('%s forgets the other devices and renews this one', async (_, method, toPath) => {
  const user = await signUp();
  const own = getCookies(await call('POST', '/api/auth/login', { body: user }));
  const elsewhere = getDevice(getCookies(await call('POST', '/api/auth/login', { body: user })));
  const sessions = (await call('GET', '/api/account/sessions', { as: own })).json();
  const { id } = sessions.find(({ isThisDevice }: { isThisDevice: boolean }) => !isThisDevice);
  const response = await call(method, toPath(id), { as: own });
  expect(response.statusCode).toBe(204);
  const address = await fail(user.username, maxFailures);
  for (const [device, status] of [
    [elsewhere, 429],
    [getDevice(own), 429],
    [getDevice(getCookies(response)), 200],
  ] as const) {
    expect((await logInFrom(address, user.username, user.password, device)).statusCode).toBe(status);
  }
});

test('an admin sees locked accounts and unlocks them, which is audited', async () => {
  const [byNetwork, byDelays, free] = [await signUp(), await signUp(), await signUp()];
  const address = await fail(byNetwork.username, maxFailures);
  await insertFailures(byDelays, Array<number>(maxUndelayedFailures).fill(3000));
  await fail(free.username, maxFailures - 1);
  const list = async () =>
    (await call('GET', '/api/admin/users?show=locked', { as: admin.cookie }))
      .json()
      .users.map((user: TestUser) => user.id);
  expect(await list()).toEqual(expect.arrayContaining([byDelays.id, byNetwork.id]));
  expect(await list()).not.toContain(free.id);
  expect([(await findUser(byNetwork.username)).isLocked, (await findUser(free.username)).isLocked]).toEqual([
    true,
    false,
  ]);
  const response = await call('POST', `/api/admin/users/${byNetwork.id}/unlock`, { as: admin.cookie });
  expect([response.statusCode, response.json().isLocked]).toEqual([200, false]);
  expect((await logInFrom(address, byNetwork.username, byNetwork.password)).statusCode).toBe(200);
  const lines: string[] = [];
  await runAdminCommand(context, ['unlock', byDelays.username], (line) => lines.push(line));
  expect(lines).toEqual([`${byDelays.username} can sign in again.`]);
  expect((await findUser(byDelays.username)).isLocked).toBe(false);
  const events = db.selectFrom('audit_events').select(['username', 'event']).orderBy('id', 'desc').limit(2);
  expect(await events.execute()).toEqual([
    { username: 'command line', event: 'Unlocked an account' },
    { username: admin.username, event: 'Unlocked an account' },
  ]);
});

test('a password reset unlocks the account for every network', async () => {
  const user = await signUp();
  const address = await fail(user.username, maxFailures);
  const { path } = await createResetLink(db, user.id, new Date());
  const body = { token: path.split('#')[1] ?? '', password: 'a new long secret' };
  expect((await call('POST', '/api/auth/reset', { body })).statusCode).toBe(200);
  expect((await logInFrom(address, user.username, 'a new long secret')).statusCode).toBe(200);
});

test('failures of a clock that was ahead do not lock an account', async () => {
  const user = await signUp();
  const address = newAddress();
  const tomorrow = new Date(Date.now() + 86_400_000);
  const keys = [`account:${user.id}@${address}`, `account:${user.id}`, `address:${address}`];
  await db
    .insertInto('login_failures')
    .values(keys.flatMap((key) => Array.from({ length: 200 }, () => ({ key, user_id: user.id, failed_at: tomorrow }))))
    .execute();
  expect((await findUser(user.username)).isLocked).toBe(false);
  expect((await logInFrom(address, user.username, user.password)).statusCode).toBe(200);
});
