import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type RouteRights, rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { call, context, users } = scenario;
const { db } = context;

/** Fields named after our columns and API fields, with values that the test can search for. */
const hostile = {
  id: 987_654_321,
  user_id: 987_654_321,
  createdAt: '2001-02-03T04:05:06Z',
  created_at: '2001-02-03T04:05:06Z',
  dateAdded: '2001-02-03',
  dateCreated: '2001-02-03',
  addedBy: 'mallory',
  added_by: 'mallory',
  username: 'mallory',
  email: 'mallory@evil.example',
  passwordHash: 'mallory',
  password_hash: 'mallory',
  firebaseUid: 'mallory',
  firebase_uid: 'mallory',
  subscriptionTier: 'mallory',
  subscription_tier: 'mallory',
  keyValue: 'mallory',
  hash: 'mallory',
  usageCount: 987_654_321,
  dailyLimit: 987_654_321,
  searchLimit: 987_654_321,
  search_limit: 987_654_321,
  reportCount: 987_654_321,
  decidedBy: 'mallory',
  decided_by: 987_654_321,
  fileName: 'mallory',
  isAdmin: true,
  is_admin: true,
  disabledAt: null,
  read: true,
  replied: true,
  active: false,
};

const withBody = Object.entries(rights)
  .map(([name, right]) => {
    const [method, path = '/'] = name.split(' ');
    return { name, method: method as Method, path, right };
  })
  .filter(({ method }) => method !== 'GET');

/** The rows of all tables that contain one of the values in `hostile`. */
async function findHostileRows(): Promise<string[]> {
  const tables = Object.keys(await scenario.tableHashes());
  const texts = tables.map(async (table) => {
    const { rows } = await sql<{ line: string }>`select to_jsonb(t)::text as line from ${sql.table(table)} t`.execute(
      db,
    );
    return rows.map(({ line }) => line).filter((line) => /mallory|987654321|2001-02-03/.test(line));
  });
  return (await Promise.all(texts)).flat();
}

const userFor = async (right: RouteRights) => {
  const admin = right.owner === 403;
  return right.needsNewUser ? await scenario.signUp({ admin }) : admin ? users.admin : users.owner;
};

test.each(withBody)('$name stores no field that it does not declare', async ({ method, path, right }) => {
  const user = await userFor(right);
  const { body, ...request } = (await right.buildRequest?.(scenario, user)) ?? {};
  if (!body) return;
  const { statusCode, body: responseBody } = await call(method, buildUrl(path, request), {
    as: user.cookie,
    body: { ...hostile, ...body },
    ...(request.headers && { headers: request.headers }),
  });
  expect([[right.owner, right.admin].flat(), responseBody]).toEqual([
    expect.arrayContaining([statusCode]),
    responseBody,
  ]);
  expect(await findHostileRows()).toEqual([]);
});

test('extra fields do not change the initial state of a new account, key or submission', async () => {
  const register = { username: 'newcomer', email: 'newcomer@mail.example', password: 'a long one of a newcomer' };
  const user = await call('POST', '/api/auth/register', {
    body: { ...hostile, subscriptionStatus: 'inactive', searchesUsed: -1000, ...register },
  });
  expect(user.json()).toMatchObject({ isAdmin: false, firebaseUid: null, searchesUsed: 0, searchLimit: null });
  const key = await call('POST', '/api/api-keys', { as: users.other.cookie, body: { ...hostile, name: 'Mine' } });
  expect(key.json()).toMatchObject({ active: true, usageCount: 0, dailyLimit: 1000, name: 'Mine' });
  const input = { ...hostile, ...scenario.create.siteInput(), status: 'approved', reason: 'mallory' };
  const site = await call('POST', '/api/site-submissions', { as: users.other.cookie, body: input });
  expect(site.json()).toMatchObject({ status: 'pending' });
  const admins = await db.selectFrom('users').select('id').where('is_admin', '=', true).execute();
  expect(admins.map(({ id }) => id)).not.toContain(user.json().id);
});

test.each(['__proto__', 'constructor', 'prototype'])(
  '%s in a body or query does not pollute prototypes',
  async (name) => {
    for (const payload of [
      `{"${name}": {"isAdmin": true, "prototype": {"isAdmin": true}}, "domain": "proto.example"}`,
      `{"domain": "proto-two.example", "description": {"${name}": {"isAdmin": true}}}`,
      `[{"${name}": {"isAdmin": true}}]`,
    ]) {
      const { statusCode } = await call('POST', '/api/profiles', {
        as: users.other.cookie,
        payload,
        headers: { 'content-type': 'application/json' },
      });
      expect([payload, [201, 400, 409].includes(statusCode) || statusCode]).toEqual([payload, true]);
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    }
    const forged = await call('GET', `/api/profiles?${name}=1&${name}[isAdmin]=true`, { as: users.other.cookie });
    expect(forged.statusCode).toBe(200);
    expect((await call('GET', '/api/users/count', { as: users.other.cookie })).statusCode).toBe(403);
  },
);
