import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test-app.fixtures.ts';
import { runAdminCommand } from '../commands.ts';
import { type Person, startLiar, startProvider } from './provider.fixtures.ts';

const origin = 'http://localhost:3000';
const first = await startProvider(origin, 'acme');
const second = await startProvider(origin, 'other-firm');
const liar = await startLiar();
afterAll(() => {
  first.stop();
  second.stop();
  liar.stop();
});
const settings = {
  // There is no server at this address, and the app of the tests sends no queued email.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Linksieve <noreply@mail.example>',
  ...first.getSettings(),
  OIDC_NAME: 'Acme',
  OIDC_ADMIN_GROUP: 'linksieve admins',
  ...second.getSettings('OIDC_2_'),
  OIDC_2_NAME: 'Other firm',
  OIDC_2_AUTO_REGISTER: '0',
  ...liar.getSettings('OIDC_3_'),
  OIDC_3_NAME: 'Liar',
};
const testApp = await startTestApp(settings);
const { call, context, signUp } = testApp;
const withoutPasswords = await startTestApp({ ...settings, LOCAL_SIGN_IN: '0' });
const providers = { acme: first, 'other-firm': second };
type ProviderId = keyof typeof providers;

const html = { accept: 'text/html,*/*' };

/** Reads the cookies that a response sets, as a Cookie header. */
const getCookies = (response: { cookies: { name: string; value: string }[] }) =>
  response.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
const hasSession = (response: { cookies: { name: string }[] }) =>
  response.cookies.some(({ name }) => name === '__Host-sid');

async function start(id: string, { app = testApp, query = '' }: { app?: TestApp; query?: string } = {}) {
  const response = await app.call('GET', `/api/auth/oidc/${id}/start${query}`, { headers: html });
  expect(response.statusCode).toBe(302);
  const address = new URL(String(response.headers.location));
  return { address, cookie: getCookies(response), state: address.searchParams.get('state') ?? '' };
}

/** Signs in at a provider and returns the response to the callback. */
async function signIn(id: ProviderId, person: Person, { app = testApp, headers = html, query = '' } = {}) {
  providers[id].signInAs(person);
  const { address, cookie } = await start(id, { app, query });
  const callback = await providers[id].visit(address.href);
  return app.call('GET', callback, { as: cookie, headers: { ...headers, 'sec-fetch-site': 'cross-site' } });
}

const whoAmI = async (response: Awaited<ReturnType<typeof signIn>>, app = testApp) =>
  (await app.call('GET', '/api/auth/current-user', { as: getCookies(response) })).json();

const countUsers = async () => (await context.db.selectFrom('users').select('id').execute()).length;

test('the start sends the browser to the provider with a state, a nonce and an S256 challenge', async () => {
  const { address, cookie } = await start('acme');
  expect(address.origin).toBe(first.issuer);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: 'linksieve',
    response_type: 'code',
    redirect_uri: `${origin}/api/auth/oidc/acme/callback`,
    scope: 'openid email profile groups',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(cookie).toMatch(/^__Host-oidc=[\w-]{43}$/);
  const other = await start('other-firm');
  expect([other.address.origin, other.address.searchParams.get('scope')]).toEqual([
    second.issuer,
    'openid email profile',
  ]);
  expect((await call('GET', '/api/auth/oidc/unknown/start')).statusCode).toBe(404);
});

test('the first sign-in creates an account, later ones find it, and a sign-out ends the session', async () => {
  const ada = { sub: 'ada', email: 'ada.l@mail.example', email_verified: true, name: 'Ada', preferred_username: 'ada' };
  const response = await signIn('acme', ada);
  expect([response.statusCode, response.headers.location]).toEqual([302, '/auth']);
  const user = await whoAmI(response);
  expect(user).toMatchObject({ email: ada.email, username: 'ada', displayName: 'Ada', isAdmin: false });
  const again = await signIn('acme', { ...ada, email: 'moved@mail.example' });
  expect(await whoAmI(again)).toMatchObject({ id: user.id, email: ada.email });
  const as = getCookies(again);
  expect((await call('POST', '/api/auth/logout', { as })).statusCode).toBe(204);
  expect((await call('GET', '/api/auth/current-user', { as })).statusCode).toBe(401);
  const data = (await call('GET', '/api/account/data', { as: getCookies(response) })).json();
  expect(data.identities).toEqual([{ issuer: first.issuer, subject: 'ada', linkedAt: expect.any(String) }]);
});

