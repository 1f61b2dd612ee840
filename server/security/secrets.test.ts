import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { createLog } from '../start.ts';
import { type Right, rights } from './rights-table.fixtures.ts';
import { type Ask, addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { context, people, call, fresh } = scenario;

const words: string[] = [];
const listener = new Writable({
  write(chunk, _encoding, done) {
    words.push(String(chunk));
    done();
  },
});
const app = buildApp({ ...context, log: createLog({ logLevel: 'trace' }, listener) });
await app.ready();

/** What nobody may read in a log or in a copy of the database. */
const secrets = new Set<string>();
for (const { cookie, password, key } of Object.values(people)) {
  secrets
    .add(cookie.slice(cookie.indexOf('=') + 1))
    .add(password)
    .add(key);
}
const key: string = (await fresh.apiKey()).keyValue;
secrets.add(key);

async function send(method: string, path: string, ask: Ask, cookie: string | undefined) {
  const { body, payload, headers, ...place } = ask;
  const response = await app.inject({
    method: method as Method,
    url: addressOf(path, place),
    remoteAddress: scenario.newAddress(),
    headers: {
      host: 'localhost:3000',
      'sec-fetch-site': 'same-origin',
      authorization: `Bearer ${key}`,
      ...(cookie && { cookie }),
      ...headers,
    },
    ...((body || payload) && { payload: body ?? payload }),
  });
  for (const [, value] of String(response.headers['set-cookie'] ?? '').matchAll(/sid=([\w-]{20,})/g)) {
    secrets.add(value ?? '');
  }
  for (const [, value] of response.body.matchAll(/"keyValue":"([^"]+)"/g)) secrets.add(value ?? '');
  return response;
}

const cookieOf = ({ owner }: Right) => (owner === 403 ? people.admin.cookie : people.owner.cookie);

test('no log line of any call, well or ill, holds a cookie, a password or a key', async () => {
  for (const [name, right] of Object.entries(rights)) {
    const [method = 'GET', path = '/'] = name.split(' ');
    const asker = right.alone ? await scenario.signUp() : people.owner;
    secrets.add(asker.password).add(asker.cookie.slice(asker.cookie.indexOf('=') + 1));
    const ask = (await right.ask?.(scenario, asker)) ?? {};
    for (const [field, value] of Object.entries(ask.body ?? {})) {
      if (/password|token/i.test(field) && String(value).length >= 12) secrets.add(String(value));
    }
    await send(method, path, ask, undefined);
    const boasting = { ...ask, ...(ask.body && { body: { ...ask.body, extra: key } }) };
    await send(method, path, boasting, right.alone ? asker.cookie : cookieOf(right));
  }
  for (const table of ['users', 'sessions', 'api_keys', 'login_failures', 'profiles']) {
    await context.pool.query(`alter table ${table} rename to ${table}_gone`);
    const { username, password } = people.owner;
    await send('POST', '/api/auth/login', { body: { username, password } }, people.owner.cookie);
    await send('GET', '/api/profiles', {}, people.owner.cookie);
    await send('POST', '/api/api-keys', { body: { name: 'A key' } }, people.owner.cookie);
    for (const wrong of ['', 'x']) {
      const ask = { query: { domain: 'a.example', key }, headers: { 'x-api-key': people.owner.key + wrong } };
      await send('GET', '/api/v1/check', ask, undefined);
    }
    await context.pool.query(`alter table ${table}_gone rename to ${table}`);
  }
  expect(words.some((line) => line.includes('unexpected error'))).toBe(true);
  const log = words.join('');
  const leaks = words.filter((line) => [...secrets].some((secret) => line.includes(secret)));
  expect(leaks).toEqual([]);
  expect(log).not.toMatch(/\$argon2|password_hash"?:/);
});

test('a copy of the whole database holds no password, no session and no key', async () => {
  const tables = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`.execute(context.db);
  expect(tables.rows.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{
      line: string;
    }>`select t::text as line from ${sql.table(`${schema}.${name}`)} t`.execute(context.db);
    const copy = rows.map(({ line }) => line).join('\n');
    for (const secret of secrets) {
      const hidden = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
      if (hidden.some((form) => copy.includes(form))) found.push(`${name}: ${secret}`);
    }
  }
  expect(found).toEqual([]);
});

test('a key or a session in an address lets nobody in', async () => {
  const session = people.owner.cookie;
  for (const query of [`key=${key}`, `apiKey=${key}`, `api_key=${key}`, `access_token=${key}`, session]) {
    for (const path of ['/api/account', '/api/v1/usage']) {
      expect((await call('GET', `${path}?${query}`)).statusCode).toBe(401);
    }
  }
});

test('every password stands in the database as argon2id of at least 19 MiB', async () => {
  const rows = await context.db
    .selectFrom('users')
    .select('password_hash')
    .where('password_hash', 'is not', null)
    .execute();
  for (const { password_hash: hash } of rows) {
    const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(hash ?? '') ?? [];
    expect([Number(memory) >= 19_456, Number(time) >= 2]).toEqual([true, true]);
  }
});
