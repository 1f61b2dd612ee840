import { expect, test } from 'vitest';
import { resetLinkJob } from '../../accounts/accounts/jobs.ts';
import {
  buildFactorCalls,
  generateCode,
  getCookies,
} from '../../accounts/accounts/second-factor/second-factor.fixtures.ts';
import { createResetLink } from '../../accounts/accounts/set-password.ts';
import { proofMaxAgeMs } from '../../accounts/sessions/sessions.ts';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startMailServer } from '../../platform/mail/mail-server.fixtures.ts';
import { buildAnalysisCalls } from '../../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const mailServer = await startMailServer();
const testApp = await startTestApp(
  {
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: 'https://linksieve.example',
  },
  { work: [...analysisJobs, mailJob, resetLinkJob] },
);
const { call, context } = testApp;
const { db } = context;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);
const { turnOn, logIn } = buildFactorCalls(testApp);
await createDomains({ name: 'listed.test', risk: 4 });

const password = 'another long secret';
const reset = (token: string) => call('POST', '/api/auth/reset', { body: { token, password } });
const getAccess = async (as: string) => (await call('GET', '/api/account/access', { as })).json();
const readUser = async (as: string) => await call('GET', '/api/auth/current-user', { as });

/** An account with everything that outlives a session, and functions that use it. */
async function createAccessible({ isConfirmed }: { isConfirmed: boolean }) {
  const owner = await createOwner();
  const as = owner.cookie;
  const { reportId } = await analyze(as, owner.site.id, 'url\nhttps://listed.test/1\n');
  const key = (await call('POST', '/api/api-keys', { as, body: { name: 'CI' } })).json().keyValue;
  const hook = { url: 'https://hook.test/in', events: ['alert.created'] };
  expect((await call('POST', '/api/webhooks', { as, body: hook })).statusCode).toBe(201);
  const feed = new URL((await call('GET', '/api/account/alert-feed', { as })).json().url).pathname;
  const shared = (await call('POST', `/api/reports/${reportId}/share`, { as })).json().url.split('/').at(-1);
  await db
    .updateTable('users')
    .set({ email_confirmed: isConfirmed, firebase_uid: `google-${owner.id}` })
    .where('id', '=', owner.id)
    .execute();
  const identity = { user_id: owner.id, issuer: 'https://login.example', subject: `subject-${owner.id}` };
  await db.insertInto('oidc_identities').values(identity).execute();
  const statuses = async () => [
    (await call('GET', '/api/v1/usage', { headers: { 'x-api-key': key } })).statusCode,
    (await call('GET', feed)).statusCode,
    (await call('GET', `/api/shared/${shared}`)).statusCode,
    (await db.selectFrom('webhooks').select('id').where('user_id', '=', owner.id).execute()).length,
    (await db.selectFrom('users').select('firebase_uid').where('id', '=', owner.id).executeTakeFirstOrThrow())
      .firebase_uid === null
      ? 'unlinked'
      : 'linked',
    (await db.selectFrom('oidc_identities').select('id').where('user_id', '=', owner.id).execute()).length,
  ];
  expect(await statuses()).toEqual([200, 200, 200, 1, 'linked', 1]);
  return { ...owner, email: `${owner.username}@mail.example`, reportId, statuses };
}

const ended = [401, 404, 404, 0, 'unlinked', 0];
const decode = (body: string) => body.replaceAll('=\r\n', '').replaceAll('=3D', '=');

async function requestToken(email: string): Promise<string> {
  expect((await call('POST', '/api/auth/reset-request', { body: { email } })).statusCode).toBe(204);
  const { body } = await mailServer.waitForEmail(email);
  return /tab=reset#([\w-]{43})/.exec(decode(body))?.[1] ?? '';
}