test('an address is confirmed if the provider has verified it, and a sign-in without one is refused', async () => {
  const signUpAs = async (sub: string, isVerified: boolean) =>
    whoAmI(await signIn('acme', { sub, email: `${sub}@mail.example`, email_verified: isVerified }));
  expect(await signUpAs('verified', true)).toMatchObject({ isEmailConfirmed: true });
  const unverified = await signUpAs('unverified', false);
  expect(unverified).toMatchObject({ isEmailConfirmed: false });
  const asked = await context.db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', unverified.id)
    .execute();
  expect(asked).toEqual([{ email: 'unverified@mail.example' }]);
  const response = await signIn('acme', { sub: 'without-address' });
  expect([response.headers.location, hasSession(response)]).toEqual(['/auth?problem=no-email', false]);
});

test('the groups of each sign-in decide who is an admin, one always remains, and the audit log has the change', async () => {
  const person = { sub: 'root', email: 'root@mail.example', email_verified: true };
  const admin = await signIn('acme', { ...person, groups: ['others', 'linksieve admins'] });
  expect(await whoAmI(admin)).toMatchObject({ isAdmin: true });
  // The last admin stays one.
  expect(await whoAmI(await signIn('acme', { ...person, groups: ['others'] }))).toMatchObject({ isAdmin: true });
  await signUp({ admin: true });
  expect(await whoAmI(await signIn('acme', { ...person, groups: ['others'] }))).toMatchObject({ isAdmin: false });
  expect((await call('GET', '/api/admin/status', { as: getCookies(admin) })).statusCode).toBe(403);
  const events = await context.db.selectFrom('audit_events').select(['event', 'username']).orderBy('id').execute();
  expect(events).toEqual([
    { event: 'Made an admin', username: 'root' },
    { event: 'Removed an admin', username: 'root' },
  ]);
});

test('a state works once, only in the browser and with the provider that it was made for, and for ten minutes', async () => {
  const person = { sub: 'once', email: 'once@mail.example', email_verified: true };
  first.signInAs(person);
  const { address, cookie } = await start('acme');
  const callback = await first.visit(address.href);
  const refuse = async (path: string, as?: string) => {
    const response = await call('GET', path, { ...(as && { as }) });
    expect([path, response.statusCode, response.json().problem]).toEqual([path, 400, 'expired']);
    expect(hasSession(response)).toBe(false);
  };
  const other = await start('acme');
  await refuse(callback);
  await refuse(callback, other.cookie);
  await refuse(callback.replace('/acme/', '/other-firm/'), cookie);
  await refuse(callback.replace(/state=[^&]+/, 'state=wrong'), cookie);
  await refuse(callback.replace(/state=[^&]+/, `state=${other.state}`), cookie);
  expect(hasSession(await call('GET', callback, { as: cookie }))).toBe(true);
  await refuse(callback, cookie);
  const late = await start('acme');
  await context.db.updateTable('oidc_requests').set({ expires_at: new Date() }).execute();
  await refuse(`/api/auth/oidc/acme/callback?code=any&state=${late.state}`, late.cookie);
});

