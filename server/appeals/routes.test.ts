import { expect, test } from 'vitest';
import { startDnsServer } from '../net/dns-server.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const txt: Record<string, string[]> = {};
const { call, context, signUp } = await startTestApp({
  DNS_SERVERS: await startDnsServer({ txt }),
  SMTP_URL: 'smtp://mail.example',
  MAIL_FROM: 'Linksieve <noreply@example.com>',
});
const admin = await signUp({ admin: true });
const owner = await signUp();
const other = await signUp();

const list = async (domain: string) => {
  const { statusCode } = await call('POST', '/api/domains', { as: admin.cookie, body: { domain, source: 'crawler' } });
  expect(statusCode).toBe(201);
};
const appealsOf = (domain: string) => `/api/domains/by-name/${encodeURIComponent(domain)}/appeals`;
const input = { message: 'We stopped selling links.', statement: 'We changed owners in 2024.', proof: 'dns' };
const appeal = (domain: string, { as = owner.cookie, body = {} } = {}) =>
  call('POST', appealsOf(domain), { as, body: { ...input, ...body } });
const verify = (domain: string, id: number, as = owner.cookie) =>
  call('POST', `${appealsOf(domain)}/${id}/verify`, { as });
const decide = (id: number, body: object) => call('POST', `/api/admin/appeals/${id}`, { as: admin.cookie, body });
const verdict = async (domain: string) => (await call('GET', `/api/domains/by-name/${domain}`)).json();
const inbox = async () => (await call('GET', '/api/admin/messages', { as: admin.cookie })).json();

/** Lists a domain and creates a verified appeal for it. @returns its id */
async function createVerified(domain: string, body = {}): Promise<number> {
  await list(domain);
  const { id, token } = (await appeal(domain, { body })).json();
  txt[`_linksieve.${domain}`] = [token];
  expect((await verify(domain, id)).json()).toMatchObject({ state: 'verified', verified: true });
  return id;
}

test('an appeal has an id and a token, and one user has one open appeal per domain', async () => {
  await list('first.example');
  const created = await appeal('https://www.FIRST.example/page');
  expect([created.statusCode, created.json()]).toEqual([
    201,
    {
      id: expect.any(Number),
      domain: 'first.example',
      ...input,
      token: expect.stringMatching(/^linksieve-[0-9a-f]{32}$/),
      state: 'unverified',
      statementPublished: false,
      reason: null,
      dateCreated: expect.any(String),
      dateVerified: null,
      dateDecided: null,
    },
  ]);
  const again = await appeal('first.example');
  expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'conflict', id: created.json().id }]);
  const byOther = await appeal('first.example', { as: other.cookie });
  expect(byOther.statusCode).toBe(201);
  expect(byOther.json().token).not.toBe(created.json().token);
  const own = await call('GET', appealsOf('first.example'), { as: owner.cookie });
  expect(own.json()).toEqual([created.json()]);
});

test('only listed domains and their subdomains can be appealed, and only domains', async () => {
  await list('parent.example');
  expect((await appeal('shop.parent.example')).json()).toMatchObject({ domain: 'shop.parent.example' });
  expect([(await appeal('unlisted.example')).statusCode, (await appeal('hello')).statusCode]).toEqual([404, 400]);
  for (const body of [
    { message: ' ' },
    { proof: 'email' },
    { message: 'x'.repeat(5001) },
    { statement: 'x'.repeat(2001) },
  ]) {
    expect([body, (await appeal('parent.example', { body })).statusCode]).toEqual([body, 400]);
  }
});

test('the response to a check says what was looked for and what was found', async () => {
  await list('proof.example');
  const { id, token } = (await appeal('proof.example')).json();
  const missing = await verify('proof.example', id);
  expect([missing.statusCode, missing.json()]).toEqual([
    200,
    {
      state: 'unverified',
      verified: false,
      lookedAt: '_linksieve.proof.example',
      found: [],
      message:
        'There is no TXT record _linksieve.proof.example yet. A new record can take up to an hour to be visible.',
    },
  ]);
  txt['_linksieve.proof.example'] = ['something else'];
  expect((await verify('proof.example', id)).json()).toMatchObject({ verified: false, found: ['something else'] });
  expect((await inbox()).filter(({ appealId }: { appealId: number }) => appealId === id)).toEqual([]);

  txt['_linksieve.proof.example'] = ['something else', token];
  expect((await verify('proof.example', id, other.cookie)).statusCode).toBe(404);
  expect((await verify('parent.example', id)).statusCode).toBe(404);
  expect((await verify('proof.example', id)).json()).toMatchObject({ state: 'verified', verified: true });
  // A second check changes nothing, even if the record is gone.
  delete txt['_linksieve.proof.example'];
  expect((await verify('proof.example', id)).json()).toMatchObject({ state: 'verified', verified: true });
  const messages = (await inbox()).filter(({ appealId }: { appealId: number }) => appealId === id);
  expect(messages).toMatchObject([
    {
      subject: 'Appeal by the owner of proof.example',
      message: input.message,
      email: `${owner.username}@mail.example`,
    },
  ]);
});

test('an unverified appeal can be withdrawn by its author', async () => {
  await list('mistake.example');
  const { id } = (await appeal('mistake.example')).json();
  const remove = (as: string) => call('DELETE', `${appealsOf('mistake.example')}/${id}`, { as });
  expect([(await remove(other.cookie)).statusCode, (await remove(owner.cookie)).statusCode]).toEqual([404, 204]);
  expect((await remove(owner.cookie)).statusCode).toBe(404);
  expect((await appeal('mistake.example')).statusCode).toBe(201);
  const verified = await createVerified('too-late.example');
  expect((await call('DELETE', `${appealsOf('too-late.example')}/${verified}`, { as: owner.cookie })).statusCode).toBe(
    409,
  );
});

