import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { createLog } from '../../start.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const forwarded = { 'x-forwarded-for': '198.51.100.7' };

/** Starts a server whose log can be read. `logIn` sends a wrong password. */
async function startLoggedApp(settings: Record<string, string> = {}) {
  const { context, signUp } = await startTestApp(settings);
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = buildApp({ ...context, log: createLog({ logLevel: 'warn' }, stream) });
  await app.ready();
  const admin = await signUp({ admin: true });
  const send = (url: string, remoteAddress: string, headers: Record<string, string>, payload?: object) =>
    app.inject({
      method: payload ? 'POST' : 'GET',
      url,
      remoteAddress,
      headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...headers },
      ...(payload && { payload }),
    });
  return {
    db: context.db,
    signUp,
    warnings: () => lines.filter((line) => line.includes('set TRUST_PROXY')),
    logIn: (remoteAddress: string, headers: Record<string, string> = {}, username: string = randomUUID()) =>
      send('/api/auth/login', remoteAddress, headers, { username, password: 'correct horse battery staple' }),
    readStatus: async (headers: Record<string, string> = {}): Promise<boolean> =>
      (await send('/api/admin/status', '127.0.0.1', { cookie: admin.cookie, ...headers })).json().hasUnknownProxy,
  };
}

test('a proxy that TRUST_PROXY does not name is logged once an hour and shown to admins', async () => {
  const { db, logIn, readStatus, warnings } = await startLoggedApp();
  expect(await readStatus()).toBe(false);
  await Promise.all(Array.from({ length: 5 }, () => logIn('172.17.0.1', forwarded)));
  expect(warnings()).toHaveLength(1);
  expect(warnings()[0]).toContain('all visitors seem to have the address 172.17.0.1');
  expect(await readStatus()).toBe(true);
  await db
    .updateTable('login_failures')
    .set({ failed_at: new Date(Date.now() - 3_600_001) })
    .execute();
  expect(await readStatus()).toBe(false);
  expect(await readStatus(forwarded)).toBe(true);
  await logIn('172.17.0.1', forwarded);
  expect(warnings()).toHaveLength(2);
});

test('an address in public or a proxy that TRUST_PROXY names gives no warning', async () => {
  const { logIn, readStatus, warnings } = await startLoggedApp();
  await logIn('203.0.113.9', forwarded);
  await logIn('127.0.0.1');
  expect([await readStatus(), warnings()]).toEqual([false, []]);
  const behind = await startLoggedApp({ TRUST_PROXY: '1' });
  await behind.logIn('127.0.0.1', { 'x-forwarded-for': '10.0.0.5' });
  expect([await behind.readStatus(forwarded), behind.warnings()]).toEqual([false, []]);
});

test('100 failures of different people behind a private address lock nobody out, and are logged', async () => {
  const { db, logIn, signUp, warnings } = await startLoggedApp();
  const { username } = await signUp();
  const failures = ['127.0.0.1', '203.0.113.9'].flatMap((address) =>
    Array.from({ length: 150 }, () => ({ key: `address:${address}`, failed_at: new Date() })),
  );
  await db.insertInto('login_failures').values(failures).execute();
  expect((await logIn('203.0.113.9', {}, username)).statusCode).toBe(429);
  expect(warnings()).toEqual([]);
  expect((await logIn('127.0.0.1', {}, username)).statusCode).toBe(200);
  expect(warnings()).toHaveLength(1);
  await db
    .insertInto('login_failures')
    .values(failures.concat(failures, failures, failures, failures, failures))
    .execute();
  expect((await logIn('127.0.0.1', {}, username)).statusCode).toBe(429);
});