test('a password reset by the owner of an unconfirmed address ends the access of the person who registered it', async () => {
  const attacker = await createAccessible({ isConfirmed: false });
  const { secret } = await turnOn(attacker);
  const change = { email: `${attacker.username}@evil.example`, currentPassword: attacker.password };
  expect((await call('POST', '/api/account/email', { as: attacker.cookie, body: change })).statusCode).toBe(200);
  const response = await reset(await requestToken(attacker.email));
  // The attacker's second factor does not keep the owner out.
  expect([response.statusCode, response.json().isEmailConfirmed]).toEqual([200, true]);
  const victim = getCookies(response);
  expect(await attacker.statuses()).toEqual(ended);
  expect((await readUser(attacker.cookie)).statusCode).toBe(401);
  expect((await logIn({ ...attacker })).statusCode).toBe(401);
  const account = (await call('GET', '/api/account', { as: victim })).json();
  expect([account.secondFactor, account.pendingEmail]).toEqual([null, null]);
  const events = (await call('GET', '/api/account/events', { as: victim })).json().events;
  expect(events.map(({ kind }: { kind: string }) => kind)).toContain('access-ended');
  expect(generateCode(secret)).toMatch(/^\d{6}$/);
});

test('a link from an admin ends it too, but confirms no address', async () => {
  const attacker = await createAccessible({ isConfirmed: false });
  const { path } = await createResetLink(db, attacker.id, new Date());
  const response = await reset(path.split('#')[1] ?? '');
  expect([response.statusCode, response.json().isEmailConfirmed]).toEqual([200, false]);
  expect(await attacker.statuses()).toEqual(ended);
});

test('after a reset on a confirmed address, the user sees what still has access, and one call ends all of it', async () => {
  const owner = await createAccessible({ isConfirmed: true });
  const signedIn = getCookies(await reset(await requestToken(owner.email)));
  expect(await owner.statuses()).toEqual([200, 200, 200, 1, 'linked', 1]);
  expect(await getAccess(signedIn)).toEqual({
    apiKeys: [{ id: expect.any(Number), name: 'CI', createdAt: expect.any(String) }],
    webhooks: [{ id: expect.any(Number), url: 'https://hook.test/in', createdAt: expect.any(String) }],
    shares: [{ reportId: owner.reportId, website: owner.site.domain, expiresAt: expect.any(String) }],
    hasGoogle: true,
    identities: [{ id: expect.any(Number), provider: null, name: 'login.example', linkedAt: expect.any(String) }],
    otherSessions: 0,
  });
  const elsewhere = getCookies(await logIn({ username: owner.username, password }));
  expect((await getAccess(signedIn)).otherSessions).toBe(1);
  expect((await call('DELETE', '/api/account/access', { as: signedIn })).statusCode).toBe(204);
  expect(await owner.statuses()).toEqual(ended);
  expect([(await readUser(signedIn)).statusCode, (await readUser(elsewhere)).statusCode]).toEqual([200, 401]);
  expect(await getAccess(signedIn)).toEqual({
    apiKeys: [],
    webhooks: [],
    shares: [],
    hasGoogle: false,
    identities: [],
    otherSessions: 0,
  });
});

test('a Google account and other identities stay linked if there is no password to sign in with', async () => {
  const owner = await createAccessible({ isConfirmed: true });
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', owner.id).execute();
  expect((await call('DELETE', '/api/account/access', { as: owner.cookie })).statusCode).toBe(204);
  expect(await owner.statuses()).toEqual([401, 404, 404, 0, 'linked', 1]);
});

test('access is listed without a proof of identity, and ended only with one', async () => {
  const owner = await createAccessible({ isConfirmed: true });
  await db
    .updateTable('sessions')
    .set({ proven_at: new Date(Date.now() - proofMaxAgeMs) })
    .where('user_id', '=', owner.id)
    .execute();
  expect((await getAccess(owner.cookie)).apiKeys).toHaveLength(1);
  expect((await call('DELETE', '/api/account/access', { as: owner.cookie })).json().code).toBe(
    'reauthentication_required',
  );
  expect(await owner.statuses()).toEqual([200, 200, 200, 1, 'linked', 1]);
});
