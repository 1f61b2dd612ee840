import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type UsageKind, usageKinds } from '#shared/platform/usage.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';

const testApp = await startTestApp({ WEBSITE_LIMIT: '3', SESSION_LIMIT: '4', STORAGE_LIMIT_MB: '10' });
const { call, context, signUp } = testApp;
const { db } = context;
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'listed.test', source: 'A list' } });

let sites = 0;
const createWebsite = (user: TestUser) => {
  sites += 1;
  return call('POST', '/api/profiles', { as: user.cookie, body: { domain: `usage${sites}.example` } });
};
const decide = (user: TestUser, id: number, body: object) =>
  call('PUT', `/api/profiles/${id}/decisions`, { as: user.cookie, body });

const view = { name: 'Mine', query: {} };
const submission = {
  domain: 'offer.example',
  evidence: 'Their price list contains it in the third row.',
  source: 'List',
  cost: '$80',
  niche: 'Travel',
  domainRating: 10,
};
const message = { name: 'A user', email: 'a@mail.example', subject: 'A question', message: 'How do I start with it?' };

/** Every call that adds something of a kind. */
const additions: [kind: UsageKind, add: (user: TestUser, websiteId: number) => ReturnType<typeof call>][] = [
  ['websites', createWebsite],
  ['decisions', (user, id) => decide(user, id, { domains: ['a.test'], decision: 'keep', note: 'A note' })],
  ['disavow-files', uploadDisavowFile],
  ['lists', ({ cookie }) => call('POST', '/api/domain-lists', { as: cookie, body: { text: 'a.test\nb.test' } })],
  ['views', ({ cookie }) => call('POST', '/api/views', { as: cookie, body: view })],
  ['messages', ({ cookie }) => call('POST', '/api/contact', { as: cookie, body: message })],
  ['submissions', ({ cookie }) => call('POST', '/api/site-submissions', { as: cookie, body: submission })],
  [
    'appeals',
    ({ cookie }) =>
      call('POST', '/api/domains/by-name/listed.test/appeals', {
        as: cookie,
        body: { message: 'It is not for sale.', proof: 'dns' },
      }),
  ],
];

function uploadDisavowFile({ cookie }: TestUser, id: number) {
  const payload =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="d.txt"\r\n\r\ndomain:a.test\r\n--b--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  return call('POST', `/api/profiles/${id}/disavow-files`, { as: cookie, payload: Buffer.from(payload), headers });
}

/** An account with a website and one of each kind. */
async function createFullAccount() {
  const user = await signUp();
  const websiteId: number = (await createWebsite(user)).json().id;
  for (const [kind, add] of additions)
    expect([kind, (await add(user, websiteId)).statusCode < 300]).toEqual([kind, true]);
  return { user, profileId: websiteId };
}

const setCounter = (userId: number, kind: UsageKind, change: RawBuilder<unknown>) =>
  sql`
    insert into account_usage as usage (user_id, kind, rows, bytes, hour, written)
    values (${userId}, ${kind}, 0, 0, date_trunc('hour', now()), 0)
    on conflict (user_id, website_id, kind) do update set rows = usage.rows
  `
    .execute(db)
    .then(() => sql`update account_usage set ${change} where user_id = ${userId} and kind = ${kind}`.execute(db));

const readCounters = async () =>
  (
    await sql`
      select user_id, website_id, kind, rows, bytes from account_usage where rows <> 0 or bytes <> 0
      order by kind, user_id, website_id
    `.execute(db)
  ).rows;

/** What the counters must be, with the arguments of the triggers. */
async function recount() {
  const { rows: triggers } = await sql<{ relation: string; args: string }>`
    select tgrelid::regclass::text as relation, encode(tgargs, 'escape') as args from pg_trigger
    where tgname = 'count_inserted_usage'
  `.execute(db);
  expect(triggers).toHaveLength(Object.keys(usageKinds).length - 2);
  const counts = triggers.map(({ relation, args }) => {
    const [kind = '', owner = '', size = ''] = args.split('\\000');
    const columns = owner === 'user_id' ? 'user_id, null::bigint as website_id' : 'null::bigint as user_id, website_id';
    return `select ${columns}, '${kind}' as kind, count(*) as rows, sum(${size})::bigint as bytes from ${relation}
      where ${owner} is not null group by ${owner}`;
  });
  const query = `select * from (${counts.join(' union all ')}) as counts order by kind, user_id, website_id`;
  return (await sql.raw(query).execute(db)).rows;
}

