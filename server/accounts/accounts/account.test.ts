import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { buildDisavowCalls } from '../../reports/disavow-files/upload.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createResetLink } from './set-password.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { db } = context;
const { createOwner, analyze, createWebsite, createDomains, upload } = buildDisavowCalls(testApp);
const newPassword = 'another long secret';

type TestUser = Awaited<ReturnType<typeof signUp>>;
const logIn = (username: string, password: string) => call('POST', '/api/auth/login', { body: { username, password } });
const getCookie = async ({ username, password }: TestUser) =>
  String((await logIn(username, password)).headers['set-cookie']).split(';')[0] ?? '';
const isSignedIn = async (cookie: string) =>
  (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode === 200;
const change = (as: string, currentPassword: string, password = newPassword) =>
  call('POST', '/api/account/password', { as, body: { currentPassword, newPassword: password } });
const remove = (as: string, body: object) => call('DELETE', '/api/account', { as, body });
const signUpWithoutPassword = async () => {
  const user = await signUp();
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute();
  return user;
};

test('account calls return 401 without a session', async () => {
  for (const path of ['/api/account', '/api/account/data']) expect((await call('GET', path)).statusCode).toBe(401);
  const body = { currentPassword: 'a', newPassword };
  expect((await call('POST', '/api/account/password', { body })).statusCode).toBe(401);
  expect((await call('DELETE', '/api/account', { body: {} })).statusCode).toBe(401);
});

test('returns when the account was created and whether it has a password', async () => {
  const [user, passwordless] = [await signUp(), await signUpWithoutPassword()];
  const account = await call('GET', '/api/account', { as: user.cookie });
  expect(account.json()).toEqual({
    memberSince: expect.stringMatching(/^20\d\d-/),
    hasPassword: true,
    pendingEmail: null,
    storage: {
      usedBytes: 0,
      limitBytes: 5 * 1024 ** 3,
      kinds: [{ kind: 'sessions', count: 1, bytes: 0, limit: 100 }],
    },
    secondFactor: null,
  });
  expect((await call('GET', '/api/account', { as: passwordless.cookie })).json().hasPassword).toBe(false);
});

test('a new display name is trimmed and shown, and one without characters or with more than 100 is refused', async () => {
  const { cookie: as } = await signUp();
  const rename = (displayName: string) => call('PATCH', '/api/account', { as, body: { displayName } });
  const response = await rename('  Grace Hopper ');
  expect([response.statusCode, response.json().displayName]).toEqual([200, 'Grace Hopper']);
  for (const invalid of ['', '  ', 'x'.repeat(101)]) {
    const refused = await rename(invalid);
    expect([refused.statusCode, refused.json().fields.displayName]).toEqual([400, expect.stringMatching(/^Please/)]);
  }
  expect((await call('GET', '/api/auth/current-user', { as })).json().displayName).toBe('Grace Hopper');
});

test('changing the password invalidates the old one and ends all other sessions', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const elsewhere = await getCookie(user);
  expect((await change(user.cookie, user.password)).statusCode).toBe(204);
  expect(await isSignedIn(user.cookie)).toBe(true);
  expect(await isSignedIn(elsewhere)).toBe(false);
  expect(await isSignedIn(other.cookie)).toBe(true);
  expect((await logIn(user.username, user.password)).statusCode).toBe(401);
  expect((await logIn(user.username, newPassword)).statusCode).toBe(200);
});

test('a new password must follow the rules of registration and differ from the current one', async () => {
  const { cookie, username, password } = await signUp();
  for (const weak of ['short', 'x'.repeat(129), username, `${username}@MAIL.example`, password]) {
    const response = await change(cookie, password, weak);
    expect([weak.slice(0, 20), response.statusCode]).toEqual([weak.slice(0, 20), 400]);
    expect(response.json().fields.newPassword).toMatch(/^Please choose a password/);
  }
  expect((await logIn(username, password)).statusCode).toBe(200);
});

