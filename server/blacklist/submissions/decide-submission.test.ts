import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildSubmissionCalls } from './submissions.fixtures.ts';

const testApp = await startTestApp();
const { call, signUp, context } = testApp;
const { send, decide, listOwnSubmissions, listSubmissions, approve, findDomain } = buildSubmissionCalls(testApp);
const [admin, second, user] = [await signUp({ admin: true }), await signUp({ admin: true }), await signUp()];

const lastEvent = () =>
  context.db
    .selectFrom('audit_events')
    .select(['event', 'details', 'user_id as userId'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

test('approving a new site lists it with its source and the source community', async () => {
  const result = await approve(user.cookie, admin.cookie, 'new.example', { source: 'fiverr, Blackhatworld' });
  expect(result.submission).toMatchObject({ domain: 'new.example', status: 'approved', reason: null });
  expect(result.submission.dateDecided).toMatch(/^20/);
  const domain = await findDomain(admin.cookie, 'new.example');
  expect(result.domain).toEqual({ id: domain.id, domain: 'new.example', outcome: 'added' });
  expect(domain).toMatchObject({
    source: 'fiverr; Blackhatworld, community',
    independentSourceCount: 1,
    riskLevel: 'low',
    niche: 'Health',
    cost: '$80',
    domainRating: 40,
    addedBy: admin.username,
  });
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).toMatchObject({
    domain: 'new.example',
    status: 'approved',
  });
  expect((await listSubmissions(second.cookie, '?status=approved')).submissions[0]).toMatchObject({
    decidedBy: admin.username,
    listing: { id: domain.id },
  });
});

test.each([
  ['a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,1,2,3,4,5,6,7,8,9', /^a;b;c;.*;9, community$/],
  ['fiverr, seen by Anna, $80', /^fiverr; seen by Anna; \$80, community$/],
  [' , "fiverr" ,\r\n, \u202eforum\t', /^fiverr; forum, community$/],
  ['Community', /^community$/],
])('a submission adds one source besides community even if it contains commas: %j', async (source, stored) => {
  const name = `one-${Math.random().toString(36).slice(2)}.example`;
  await approve(user.cookie, admin.cookie, name, { source });
  const domain = await findDomain(admin.cookie, name);
  expect(domain.source).toMatch(stored);
  const count = stored.source === '^community$' ? 1 : 2;
  expect(domain).toMatchObject({ sourceCount: count, independentSourceCount: 1, riskLevel: 'low' });
});

test('each approval adds one source and updates the risk level, as the preview shows', async () => {
  const body = { domain: 'grown.example', source: 'fiverr' };
  await call('POST', '/api/domains', { as: admin.cookie, body });
  const preview = async () => {
    const { submissions } = await listSubmissions(admin.cookie, '?pageSize=50');
    return submissions.find(({ domain }: { domain: string }) => domain === 'grown.example').preview;
  };
  const steps = [
    ['one, two', 'medium', ['fiverr', 'one; two', 'community']],
    ['three', 'medium', ['fiverr', 'one; two', 'community', 'three']],
    ['ONE, two', 'medium', ['fiverr', 'one; two', 'community', 'three']],
    ['five', 'high', ['fiverr', 'one; two', 'community', 'three', 'five']],
  ] as const;
  for (const [source, riskLevel, sources] of steps) {
    const { id } = (await send((await signUp()).cookie, 'grown.example', { source })).json();
    expect(await preview()).toEqual({ sources, independentSourceCount: sources.length - 1, riskLevel });
    await decide(admin.cookie, id, { status: 'approved' });
    expect(await findDomain(admin.cookie, 'grown.example')).toMatchObject({
      source: sources.join(', '),
      sourceCount: sources.length,
      independentSourceCount: sources.length - 1,
      riskLevel,
    });
  }
});

test('the preview keeps a level set by hand, and is null if there are too many sources', async () => {
  await call('POST', '/api/domains', {
    as: admin.cookie,
    body: { domain: 'level.example', source: 'crawler', riskLevel: 'very high' },
  });
  const full = Array.from({ length: 100 }, (_, i) => `s${i}`).join(', ');
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'full-preview.example', source: full } });
  for (const name of ['level.example', 'full-preview.example']) await send(user.cookie, name);
  const { submissions } = await listSubmissions(admin.cookie, '?pageSize=50');
  const of = (name: string) => submissions.find(({ domain }: { domain: string }) => domain === name).preview;
  expect(of('level.example')).toEqual({
    sources: ['crawler', 'fiverr', 'community'],
    independentSourceCount: 2,
    riskLevel: 'very high',
  });
  expect(of('full-preview.example')).toBeNull();
});

test('a decision returns 503 and changes nothing while an import has the domain locked', {
  timeout: 30_000,
}, async () => {
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'held.example', source: 'crawler' } });
  const { id } = (await send(user.cookie, 'held.example')).json();
  const client = await context.pool.connect();
  try {
    await client.query('begin');
    await client.query("update domains set notes = 'held' where name = 'held.example'");
    const response = await decide(admin.cookie, id, { status: 'approved' });
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '30']);
    expect(response.json().error).toContain('Please try again when it has finished.');
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).toMatchObject({
    domain: 'held.example',
    status: 'pending',
  });
  expect((await decide(admin.cookie, id, { status: 'approved' })).statusCode).toBe(200);
});

