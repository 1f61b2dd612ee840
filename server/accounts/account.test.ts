import { expect, test } from 'vitest';
import { analysisKit } from '../backlinks/analyses.fixtures.ts';
import { listLockWaiters } from '../db/lock-waiters.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { makeResetLink } from './set-password.ts';

const testApp = await startTestApp({}, { worker: true });
const { call, context, signUp } = testApp;
const { db } = context;
const { owner, analyse, addSite, list } = analysisKit(testApp);
const newPassword = 'another long secret';

type Person = Awaited<ReturnType<typeof signUp>>;
const logIn = (username: string, password: string) => call('POST', '/api/auth/login', { body: { username, password } });
const cookieOf = async ({ username, password }: Person) =>
  String((await logIn(username, password)).headers['set-cookie']).split(';')[0] ?? '';
const isSignedIn = async (cookie: string) =>
  (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode === 200;
const change = (as: string, currentPassword: string, password = newPassword) =>
  call('POST', '/api/account/password', { as, body: { currentPassword, newPassword: password } });
const remove = (as: string, body: object) => call('DELETE', '/api/account', { as, body });
const withoutPassword = async () => {
  const person = await signUp();
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', person.id).execute();
  return person;
};

test('visitors are sent to sign in', async () => {
  for (const path of ['/api/account', '/api/account/data']) expect((await call('GET', path)).statusCode).toBe(401);
  const body = { currentPassword: 'a', newPassword };
  expect((await call('POST', '/api/account/password', { body })).statusCode).toBe(401);
  expect((await call('DELETE', '/api/account', { body: {} })).statusCode).toBe(401);
});

test('an account says since when it is and whether it has a password', async () => {
  const [person, bare] = [await signUp(), await withoutPassword()];
  const account = await call('GET', '/api/account', { as: person.cookie });
  expect(account.json()).toEqual({ memberSince: expect.stringMatching(/^20\d\d-/), hasPassword: true });
  expect((await call('GET', '/api/account', { as: bare.cookie })).json().hasPassword).toBe(false);
});

test('another password signs in from then on, and ends every session but the one that asked', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const elsewhere = await cookieOf(person);
  expect((await change(person.cookie, person.password)).statusCode).toBe(204);
  expect(await isSignedIn(person.cookie)).toBe(true);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(other.cookie)).toBe(true);
  expect((await logIn(person.username, person.password)).statusCode).toBe(401);
  expect((await logIn(person.username, newPassword)).statusCode).toBe(200);
});

test('a new password keeps the rules of registration, and is another one', async () => {
  const { cookie, username, password } = await signUp();
  for (const weak of ['short', 'x'.repeat(129), username, `${username}@MAIL.example`, password]) {
    const response = await change(cookie, password, weak);
    expect([weak.slice(0, 20), response.statusCode]).toEqual([weak.slice(0, 20), 400]);
    expect(response.json().fields.newPassword).toMatch(/^Please choose a password/);
  }
  expect((await logIn(username, password)).statusCode).toBe(200);
});

test('a wrong current password is named, and guessing it is throttled as signing in is', async () => {
  const { cookie, username, password } = await signUp();
  for (let i = 0; i < 10; i++) {
    const response = await change(cookie, 'wrong');
    expect([response.statusCode, response.json().fields.currentPassword]).toEqual([
      400,
      'This is not your current password.',
    ]);
  }
  expect((await change(cookie, password)).statusCode).toBe(429);
  expect((await remove(cookie, { password })).statusCode).toBe(429);
  expect((await logIn(username, password)).statusCode).toBe(429);
});

test('an account without a password cannot change it', async () => {
  const { cookie } = await withoutPassword();
  const response = await change(cookie, 'anything');
  expect([response.statusCode, response.json().error]).toEqual([
    409,
    'Your account has no password: you sign in with Google.',
  ]);
});