test('a wrong current password returns 400, and guesses of a session are throttled without locking others out', async () => {
  const user = await signUp();
  const { cookie, username, password } = user;
  for (let i = 0; i < 10; i++) {
    const response = await change(cookie, 'wrong');
    expect([response.statusCode, response.json().fields.currentPassword]).toEqual([
      400,
      'This is not your current password.',
    ]);
  }
  expect((await change(cookie, password)).statusCode).toBe(429);
  expect((await remove(cookie, { password })).statusCode).toBe(429);
  expect((await logIn(username, password)).statusCode).toBe(200);
  expect((await change(await getCookie(user), password)).statusCode).toBe(204);
});

test('a signed-in user can change the password while strangers are locked out', async () => {
  const { cookie, username, password } = await signUp();
  for (let i = 0; i < 10; i++) await logIn(username, 'wrong');
  expect((await logIn(username, password)).statusCode).toBe(429);
  expect((await change(cookie, password)).statusCode).toBe(204);
});

test('an account without a password cannot change it', async () => {
  const { cookie } = await signUpWithoutPassword();
  const response = await change(cookie, 'anything');
  expect([response.statusCode, response.json().error]).toEqual([
    409,
    'Your account has no password because you sign in with Google or another provider.',
  ]);
});

test('deleting an account deletes all its data and nothing of other users', async () => {
  await createDomains({ name: 'sold-there.test' });
  const [user, other] = [await createOwner(), await createOwner()];
  for (const { cookie, site } of [user, other]) {
    await analyze(cookie, site.id, 'url\nhttps://sold-there.test/\n');
    await call('POST', '/api/api-keys', { as: cookie, body: {} });
  }
  const { domains } = (await call('GET', '/api/domains', { as: user.cookie })).json();
  const message = { message: 'This domain no longer sells links.' };
  await call('POST', `/api/domains/${domains[0].id}/reports`, { as: user.cookie, body: message });
  const response = await remove(user.cookie, { password: user.password });
  expect(response.statusCode).toBe(204);
  expect(String(response.headers['set-cookie'])).toMatch(
    /__Host-sid=;.*Max-Age=0|__Host-sid=;.*Expires=Thu, 01 Jan 1970/,
  );
  expect(await isSignedIn(user.cookie)).toBe(false);
  expect((await logIn(user.username, user.password)).statusCode).toBe(401);
  for (const table of ['sessions', 'api_keys', 'analyses', 'websites', 'messages'] as const) {
    const left = await db.selectFrom(table).select('user_id').execute();
    expect([table, left.filter((row) => row.user_id === user.id || row.user_id === null)]).toEqual([table, []]);
    if (table !== 'messages') expect(left.some((row) => row.user_id === other.id)).toBe(true);
  }
  const reports = await db.selectFrom('reports').select('website_id').execute();
  expect(reports).toEqual([{ website_id: other.site.id }]);
});

test('with keepReports, the website and its reports stay without an owner', async () => {
  await createDomains({ name: 'kept-there.test' });
  const user = await createOwner();
  const { reportId } = await analyze(user.cookie, user.site.id, 'url\nhttps://kept-there.test/\n');
  expect((await remove(user.cookie, { password: user.password, keepReports: true })).statusCode).toBe(204);
  const website = await db.selectFrom('websites').selectAll().where('id', '=', user.site.id).executeTakeFirst();
  expect(website).toMatchObject({ user_id: null, domain: user.site.domain });
  expect(await db.selectFrom('reports').select('id').where('id', '=', Number(reportId)).execute()).toHaveLength(1);
  const { cookie } = await signUp();
  expect((await call('GET', `/api/reports/${reportId}`, { as: cookie })).statusCode).toBe(404);
  // By default, a website belongs to an account, so another one can have it too.
  const again = await call('POST', '/api/profiles', { as: cookie, body: { domain: user.site.domain } });
  expect(again.statusCode).toBe(201);
});