test('approving a listed site adds its sources and fills only empty fields', async () => {
  const body = { domain: 'old.example', source: 'fiverr, crawler, forum', niche: 'Travel' };
  const before = (await call('POST', '/api/domains', { as: admin.cookie, body })).json();
  const { domain } = await approve(user.cookie, admin.cookie, 'old.example');
  expect(domain).toEqual({ id: before.id, domain: 'old.example', outcome: 'updated' });
  const after = await findDomain(admin.cookie, 'old.example');
  expect(after).toMatchObject({
    source: 'fiverr, crawler, forum, community',
    sourceCount: 4,
    independentSourceCount: 3,
    riskLevel: 'medium',
    niche: 'Travel',
    cost: '$80',
    domainRating: 40,
    dateAdded: before.dateAdded,
    addedBy: before.addedBy,
  });
  const again = await approve((await signUp()).cookie, admin.cookie, 'old.example', { cost: '$1', niche: 'Other' });
  expect(again.domain).toEqual({ id: before.id, domain: 'old.example', outcome: 'unchanged' });
  expect(await findDomain(admin.cookie, 'old.example')).toEqual(after);
});

test('a level set by hand stays, and a missing rating is stored as null', async () => {
  const body = { domain: 'given.example', source: 'crawler', riskLevel: 'very high' };
  await call('POST', '/api/domains', { as: admin.cookie, body });
  await approve(user.cookie, admin.cookie, 'given.example', { domainRating: undefined });
  expect(await findDomain(admin.cookie, 'given.example')).toMatchObject({
    source: 'crawler, fiverr, community',
    riskLevel: 'very high',
    domainRating: null,
  });
});

test('of simultaneous decisions one succeeds and the others return 409', async () => {
  const { id } = (await send(user.cookie, 'raced.example')).json();
  const responses = await Promise.all([
    decide(admin.cookie, id, { status: 'approved' }),
    decide(second.cookie, id, { status: 'rejected', reason: 'No.' }),
    decide(second.cookie, id, { status: 'approved' }),
  ]);
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
  const refused = responses.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json().error).toMatch(/^The submission of raced.example was already (approved|rejected) by u\w+\.$/);
});

test('a decision is final', async () => {
  const { id } = (await send(user.cookie, 'final.example')).json();
  expect((await decide(admin.cookie, id, { status: 'rejected' })).statusCode).toBe(200);
  expect((await decide(admin.cookie, id, { status: 'approved' })).statusCode).toBe(409);
  expect(await findDomain(admin.cookie, 'final.example')).toBeUndefined();
});

test('a rejected site is not listed, and its submitter gets the reason', async () => {
  const { id } = (await send(user.cookie, 'refused.example')).json();
  const reason = 'The page does not offer links. Please send the address of the offer.';
  const response = await decide(admin.cookie, id, { status: 'rejected', reason });
  expect(response.json()).toMatchObject({ submission: { status: 'rejected', reason }, domain: null });
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).toMatchObject({ status: 'rejected', reason });
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).not.toHaveProperty('decidedBy');
  expect((await send(user.cookie, 'refused.example')).statusCode).toBe(201);
});

test('an invalid status, a too long reason and an unknown id are rejected', async () => {
  const { id } = (await send(user.cookie, 'worded.example')).json();
  const code = async (target: number, body: object) => (await decide(admin.cookie, target, body)).statusCode;
  expect(await code(id, { status: 'pending' })).toBe(400);
  expect(await code(id, {})).toBe(400);
  expect(await code(id, { status: 'rejected', reason: 'x'.repeat(501) })).toBe(400);
  expect(await code(999_999, { status: 'approved' })).toBe(404);
});

test('an approval that cannot list its site leaves the submission pending', async () => {
  const { id } = (await send(user.cookie, 'full.example')).json();
  const source = Array.from({ length: 100 }, (_, i) => `s${i}`).join(', ');
  await call('POST', '/api/domains', { as: admin.cookie, body: { domain: 'full.example', source } });
  const response = await decide(admin.cookie, id, { status: 'approved' });
  expect(response.statusCode).toBe(409);
  expect(response.json().error).toContain('full.example cannot have more than 100 sources');
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).toMatchObject({
    domain: 'full.example',
    status: 'pending',
  });
});

test('a protected site is approved only with a confirmation', async () => {
  const { id } = (await send(user.cookie, 'office.gov.uk')).json();
  const refused = await decide(admin.cookie, id, { status: 'approved' });
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'needs_confirmation']);
  expect(refused.json().error).toBe('Names under .gov.uk belong to public institutions.');
  expect((await listOwnSubmissions(user.cookie)).submissions[0]).toMatchObject({ status: 'pending' });
  expect((await decide(admin.cookie, id, { status: 'approved', confirmed: true })).statusCode).toBe(200);
  expect(await findDomain(admin.cookie, 'office.gov.uk')).toBeDefined();
  expect((await lastEvent())?.details).toMatchObject({
    overruled: 'Names under .gov.uk belong to public institutions.',
  });
});

test('a site with an allow rule cannot be approved, even with a confirmation', async () => {
  const { id } = (await send(user.cookie, 'shop.allowed.example')).json();
  const body = { domain: 'allowed.example', reason: 'A partner' };
  const rule = (await call('POST', '/api/admin/allow-rules', { as: admin.cookie, body })).json();
  const refused = await decide(admin.cookie, id, { status: 'approved', confirmed: true });
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict']);
  expect(refused.json().error).toContain('Delete the rule first');
  await call('DELETE', `/api/admin/allow-rules/${rule.id}`, { as: admin.cookie });
  expect((await decide(admin.cookie, id, { status: 'approved' })).statusCode).toBe(200);
});

test('every decision is written to the audit log', async () => {
  const { submission } = await approve(user.cookie, admin.cookie, 'audited.example');
  expect(await lastEvent()).toEqual({
    event: 'Decided on a site submission',
    details: { id: submission.id, domain: 'audited.example', status: 'approved', outcome: 'added' },
    userId: admin.id,
  });
});
