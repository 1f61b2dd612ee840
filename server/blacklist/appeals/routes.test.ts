import { expect, test } from 'vitest';
import { startDnsServer } from '../../platform/net/dns-server.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { insertSuggestions } from '../guard/queries.ts';
import { verifyAppeal } from './appeals.ts';

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

/** The domains whose name contains the text and that have an allow rule. */
const ruleDomains = async (text: string): Promise<string[]> => {
  const response = await call('GET', `/api/admin/allow-rules?search=${text}`, { as: admin.cookie });
  return response.json().rules.map(({ domain }: { domain: string }) => domain);
};
/** The text of the newest email about a domain. */
const lastMail = async (domain: string) => {
  const { rows } = await context.pool.query<{ text: string }>(
    `select data ->> 'text' as text from pgboss.job where name = 'mail' and data ->> 'subject' = $1
     order by created_on desc limit 1`,
    [`Your appeal for ${domain}`],
  );
  return rows[0]?.text;
};

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
  expect((await verify('proof.example', id)).json()).toEqual({
    state: 'verified',
    verified: true,
    lookedAt: '_linksieve.proof.example',
    found: [],
    message: 'You have already proven that you control proof.example.',
  });
  const messages = (await inbox()).filter(({ appealId }: { appealId: number }) => appealId === id);
  expect(messages).toMatchObject([
    {
      subject: 'Appeal by the owner of proof.example',
      message: input.message,
      email: `${owner.username}@mail.example`,
    },
  ]);
});

test('an appeal that is withdrawn during its check is not found, with and without the proof', async () => {
  await list('hasty.example');
  const { id: userId } = await context.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', owner.username)
    .executeTakeFirstOrThrow();
  for (const hasProof of [true, false]) {
    const { id, token } = (await appeal('hasty.example')).json();
    const resolveTxt = async () => {
      await call('DELETE', `${appealsOf('hasty.example')}/${id}`, { as: owner.cookie });
      return hasProof ? [token] : [];
    };
    const withdrawing = { ...context, outbound: { ...context.outbound, resolveTxt } };
    await expect(verifyAppeal(withdrawing, userId, 'hasty.example', id)).rejects.toMatchObject({
      status: 404,
    });
  }
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

test('each step of an appeal is in the audit log, and refused calls are not', async () => {
  await list('logged.example');
  const { id, token } = (await appeal('www.logged.example')).json();
  expect((await appeal('www.logged.example')).statusCode).toBe(409);
  await verify('www.logged.example', id);
  expect((await verify('www.logged.example', id, other.cookie)).statusCode).toBe(404);
  const withdraw = () => call('DELETE', `${appealsOf('www.logged.example')}/${id}`, { as: owner.cookie });
  expect([(await withdraw()).statusCode, (await withdraw()).statusCode]).toEqual([204, 404]);
  const second = (await appeal('logged.example')).json();
  txt['_linksieve.logged.example'] = [token, second.token];
  await verify('logged.example', second.id);

  const { events } = (await call('GET', '/api/account/events?pageSize=100', { as: owner.cookie })).json();
  const own = events.filter(({ subject }: { subject: string | null }) => subject?.endsWith('logged.example'));
  expect(own.reverse()).toMatchObject([
    { kind: 'appeal-sent', address: '127.0.0.1', subject: 'logged.example' },
    { kind: 'appeal-withdrawn', subject: 'logged.example' },
    { kind: 'appeal-sent', subject: 'logged.example' },
  ]);
  const query = `user=${owner.username}`;
  const audit = (await call('GET', `/api/admin/audit-events?${query}`, { as: admin.cookie })).json();
  expect(audit.events).toEqual([]);
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

  expect(await lastMail('gone.example')).toContain('The domain is no longer on the blacklist.');
  expect(await lastMail('gone.example')).toContain('Reason:\nThe offer is gone.');
  const events = (await call('GET', '/api/admin/audit-events', { as: admin.cookie })).json().events;
  expect(events[0]).toMatchObject({
    event: 'Decided on an appeal',
    details: { id, domain: 'gone.example', decision: 'delist', delisted: ['gone.example'], publishStatement: false },
  });
  const again = await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'gone.example', source: 'x' } });
  expect(again.json()).toMatchObject({
    code: 'needs_confirmation',
    error: 'An allow rule protects gone.example: Delisted after an appeal (The offer is gone).',
  });
});

test('a delisted domain gets an allow rule even if uploads suggest it as a shared host', async () => {
  const id = await createVerified('hoster.example');
  await insertSuggestions(context.db, [{ domain: 'hoster.example', reason: 'Many subdomains' }], {
    userId: owner.id,
    now: new Date(),
  });
  expect((await decide(id, { decision: 'delist', reason: 'Clean.' })).json()).toMatchObject({ state: 'delisted' });
  expect(await ruleDomains('hoster.example')).toEqual(['hoster.example']);
});