test('with keepReports, notes, tags, answers and disavow files are deleted, and decisions stay', async () => {
  const [user, other] = [await createOwner(), await createOwner()];
  for (const { site } of [user, other]) {
    const decision = { website_id: site.id, note: 'Ask Grace' };
    await db
      .insertInto('decisions')
      .values([
        { ...decision, domain: 'kept.test', decision: 'keep' },
        { ...decision, domain: 'noted.test', decision: null },
      ])
      .execute();
    const file = { file_name: 'grace.txt', bytes: 1, content: '#', counts: '{}' };
    await db
      .insertInto('disavow_files')
      .values({ website_id: site.id, ...file })
      .execute();
    const answers = { disavow_answers: '{}', disavow_answered_at: new Date() };
    await db
      .updateTable('websites')
      .set({ tags: ['Grace'], ...answers })
      .where('id', '=', site.id)
      .execute();
  }
  expect((await remove(user.cookie, { password: user.password, keepReports: true })).statusCode).toBe(204);
  const read = async ({ site }: typeof user) => {
    const website = await db.selectFrom('websites').selectAll().where('id', '=', site.id).executeTakeFirstOrThrow();
    const decisions = await db.selectFrom('decisions').selectAll().where('website_id', '=', site.id).execute();
    const files = await db.selectFrom('disavow_files').select('id').where('website_id', '=', site.id).execute();
    return {
      tags: website.tags,
      answered: website.disavow_answers !== null || website.disavow_answered_at !== null,
      decisions: decisions.map(({ domain, decision, note }) => [domain, decision, note]).sort(),
      files: files.length,
    };
  };
  expect(await read(user)).toEqual({ tags: [], answered: false, decisions: [['kept.test', 'keep', '']], files: 0 });
  expect(await read(other)).toMatchObject({
    tags: ['Grace'],
    answered: true,
    decisions: [
      ['kept.test', 'keep', 'Ask Grace'],
      ['noted.test', null, 'Ask Grace'],
    ],
    files: 1,
  });
});

test('deletes nothing without the right password', async () => {
  const { cookie, username, id } = await signUp();
  for (const body of [{}, { password: 'wrong' }, { username }, { password: '', userId: id }]) {
    const response = await remove(cookie, body);
    expect([response.statusCode, Boolean(response.json().fields.password)]).toEqual([400, true]);
  }
  expect(await isSignedIn(cookie)).toBe(true);
});

test('an account without a password is deleted after typing its username', async () => {
  const { cookie, username } = await signUpWithoutPassword();
  const refused = await remove(cookie, { username: 'another-user' });
  expect([refused.statusCode, refused.json().fields.username]).toEqual([
    400,
    `Please type your username, ${username}, to confirm.`,
  ]);
  expect((await remove(cookie, { username: ` ${username.toUpperCase()} ` })).statusCode).toBe(204);
  expect(await isSignedIn(cookie)).toBe(false);
});

test('the last two admins cannot delete their accounts at the same time', async () => {
  const [first, second] = [await signUp({ admin: true }), await signUp({ admin: true })];
  const disabled = await signUp({ admin: true });
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  await db
    .updateTable('users')
    .set({ is_admin: false })
    .where('id', 'not in', [first.id, second.id, disabled.id])
    .execute();
  const responses = await Promise.all([first, second].map(({ cookie, password }) => remove(cookie, { password })));
  expect(responses.map((response) => response.statusCode).sort()).toEqual([204, 409]);
  const refused = responses.find((response) => response.statusCode === 409);
  expect(refused?.json().error).toBe(
    'You are the only admin. Make another user an admin before you delete your account.',
  );
});