test('an admin delists the domain with a reason that the owner sees, and the history stays', async () => {
  const id = await createVerified('gone.example');
  const details = (await call('GET', `/api/admin/appeals/${id}`, { as: admin.cookie })).json();
  expect(details).toMatchObject({ username: owner.username, listedNames: ['gone.example'], state: 'verified' });
  expect(details.token).toBeUndefined();

  const response = await decide(id, { decision: 'delist', reason: 'The offer is gone.' });
  expect([response.statusCode, response.json()]).toMatchObject([
    200,
    { state: 'delisted', reason: 'The offer is gone.', decidedBy: admin.username, listedNames: [] },
  ]);
  expect(await verdict('gone.example')).toMatchObject({ listed: false, ownerStatement: null });
  const [own] = (await call('GET', appealsOf('gone.example'), { as: owner.cookie })).json();
  expect(own).toMatchObject({ state: 'delisted', reason: 'The offer is gone.', statementPublished: false });
  expect((await decide(id, { decision: 'keep', reason: 'No.' })).statusCode).toBe(409);

  const { rows } = await context.pool.query<{ text: string }>(
    `select data ->> 'text' as text from pgboss.job where name = 'mail' and data ->> 'subject' = 'Your appeal for gone.example'`,
  );
  expect(rows[0]?.text).toContain('The domain is no longer on the blacklist.');
  expect(rows[0]?.text).toContain('Reason:\nThe offer is gone.');
  const events = (await call('GET', '/api/admin/audit-events', { as: admin.cookie })).json().events;
  expect(events[0]).toMatchObject({
    event: 'Decided on an appeal',
    details: { id, domain: 'gone.example', decision: 'delist', delisted: ['gone.example'], publishStatement: false },
  });
  const again = await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'gone.example', source: 'x' } });
  expect(again.json()).toMatchObject({
    code: 'needs_confirmation',
    error: 'An allow rule protects gone.example: Delisted after an appeal: The offer is gone.',
  });
});

test('a subdomain whose owner is right is delisted with the parents that cover it', async () => {
  await list('covering.example');
  const id = await createVerified('sub.covering.example');
  const details = (await call('GET', `/api/admin/appeals/${id}`, { as: admin.cookie })).json();
  expect(details.listedNames.toSorted()).toEqual(['covering.example', 'sub.covering.example']);
  await decide(id, { decision: 'delist', reason: 'Both are clean.' });
  expect(await verdict('sub.covering.example')).toMatchObject({ listed: false });
});

test('a domain can be kept with the statement of its owner, which can be unpublished later', async () => {
  const id = await createVerified('kept.example');
  const kept = await decide(id, { decision: 'keep', publishStatement: true, reason: 'The offer is still online.' });
  expect(kept.json()).toMatchObject({ state: 'kept', statementPublished: true });
  expect(await verdict('kept.example')).toMatchObject({ listed: true, ownerStatement: input.statement });
  expect((await verdict('sub.kept.example')).ownerStatement).toBe(input.statement);
  await decide(id, { decision: 'keep', publishStatement: false, reason: 'It insulted someone.' });
  expect((await verdict('kept.example')).ownerStatement).toBeNull();
});

test('a decision needs a verified appeal, a reason, and a statement to publish', async () => {
  await list('early.example');
  const { id } = (await appeal('early.example')).json();
  expect((await decide(id, { decision: 'keep', reason: 'No.' })).statusCode).toBe(409);
  const verified = await createVerified('silent.example', { statement: null });
  expect((await decide(verified, { decision: 'keep', reason: ' ' })).statusCode).toBe(400);
  const publish = { decision: 'keep', publishStatement: true, reason: 'No.' };
  expect((await decide(verified, publish)).statusCode).toBe(409);
  expect((await decide(9_999_999, publish)).statusCode).toBe(404);
});

test('the data of an account contains its appeals, and deleting it keeps only the decided ones', async () => {
  const user = await signUp();
  await list('mine.example');
  await list('decided.example');
  await appeal('mine.example', { as: user.cookie });
  const { id, token } = (await appeal('decided.example', { as: user.cookie })).json();
  txt['_linksieve.decided.example'] = [token];
  await verify('decided.example', id, user.cookie);
  await decide(id, { decision: 'keep', publishStatement: true, reason: 'Still online.' });
  const data = (await call('GET', '/api/account/data', { as: user.cookie })).json();
  expect(data.appeals).toMatchObject([{ domain: 'mine.example' }, { domain: 'decided.example', state: 'kept' }]);

  const body = { password: user.password };
  expect((await call('DELETE', '/api/account', { as: user.cookie, body })).statusCode).toBe(204);
  const rows = await context.db
    .selectFrom('appeals')
    .select(['id', 'user_id'])
    .where('domain', 'in', ['mine.example', 'decided.example'])
    .execute();
  expect(rows).toEqual([{ id, user_id: null }]);
  expect((await call('GET', `/api/admin/appeals/${id}`, { as: admin.cookie })).json().username).toBeNull();
});

test('limits appeals and checks per account and hour', async () => {
  const user = await signUp();
  await list('limited.example');
  const { id } = (await appeal('limited.example', { as: user.cookie })).json();
  const codes: number[] = [];
  for (let i = 0; i < 31; i++) codes.push((await appeal('limited.example', { as: user.cookie })).statusCode);
  expect([codes[0], codes.at(-1)]).toEqual([409, 429]);
  const checks = new Set<number>();
  for (let i = 0; i < 61; i++) checks.add((await verify('limited.example', id, user.cookie)).statusCode);
  expect([...checks]).toEqual([200, 429]);
});