test('a subdomain is delisted without its parent unless the admin chooses the parent too', async () => {
  await list('covering.example');
  const id = await createVerified('sub.covering.example');
  const details = (await call('GET', `/api/admin/appeals/${id}`, { as: admin.cookie })).json();
  expect(details.listedNames.toSorted()).toEqual(['covering.example', 'sub.covering.example']);
  for (const names of [[], ['other.example'], ['example'], 'covering.example']) {
    const refused = await decide(id, { decision: 'delist', names, reason: 'Clean.' });
    expect([names, refused.statusCode, refused.json().fields]).toEqual([names, 400, { names: expect.any(String) }]);
  }
  const decided = await decide(id, { decision: 'delist', reason: 'The subdomain is clean.' });
  expect(decided.json().listedNames).toEqual(['covering.example']);
  expect(await verdict('a.sub.covering.example')).toMatchObject({ listed: false });
  expect(await verdict('other.covering.example')).toMatchObject({ listed: true, matchedDomain: 'covering.example' });
  expect(await lastMail('sub.covering.example')).toContain('The domain is no longer on the blacklist.');
  // A change of the decision does not widen it.
  await decide(id, { decision: 'delist', publishStatement: true, reason: 'The subdomain is clean.' });
  expect(await verdict('covering.example')).toMatchObject({ listed: true });

  await decide(id, { decision: 'delist', names: ['covering.example'], reason: 'Both are clean.' });
  expect(await verdict('other.covering.example')).toMatchObject({ listed: false });
});

test('if only the parent is listed, the subdomain gets an allow rule and the parent stays listed', async () => {
  await list('only.example');
  const { id, token } = (await appeal('blog.only.example')).json();
  txt['_linksieve.blog.only.example'] = [token];
  await verify('blog.only.example', id);
  const decided = await decide(id, { decision: 'delist', reason: 'Another owner.' });
  expect(decided.json()).toMatchObject({ state: 'delisted', listedNames: ['only.example'] });
  expect(await ruleDomains('only.example')).toEqual(['blog.only.example']);
  expect(await verdict('blog.only.example')).toMatchObject({ listed: false });
  expect(await verdict('only.example')).toMatchObject({ listed: true });

  const { rules } = (await call('GET', '/api/admin/allow-rules?search=only.example', { as: admin.cookie })).json();
  await call('DELETE', `/api/admin/allow-rules/${rules[0].id}`, { as: admin.cookie });
  await decide(id, { decision: 'delist', publishStatement: true, reason: 'Another owner.' });
  expect(await ruleDomains('only.example')).toEqual([]);
});

test('a parent that the admin chooses is delisted with its own rule, and its listed subdomains are held', async () => {
  for (const domain of ['host.example', 'shop.host.example', 'blog.host.example']) await list(domain);
  const { id, token } = (await appeal('customer.host.example')).json();
  txt['_linksieve.customer.host.example'] = [token];
  await verify('customer.host.example', id);
  const names = ['host.example'];
  const decided = await decide(id, { decision: 'delist', names, reason: 'The host has changed.' });
  expect(decided.json()).toMatchObject({ state: 'delisted', listedNames: [] });
  expect(await verdict('shop.host.example')).toMatchObject({ listed: false });
  const { held } = (await call('GET', '/api/admin/held?search=host.example', { as: admin.cookie })).json();
  const reason = 'An admin added an allow rule for host.example: Delisted after an appeal (The host has changed)';
  expect(held.map((row: { domain: string; reason: string }) => [row.domain, row.reason]).toSorted()).toEqual([
    ['blog.host.example', reason],
    ['shop.host.example', reason],
  ]);
  expect(await ruleDomains('host.example')).toEqual(['host.example']);
  const [event] = (await call('GET', '/api/admin/audit-events', { as: admin.cookie })).json().events;
  expect(event.details).toMatchObject({ delisted: ['host.example'], heldCount: 2 });
});

test('a domain that someone else has delisted gets its allow rule too', async () => {
  const id = await createVerified('deleted.example');
  const { domains } = (await call('GET', '/api/domains?search=deleted.example', { as: admin.cookie })).json();
  expect((await call('DELETE', `/api/domains/${domains[0].id}`, { as: admin.cookie })).statusCode).toBe(204);
  expect((await decide(id, { decision: 'delist', reason: 'Gone.' })).statusCode).toBe(200);
  expect(await ruleDomains('deleted.example')).toEqual(['deleted.example']);
});

test('an import that has the domain locked makes the decision wait at most some seconds', async () => {
  const id = await createVerified('locked.example');
  const client = await context.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select from domains where name = 'locked.example' for update`);
    expect((await decide(id, { decision: 'delist', reason: 'Clean.' })).statusCode).toBe(503);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect((await decide(id, { decision: 'delist', reason: 'Clean.' })).statusCode).toBe(200);
}, 30_000);

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