test('a deleted account leaves nothing of the person, and nothing of others goes', async () => {
  await list({ name: 'sold-there.test' });
  const [person, other] = [await owner(), await owner()];
  for (const { cookie, site } of [person, other]) {
    await analyse(cookie, site.id, 'url\nhttps://sold-there.test/\n');
    await call('POST', '/api/api-keys', { as: cookie, body: {} });
  }
  const { domains } = (await call('GET', '/api/domains', { as: person.cookie })).json();
  const message = { message: 'This domain sells no links any more.' };
  await call('POST', `/api/domains/${domains[0].id}/reports`, { as: person.cookie, body: message });
  const response = await remove(person.cookie, { password: person.password });
  expect(response.statusCode).toBe(204);
  expect(String(response.headers['set-cookie'])).toMatch(
    /__Host-sid=;.*Max-Age=0|__Host-sid=;.*Expires=Thu, 01 Jan 1970/,
  );
  expect(await isSignedIn(person.cookie)).toBe(false);
  expect((await logIn(person.username, person.password)).statusCode).toBe(401);
  for (const table of ['sessions', 'api_keys', 'analyses', 'profiles', 'messages'] as const) {
    const left = await db.selectFrom(table).select('user_id').execute();
    expect([table, left.filter((row) => row.user_id === person.id || row.user_id === null)]).toEqual([table, []]);
    if (table !== 'messages') expect(left.some((row) => row.user_id === other.id)).toBe(true);
  }
  const reports = await db.selectFrom('reports').select('profile_id').execute();
  expect(reports).toEqual([{ profile_id: other.site.id }]);
});

test('reports that are kept belong to nobody, and their website stays taken', async () => {
  await list({ name: 'kept-there.test' });
  const person = await owner();
  const { reportId } = await analyse(person.cookie, person.site.id, 'url\nhttps://kept-there.test/\n');
  expect((await remove(person.cookie, { password: person.password, keepReports: true })).statusCode).toBe(204);
  const profile = await db.selectFrom('profiles').selectAll().where('id', '=', person.site.id).executeTakeFirst();
  expect(profile).toMatchObject({ user_id: null, domain: person.site.domain });
  expect(await db.selectFrom('reports').select('id').where('id', '=', Number(reportId)).execute()).toHaveLength(1);
  const { cookie } = await signUp();
  expect((await call('GET', `/api/reports/${reportId}`, { as: cookie })).statusCode).toBe(404);
  const again = await call('POST', '/api/profiles', { as: cookie, body: { domain: person.site.domain } });
  expect(again.statusCode).toBe(409);
});

test('without the right password nothing is deleted', async () => {
  const { cookie, username, id } = await signUp();
  for (const body of [{}, { password: 'wrong' }, { username }, { password: '', userId: id }]) {
    const response = await remove(cookie, body);
    expect([response.statusCode, Boolean(response.json().fields.password)]).toEqual([400, true]);
  }
  expect(await isSignedIn(cookie)).toBe(true);
});

test('an account without a password is deleted by typing its name', async () => {
  const { cookie, username } = await withoutPassword();
  const refused = await remove(cookie, { username: 'somebody' });
  expect([refused.statusCode, refused.json().fields.username]).toEqual([
    400,
    `Please type your username, ${username}, to confirm.`,
  ]);
  expect((await remove(cookie, { username: ` ${username.toUpperCase()} ` })).statusCode).toBe(204);
  expect(await isSignedIn(cookie)).toBe(false);
});

test('of the last admins one remains, also when both go at the same moment', async () => {
  const [first, second] = [await signUp({ admin: true }), await signUp({ admin: true })];
  const disabled = await signUp({ admin: true });
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  await db
    .updateTable('users')
    .set({ is_admin: false })
    .where('id', 'not in', [first.id, second.id, disabled.id])
    .execute();
  const answers = await Promise.all([first, second].map(({ cookie, password }) => remove(cookie, { password })));
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, 409]);
  const refused = answers.find((answer) => answer.statusCode === 409);
  expect(refused?.json().error).toBe(
    'You are the only admin. Please make somebody else an admin before you delete your account.',
  );
});