test('the counters of accounts are what a new count finds, whatever inserts, changes, moves and deletes rows', async () => {
  const [{ user, profileId: websiteId }, other] = [await createFullAccount(), await createFullAccount()];
  expect(await readCounters()).toEqual(await recount());
  await decide(user, websiteId, { domains: ['a.test', 'b.test'], decision: 'disavow', note: 'A longer note' });
  await decide(user, websiteId, { domains: ['b.test'], decision: null, note: '' });
  await call('PUT', `/api/profiles/${websiteId}`, { as: user.cookie, body: { tags: ['client'] } });
  await sql`
    insert into reports (website_id, file_name, formats, ignored_tables, total_backlinks, total_domains, unique_domains,
      toxic_domains, risk_counts, stored_bytes)
    values (${websiteId}, 'a.csv', '[]', '[]', 0, 0, 0, 0, '{}', 700)
  `.execute(db);
  await sql`update reports set stored_bytes = 900 where website_id = ${websiteId}`.execute(db);
  await sql`insert into watches (website_id, hosts) values (${websiteId}, 5)`.execute(db);
  await sql`update watches set hosts = 7`.execute(db);
  expect(await readCounters()).toEqual(await recount());
  await sql`update websites set user_id = ${other.user.id} where id = ${websiteId}`.execute(db);
  expect(await readCounters()).toEqual(await recount());
  await call('DELETE', `/api/profiles/${other.profileId}`, { as: other.user.cookie });
  expect(await readCounters()).toEqual(await recount());
  for (const { cookie, password } of [user, other.user])
    expect((await call('DELETE', '/api/account', { as: cookie, body: { password } })).statusCode).toBe(204);
  expect(await readCounters()).toEqual(await recount());
});

test('an account has at most its number of websites, however many requests create them at once', async () => {
  const user = await signUp();
  const responses = await Promise.all(Array.from({ length: 12 }, () => createWebsite(user)));
  const codes = responses.map(({ statusCode }) => statusCode);
  expect([codes.filter((code) => code === 201).length, codes.filter((code) => code === 409).length]).toEqual([3, 9]);
  expect(responses.find(({ statusCode }) => statusCode === 409)?.json().error).toBe(
    'You have 3 websites, which is the maximum. Delete one that you no longer need.',
  );
  const [site] = await db.selectFrom('websites').select('id').where('user_id', '=', user.id).execute();
  await call('DELETE', `/api/profiles/${site?.id}`, { as: user.cookie });
  expect((await createWebsite(user)).statusCode).toBe(201);
});

test('an account that uses all its storage can add nothing, until it deletes something', async () => {
  const user = await signUp();
  const websiteId: number = (await createWebsite(user)).json().id;
  await setCounter(user.id, 'lists', sql`bytes = ${10 * 1024 ** 2}`);
  for (const [kind, add] of additions) {
    const refused = await add(user, websiteId);
    expect([kind, refused.statusCode, refused.json().code]).toEqual([kind, 507, 'storage_limit']);
  }
  await setCounter(user.id, 'lists', sql`bytes = 0`);
  for (const [kind, add] of additions)
    expect([kind, (await add(user, websiteId)).statusCode < 300]).toEqual([kind, true]);
});

test('an account can have a limited number of messages, submissions and appeals', async () => {
  for (const [kind, add] of additions.filter(([kind]) => ['messages', 'submissions', 'appeals'].includes(kind))) {
    const user = await signUp();
    await setCounter(user.id, kind, sql`rows = 5000`);
    const refused = await add(user, 0);
    expect([refused.statusCode, refused.json().error]).toEqual([
      409,
      `You have 5,000 ${kind}, which is the maximum. Please tell the administrator.`,
    ]);
  }
});

test('an account that replaces too much in an hour waits for the next one', async () => {
  const user = await signUp();
  const { id } = (await createWebsite(user)).json();
  const body = { domains: Array.from({ length: 1000 }, (_, i) => `site${i}.test`), note: 'x'.repeat(500) };
  for (let i = 0; i < 2; i += 1) expect((await decide(user, id, body)).statusCode).toBe(200);
  const { written } = await db
    .selectFrom('account_usage')
    .select('written')
    .where('website_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(written).toBeGreaterThan(2 * 500_000);
  await sql`update account_usage set written = ${512 * 1024 ** 2} where website_id = ${id}`.execute(db);
  const refused = await decide(user, id, body);
  expect([refused.statusCode, Number(refused.headers['retry-after']) <= 3600]).toEqual([429, true]);
  await sql`update account_usage set hour = hour - interval '1 hour' where website_id = ${id}`.execute(db);
  expect((await decide(user, id, body)).statusCode).toBe(200);
});

test('an admin has no limits', async () => {
  await setCounter(admin.id, 'lists', sql`bytes = ${100 * 1024 ** 2}`);
  for (let i = 0; i < 4; i += 1) expect((await createWebsite(admin)).statusCode).toBe(201);
});

test('with too many sessions, signing in ends those that were not used for the longest time', async () => {
  const { username, password, id, cookie } = await signUp();
  await sql`update sessions set last_seen_at = now() - interval '1 hour' where user_id = ${id}`.execute(db);
  const logIns = Array.from({ length: 6 }, () => call('POST', '/api/auth/login', { body: { username, password } }));
  expect((await Promise.all(logIns)).map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toHaveLength(4);
  expect((await call('GET', '/api/account', { as: cookie })).statusCode).toBe(401);
});

test('the account shows what it uses, with its limits', async () => {
  const { user } = await createFullAccount();
  const { kinds } = (await call('GET', '/api/account', { as: user.cookie })).json().storage;
  expect(kinds).toEqual(
    expect.arrayContaining([
      { kind: 'websites', count: 2, bytes: 1000, limit: 3 },
      expect.objectContaining({ kind: 'decisions', count: 1, limit: null }),
      { kind: 'sessions', count: 1, bytes: 0, limit: 4 },
    ]),
  );
});