test('the data export contains the data of the user, no secrets and no data of others', async () => {
  await createDomains({ name: 'mine-there.test' });
  const [user, other] = [await createOwner(), await createOwner()];
  const second = await createWebsite(user.cookie);
  const { reportId } = await analyze(user.cookie, user.site.id, 'url\nhttps://mine-there.test/\n');
  const { id, fileName, uploadedAt, bytes } = await upload(user.cookie, second.id, 'domain:mine-there.test\n');
  const created = await call('POST', '/api/api-keys', { as: user.cookie, body: { name: 'Nightly' } });
  const { keyValue, ...key } = created.json();
  const { domains } = (await call('GET', '/api/domains', { as: user.cookie })).json();
  for (const { cookie } of [user, other]) {
    const body = { message: `A message from the account ${cookie === user.cookie ? user.id : other.id}.` };
    await call('POST', `/api/domains/${domains[0].id}/reports`, { as: cookie, body });
  }
  const submission = {
    domain: 'sells-links.example',
    evidence: 'Their price list contains this domain in the third row.',
    source: 'Price list',
    cost: '$80',
    niche: 'Travel',
    domainRating: 12,
  };
  expect((await call('POST', '/api/site-submissions', { as: user.cookie, body: submission })).statusCode).toBe(201);

  await call('GET', '/api/domains?search=shop', { as: user.cookie });

  const response = await call('GET', '/api/account/data', { as: user.cookie });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-disposition']).toMatch(
    /^attachment; filename="linksieve-account-\d{4}-\d\d-\d\d\.json"$/,
  );
  expect(response.json()).toMatchObject({
    account: {
      id: user.id,
      username: user.username,
      hasPassword: true,
      searchCount: 1,
      searchesUsed: 1,
      searchLimit: null,
      lastSearch: 'shop',
      lastSearchAt: expect.any(String),
    },
    sessions: [{ createdAt: expect.any(String), lastSeenAt: expect.any(String) }],
    apiKeys: [key],
    messages: [{ message: `A message from the account ${user.id}.` }],
    submissions: [submission],
    websites: [
      { id: second.id, reports: [], disavowFiles: [{ id, fileName, uploadedAt, bytes }] },
      { domain: user.site.domain, reports: [{ id: reportId, toxicDomains: 1 }], disavowFiles: [] },
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

/**
 * Starts deleting an account, blocks the deletion at its website, and makes another call. Unblocks the deletion when
 * the other call has returned or waits for a lock. Returns the status codes of the deletion and the other call.
 */
async function whileDeleting(user: TestUser & { site: { id: number } }, send: () => ReturnType<typeof call>) {
  const blocker = await context.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from websites where id = $1 for update', [user.site.id]);
  const countWaiting = async () => (await listLockWaiters(context.pool)).length;
  const deletion = remove(user.cookie, { password: user.password });
  await expect.poll(countWaiting).toBe(1);
  let isDone = false;
  const response = send().finally(() => {
    isDone = true;
  });
  await expect.poll(async () => isDone || (await countWaiting()) === 2).toBe(true);
  await blocker.query('commit');
  blocker.release();
  return [(await deletion).statusCode, (await response).statusCode];
}

test('deleting an account does not block calls of its other sessions', async () => {
  const user = await createOwner();
  const elsewhere = await getCookie(user);
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - 120_000) })
    .where('user_id', '=', user.id)
    .execute();
  const getCurrentUser = () => call('GET', '/api/auth/current-user', { as: elsewhere });
  expect(await whileDeleting(user, getCurrentUser)).toEqual([204, 200]);
});

test('signing in while the account is being deleted returns 401', async () => {
  const user = await createOwner();
  const elsewhere = await getCookie(user);
  const { username, password } = user;
  const signIn = () => call('POST', '/api/auth/login', { as: elsewhere, body: { username, password } });
  expect(await whileDeleting(user, signIn)).toEqual([204, 401]);
});

test('creating a website while the account is being deleted returns 409', async () => {
  const user = await createOwner();
  const elsewhere = await getCookie(user);
  const createWebsite = () => call('POST', '/api/profiles', { as: elsewhere, body: { domain: 'too-late.example' } });
  expect(await whileDeleting(user, createWebsite)).toEqual([204, 409]);
});

test('using a reset link while the account is being deleted returns 400 and does not stop the deletion', async () => {
  const user = await createOwner();
  const { path } = await createResetLink(db, user.id, new Date());
  const token = path.slice(path.indexOf('#') + 1);
  const reset = () => call('POST', '/api/auth/reset', { body: { token, password: newPassword } });
  expect(await whileDeleting(user, reset)).toEqual([204, 400]);
});