const hourAgo = Math.floor(Date.now() / 1000) - 3600;
const lies: [string, Parameters<typeof liar.lie>[1]][] = [
  ['a wrong nonce', { claims: { nonce: 'another' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['a wrong issuer', { claims: { iss: first.issuer } }],
  ['a wrong audience', { claims: { aud: 'another client' } }],
  ['two audiences and another authorized party', { claims: { aud: ['linksieve', 'other'], azp: 'other' } }],
  ['an expired token', { claims: { iat: hourAgo, exp: hourAgo + 300 } }],
  ['no expiry', { claims: { exp: undefined } }],
  ['alg none', { isUnsigned: true }],
  ['the signature of another key', { hasOtherKey: true }],
];

async function answerOfLiar(tell: (nonce: string) => Promise<void> | void) {
  const { address, cookie, state } = await start('liar');
  await tell(address.searchParams.get('nonce') ?? '');
  return call('GET', `/api/auth/oidc/liar/callback?code=any&state=${state}`, { as: cookie });
}

test.each(lies)('an ID token with %s is refused', async (_what, lie) => {
  const before = await countUsers();
  const response = await answerOfLiar((nonce) => liar.lie(nonce, lie));
  expect([response.statusCode, response.json().problem, hasSession(response)]).toEqual([401, 'refused', false]);
  expect(await countUsers()).toBe(before);
});

test('a response without an ID token is refused, and the same provider is accepted when it tells the truth', async () => {
  expect((await answerOfLiar(() => liar.sendNoIdToken())).statusCode).toBe(401);
  expect(hasSession(await answerOfLiar((nonce) => liar.lie(nonce, {})))).toBe(true);
});

test('a refusal by the provider, and an issuer in the callback that is another one, are refused', async () => {
  const { cookie, state } = await start('acme');
  const denied = `/api/auth/oidc/acme/callback?error=access_denied&state=${state}&iss=${first.issuer}`;
  expect((await call('GET', denied, { as: cookie })).json().problem).toBe('refused');
  first.signInAs({ sub: 'mixed', email: 'mixed@mail.example', email_verified: true });
  const mixed = await start('acme');
  const callback = await first.visit(mixed.address.href);
  const changed = callback.replace(/iss=[^&]+/, `iss=${encodeURIComponent(second.issuer)}`);
  expect((await call('GET', changed, { as: mixed.cookie })).json().problem).toBe('refused');
});

test('an existing account is joined only after its owner has signed in to it, whether the address is verified or not', async () => {
  const owner = await signUp();
  const email = `${owner.username}@mail.example`;
  for (const isVerified of [true, false]) {
    const refused = await signIn('acme', { sub: `s-${owner.id}`, email, email_verified: isVerified });
    expect([refused.headers.location, hasSession(refused)]).toEqual(['/auth?problem=email-taken', false]);
  }
  const link = (as: string) => call('POST', '/api/account/identities/acme', { as });
  first.signInAs({ sub: `s-${owner.id}`, email, email_verified: false });
  const started = await link(owner.cookie);
  const callback = await first.visit(started.json().url);
  const browser = getCookies(started);
  // Neither a visitor nor another account can use the callback.
  const stranger = await signUp();
  for (const as of [browser, `${browser}; ${stranger.cookie}`]) {
    const retried = await link(owner.cookie);
    const other = await first.visit(retried.json().url);
    const cookie = as.replace(browser, getCookies(retried));
    expect((await call('GET', other, { as: cookie })).json().problem).toBe('expired');
  }
  const linked = await call('GET', callback, { as: `${browser}; ${owner.cookie}`, headers: html });
  expect([linked.statusCode, linked.headers.location]).toEqual([302, '/account?tab=profile']);
  const access = (await call('GET', '/api/account/access', { as: owner.cookie })).json();
  expect(access.identities).toMatchObject([{ provider: 'acme', name: 'Acme' }]);
  const signedIn = await signIn('acme', { sub: `s-${owner.id}`, email, email_verified: true });
  expect(await whoAmI(signedIn)).toMatchObject({ id: owner.id });
  const kinds = (await call('GET', '/api/account/events', { as: owner.cookie })).json().events;
  expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['signed-in-oidc', 'oidc-linked']);

  first.signInAs({ sub: `s-${owner.id}` });
  const again = await link(stranger.cookie);
  const elsewhere = await call('GET', await first.visit(again.json().url), {
    as: `${getCookies(again)}; ${stranger.cookie}`,
    headers: html,
  });
  expect(elsewhere.headers.location).toBe('/account?tab=profile&problem=linked-elsewhere');

  const unlink = (as: string) => call('DELETE', `/api/account/identities/${access.identities[0].id}`, { as });
  expect((await unlink(stranger.cookie)).statusCode).toBe(404);
  expect((await unlink(owner.cookie)).statusCode).toBe(204);
  expect((await signIn('acme', { sub: `s-${owner.id}`, email })).headers.location).toBe('/auth?problem=email-taken');
});

test('linking needs a recent proof of identity', async () => {
  const { cookie: as, id } = await signUp();
  await context.db.updateTable('sessions').set({ proven_at: null }).where('user_id', '=', id).execute();
  const response = await call('POST', '/api/account/identities/acme', { as });
  expect([response.statusCode, response.json().code]).toEqual([403, 'reauthentication_required']);
});

test('the only way to sign in cannot be unlinked, and is deleted with the account', async () => {
  const person = { sub: 'only', email: 'only@mail.example', email_verified: true };
  const as = getCookies(await signIn('acme', person));
  const [identity] = (await call('GET', '/api/account/access', { as })).json().identities;
  expect((await call('DELETE', `/api/account/identities/${identity.id}`, { as })).statusCode).toBe(409);
  expect((await call('DELETE', '/api/account/access', { as })).statusCode).toBe(204);
  expect(hasSession(await signIn('acme', person))).toBe(true);
  await call('DELETE', '/api/account', { as, body: { username: 'only' } });
  expect(await context.db.selectFrom('users').select('id').where('username', '=', 'only').execute()).toEqual([]);
  expect(await context.db.selectFrom('oidc_identities').select('id').where('subject', '=', 'only').execute()).toEqual(
    [],
  );
});

test('without automatic accounts, only linked identities sign in', async () => {
  const before = await countUsers();
  const person = { sub: 'not-invited', email: 'not.invited@mail.example', email_verified: true };
  const refused = await signIn('other-firm', person);
  expect([refused.headers.location, hasSession(refused)]).toEqual(['/auth?problem=no-account', false]);
  expect(await countUsers()).toBe(before);
  const { id } = await signUp();
  const row = { user_id: id, issuer: second.issuer, subject: 'not-invited' };
  await context.db.insertInto('oidc_identities').values(row).execute();
  expect(await whoAmI(await signIn('other-firm', person))).toMatchObject({ id });
});

test('the same subject at two providers is two people', async () => {
  const { id } = await signUp();
  const row = { user_id: id, issuer: second.issuer, subject: 'twin' };
  await context.db.insertInto('oidc_identities').values(row).execute();
  const response = await signIn('acme', { sub: 'twin', email: 'twin@mail.example', email_verified: true });
  expect((await whoAmI(response)).id).not.toBe(id);
});

test('nothing in the address of the start decides where a sign-in leads', async () => {
  const person = { sub: 'redirected', email: 'redirected@mail.example', email_verified: true };
  for (const name of ['next', 'redirect', 'return_to', 'redirect_uri', 'state']) {
    const response = await signIn('acme', person, { query: `?${name}=https%3A%2F%2Fevil.example` });
    expect([name, response.headers.location]).toEqual([name, '/auth']);
  }
});

test('a disabled account cannot sign in, and a second factor is asked for', async () => {
  const person = { sub: 'guarded', email: 'guarded@mail.example', email_verified: true };
  const { id } = await whoAmI(await signIn('acme', person));
  const set = (values: { disabled_at?: Date | null; second_factor_at?: Date }) =>
    context.db.updateTable('users').set(values).where('id', '=', id).execute();
  await set({ disabled_at: new Date() });
  const disabled = await signIn('acme', person);
  expect([disabled.headers.location, hasSession(disabled)]).toEqual(['/auth?problem=disabled', false]);
  await set({ disabled_at: null, second_factor_at: new Date() });
  const challenged = await signIn('acme', person);
  expect(challenged.headers.location).toMatch(/^\/auth\?tab=code#\d+\.\d+\.[\w-]{43}$/);
  expect(hasSession(challenged)).toBe(false);
});

test('a provider that cannot be reached is said to be unavailable', async () => {
  const gone = await startTestApp({
    OIDC_ISSUER: 'http://localhost:9',
    OIDC_CLIENT_ID: 'linksieve',
    OIDC_CLIENT_SECRET: 'any',
  });
  const path = '/api/auth/oidc/single-sign-on/start';
  expect((await gone.call('GET', path)).statusCode).toBe(503);
  expect((await gone.call('GET', path, { headers: html })).headers.location).toBe('/auth?problem=unavailable');
});

let owner: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  owner = await withoutPasswords.signUp({ admin: true });
});

test('without local sign-in, passwords are refused, and the provider signs in', async () => {
  const { username, password } = owner;
  const send = async (path: string, body: object) => (await withoutPasswords.call('POST', path, { body })).statusCode;
  expect(await send('/api/auth/login', { username, password })).toBe(403);
  expect(await send('/api/auth/register', { username: 'new', email: 'new@mail.example', password })).toBe(403);
  expect(await send('/api/auth/reset-request', { email: `${username}@mail.example` })).toBe(403);
  const person = { sub: 'firm', email: 'firm@mail.example', email_verified: true };
  expect(hasSession(await signIn('acme', person, { app: withoutPasswords }))).toBe(true);
});

test('without local sign-in, the operator gets back in with a link from the command line', async () => {
  const lines: string[] = [];
  await runAdminCommand(withoutPasswords.context, ['reset', owner.username], (line) => lines.push(line));
  const [, token = ''] = /#([\w-]+)$/.exec(lines.join()) ?? [];
  const body = { token, password: 'a long enough secret' };
  const response = await withoutPasswords.call('POST', '/api/auth/reset', { body });
  expect([response.statusCode, hasSession(response)]).toEqual([200, true]);
  expect(await whoAmI(response, withoutPasswords)).toMatchObject({ id: owner.id, isAdmin: true });
});
