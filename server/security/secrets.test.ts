import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { createLog } from '../start.ts';
import { type RouteRights, rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method, type TestRequest } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { context, users, call, create } = scenario;

const lines: string[] = [];
const logStream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const app = buildApp({ ...context, log: createLog({ logLevel: 'trace' }, logStream) });
await app.ready();

/** Values that must not appear in a log or in a copy of the database. */
const secrets = new Set<string>();
for (const { cookie, password, key } of Object.values(users)) {
  secrets
    .add(cookie.slice(cookie.indexOf('=') + 1))
    .add(password)
    .add(key);
}
const key: string = (await create.apiKey()).keyValue;
secrets.add(key);
const shared = await create.sharedReport();
secrets.add(shared.token);

async function send(method: string, path: string, request: TestRequest, cookie: string | undefined) {
  const { body, payload, headers, ...urlParts } = request;
  const response = await app.inject({
    method: method as Method,
    url: buildUrl(path, urlParts),
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
  for (const [, value] of String(response.headers['set-cookie'] ?? '').matchAll(/(?:sid|device)=([\w.-]{20,})/g)) {
    secrets.add(value ?? '');
  }
  for (const [, value] of response.body.matchAll(/"(?:keyValue|secret)":"([^"]+)"/g)) secrets.add(value ?? '');
  for (const [, list] of response.body.matchAll(/"recoveryCodes":\[([^\]]+)\]/g)) {
    for (const code of JSON.parse(`[${list}]`) as string[]) secrets.add(code);
  }
  return response;
}

const getCookie = ({ owner }: RouteRights) => (owner === 403 ? users.admin.cookie : users.owner.cookie);

test('no log line of a successful or failed call contains a cookie, a password, a key or the token of a link', async () => {
  for (const [name, right] of Object.entries(rights)) {
    const [method = 'GET', path = '/'] = name.split(' ');
    const user = right.needsNewUser ? await scenario.signUp() : users.owner;
    secrets.add(user.password).add(user.cookie.slice(user.cookie.indexOf('=') + 1));
    const request = (await right.buildRequest?.(scenario, user)) ?? {};
    for (const [field, value] of Object.entries(request.body ?? {})) {
      if (/password|token|challenge|code/i.test(field) && String(value).length >= 12) secrets.add(String(value));
    }
    await send(method, path, request, undefined);
    const withExtraField = { ...request, ...(request.body && { body: { ...request.body, extra: key } }) };
    await send(method, path, withExtraField, right.needsNewUser ? user.cookie : getCookie(right));
  }
  for (const table of ['users', 'sessions', 'api_keys', 'webhooks', 'login_failures', 'websites']) {
    await context.pool.query(`alter table ${table} rename to ${table}_gone`);
    const { username, password } = users.owner;
    await send('POST', '/api/auth/login', { body: { username, password } }, users.owner.cookie);
    await send('GET', '/api/profiles', {}, users.owner.cookie);
    await send('POST', '/api/api-keys', { body: { name: 'A key' } }, users.owner.cookie);
    for (const suffix of ['', 'x']) {
      const request = { query: { domain: 'a.example', key }, headers: { 'x-api-key': users.owner.key + suffix } };
      await send('GET', '/api/v1/check', request, undefined);
    }
    for (const path of ['/shared/:token', '/api/shared/:token']) await send('GET', path, { params: shared }, undefined);
    await context.pool.query(`alter table ${table}_gone rename to ${table}`);
  }
  expect(lines.some((line) => line.includes('unexpected error'))).toBe(true);
  const log = lines.join('');
  const leaks = lines.filter((line) => [...secrets].some((secret) => line.includes(secret)));
  expect(leaks).toEqual([]);
  expect(log).not.toMatch(/\$argon2|password_hash"?:/);
});

test('a copy of the whole database contains no password, session, key or token of a link', async () => {
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

test('a key or a session in a query returns 401', async () => {
  const session = users.owner.cookie;
  for (const query of [`key=${key}`, `apiKey=${key}`, `api_key=${key}`, `access_token=${key}`, session]) {
    for (const path of ['/api/account', '/api/v1/usage']) {
      expect((await call('GET', `${path}?${query}`)).statusCode).toBe(401);
    }
  }
});

test('every password is stored as an argon2id hash with at least 19 MiB and two passes', async () => {
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