test('the file of my data holds what is mine, nothing secret, and nothing of others', async () => {
  await list({ name: 'mine-there.test' });
  const [person, other] = [await owner(), await owner()];
  const second = await addSite(person.cookie);
  const { reportId } = await analyse(person.cookie, person.site.id, 'url\nhttps://mine-there.test/\n');
  const made = await call('POST', '/api/api-keys', { as: person.cookie, body: { name: 'Nightly' } });
  const { keyValue, ...key } = made.json();
  const { domains } = (await call('GET', '/api/domains', { as: person.cookie })).json();
  for (const { cookie } of [person, other]) {
    const body = { message: `A message from the account ${cookie === person.cookie ? person.id : other.id}.` };
    await call('POST', `/api/domains/${domains[0].id}/reports`, { as: cookie, body });
  }
  const submission = {
    domain: 'sells-links.example',
    evidence: 'Their price list names this domain in the third row.',
    source: 'Price list',
    cost: '$80',
    niche: 'Travel',
    domainRating: 12,
  };
  expect((await call('POST', '/api/site-submissions', { as: person.cookie, body: submission })).statusCode).toBe(201);

  await call('GET', '/api/domains?search=shop', { as: person.cookie });

  const response = await call('GET', '/api/account/data', { as: person.cookie });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="linksieve-account-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(response.json()).toMatchObject({
    account: {
      id: person.id,
      username: person.username,
      hasPassword: true,
      searchCount: 1,
      searchesUsed: 1,
      searchLimit: null,
      lastSearch: 'shop',
      lastSearchAt: expect.any(String),
    },
    sessions: [{ createdAt: expect.any(String), lastSeenAt: expect.any(String) }],
    apiKeys: [key],
    messages: [{ message: `A message from the account ${person.id}.` }],
    submissions: [submission],
    websites: [
      { id: second.id, reports: [] },
      { domain: person.site.domain, reports: [{ id: reportId, toxicDomains: 1 }] },
    ],
  });
  for (const secret of [keyValue, 'argon2', 'idHash', other.site.domain, other.username]) {
    expect(response.body).not.toContain(secret);
  }
  const { json } = await call('GET', '/api/account/data', { as: other.cookie });
  expect(json()).toMatchObject({
    apiKeys: [],
    submissions: [],
    websites: [{ domain: other.site.domain, reports: [] }],
  });
});

/** Deletes an account, held up at its website until `meanwhile` has been answered or waits for the deletion. */
async function whileDeleting(person: Person & { site: { id: number } }, meanwhile: () => ReturnType<typeof call>) {
  const holder = await context.pool.connect();
  await holder.query('begin');
  await holder.query('select from profiles where id = $1 for update', [person.site.id]);
  const waiting = async () => (await listLockWaiters(context.pool)).length;
  const deletion = remove(person.cookie, { password: person.password });
  await expect.poll(waiting).toBe(1);
  let answered = false;
  const answer = meanwhile().finally(() => {
    answered = true;
  });
  await expect.poll(async () => answered || (await waiting()) === 2).toBe(true);
  await holder.query('commit');
  holder.release();
  return [(await deletion).statusCode, (await answer).statusCode];
}

test('an account that is being deleted does not hold up its other sessions, nor they it', async () => {
  const person = await owner();
  const elsewhere = await cookieOf(person);
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - 120_000) })
    .where('user_id', '=', person.id)
    .execute();
  const look = () => call('GET', '/api/auth/current-user', { as: elsewhere });
  expect(await whileDeleting(person, look)).toEqual([204, 200]);
});

test('signing in while the account is being deleted is refused', async () => {
  const person = await owner();
  const elsewhere = await cookieOf(person);
  const { username, password } = person;
  const signIn = () => call('POST', '/api/auth/login', { as: elsewhere, body: { username, password } });
  expect(await whileDeleting(person, signIn)).toEqual([204, 401]);
});

test('what is added to an account while it is being deleted is refused in a sentence', async () => {
  const person = await owner();
  const elsewhere = await cookieOf(person);
  const add = () => call('POST', '/api/profiles', { as: elsewhere, body: { domain: 'too-late.example' } });
  expect(await whileDeleting(person, add)).toEqual([204, 409]);
});

test('a link to another password that is used while the account is being deleted deletes no less', async () => {
  const person = await owner();
  const { path } = await makeResetLink(db, person.id, new Date());
  const token = path.slice(path.indexOf('#') + 1);
  const use = () => call('POST', '/api/auth/reset', { body: { token, password: newPassword } });
  expect(await whileDeleting(person, use)).toEqual([204, 400]);
});
