import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createAdminFromSettings } from '../accounts/commands.ts';
import { findSetupLink } from './setup.ts';

const { app, call, context, signUp } = await startTestApp({ PUBLIC_URL: 'https://links.example' });

// An installation without an admin, with users or without.
afterEach(() => context.db.updateTable('users').set({ is_admin: false }).execute());

const getToken = async () => (await findSetupLink(context))?.split('#')[1] ?? '';
const account = (username: string) => ({
  username,
  email: `${username}@mail.example`,
  password: 'a long enough secret',
});

test('the link creates an admin who is signed in, and then no longer works', async () => {
  const token = await getToken();
  expect((await call('POST', '/api/setup/check', { body: { token } })).statusCode).toBe(204);
  const response = await call('POST', '/api/setup', { body: { ...account('first'), token } });
  expect([response.statusCode, response.json()]).toMatchObject([201, { username: 'first', isAdmin: true }]);
  const as = String(response.headers['set-cookie']).split(';')[0] ?? '';
  expect((await call('GET', '/api/users/count', { as })).json()).toEqual({ count: 1 });

  for (const path of ['/api/setup/check', '/api/setup']) {
    const again = await call('POST', path, { body: { ...account('second'), token } });
    expect([again.statusCode, again.json().error]).toEqual([409, 'This server already has an admin. Sign in instead.']);
  }
  expect(await findSetupLink(context)).toBeUndefined();
});

test('the audit log names the new admin', async () => {
  const response = await call('POST', '/api/setup', { body: { ...account('audited'), token: await getToken() } });
  const event = await context.db
    .selectFrom('audit_events')
    .select(['user_id', 'username', 'event', 'address'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  expect(event).toEqual({
    user_id: response.json().id,
    username: 'audited',
    event: 'Created the first admin',
    address: '127.0.0.1',
  });
});

test('every start prints the same link, and another secret key makes another one', async () => {
  const link = await findSetupLink(context);
  expect(link).toMatch(/^https:\/\/links\.example\/setup#[\w-]{43}$/);
  expect(await findSetupLink(context)).toBe(link);
  expect(await findSetupLink({ ...context, secretKey: { current: Buffer.alloc(32), previous: undefined } })).not.toBe(
    link,
  );
});

test('an installation with users but without an admin has a link', async () => {
  await signUp();
  const token = await getToken();
  const response = await call('POST', '/api/setup', { body: { ...account('late'), token } });
  expect(response.statusCode).toBe(201);
});

test('a wrong token creates nothing, whether there is an admin or not', async () => {
  const token = await getToken();
  const attempts = ['', token.slice(1), `${token}x`, token.toLowerCase(), 'ä'.repeat(43)];
  const count = () => context.db.selectFrom('users').select('id').execute();
  const before = await count();
  const expectRefusals = async () => {
    for (const wrong of attempts) {
      for (const path of ['/api/setup/check', '/api/setup']) {
        const response = await call('POST', path, { body: { ...account('intruder'), token: wrong } });
        expect([wrong, response.statusCode, response.json().error]).toEqual([
          wrong,
          403,
          'This setup link is not valid. Restart the server and use the link it prints.',
        ]);
      }
    }
  };
  await expectRefusals();
  expect(await count()).toEqual(before);
  await signUp({ admin: true });
  await expectRefusals();
});

test('a weak password or a taken name is refused next to its field, and the link still works', async () => {
  const token = await getToken();
  const { username } = await signUp();
  const weak = await call('POST', '/api/setup', { body: { ...account('weak'), password: 'password', token } });
  expect([weak.statusCode, Object.keys(weak.json().fields)]).toEqual([400, ['password']]);
  const taken = await call('POST', '/api/setup', { body: { ...account(username), token } });
  expect([taken.statusCode, Object.keys(taken.json().fields)]).toEqual([400, ['username']]);
  expect((await call('POST', '/api/setup/check', { body: { token } })).statusCode).toBe(204);
});

test('of three calls at the same time, one creates the admin', async () => {
  const token = await getToken();
  const calling = await context.db.transaction().execute(async (trx) => {
    // No call can write until all three have read that there is no admin.
    await sql`lock table users in share mode`.execute(trx);
    // Of several networks, because those of one take turns for connections.
    const calls = ['fast', 'faster', 'fastest'].map((name, i) =>
      app.inject({
        method: 'POST',
        url: '/api/setup',
        remoteAddress: `192.0.2.${i}`,
        headers: { host: 'links.example', 'sec-fetch-site': 'same-origin' },
        payload: { ...account(name), token },
      }),
    );
    await expect.poll(() => listLockWaiters(context.pool), { timeout: 20_000 }).toHaveLength(3);
    return { calls };
  });
  const responses = await Promise.all(calling.calls);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  const admins = await context.db.selectFrom('users').select('username').where('is_admin', '=', true).execute();
  expect(admins).toEqual([{ username: responses.find(({ statusCode }) => statusCode === 201)?.json().username }]);
});

test('an admin from the settings leaves no link', async () => {
  const config = { ...context.config, firstAdmin: account('configured') };
  expect(await createAdminFromSettings({ ...context, config })).toContain('Sign in as configured');
  expect(await findSetupLink(context)).toBeUndefined();
});
