import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildSite, buildSubmissionCalls } from './submissions.fixtures.ts';
import { maxSubmissionsPerHour } from './submissions.ts';

const testApp = await startTestApp();
const { call, signUp, context } = testApp;
const { send, listOwnSubmissions, listSubmissions } = buildSubmissionCalls(testApp);
const admin = await signUp({ admin: true });

test('a submitted site is stored under its normalized name and listed for its submitter and admins', async () => {
  const user = await signUp();
  const response = await send(user.cookie, 'www.Paid-Posts.example', { additionalNotes: 'Seen on two pages.' });
  expect(response.statusCode).toBe(201);
  const sent = response.json();
  expect(sent).toEqual({
    id: expect.any(Number),
    domain: 'paid-posts.example',
    status: 'pending',
    dateSubmitted: expect.stringMatching(/^20\d\d-.*Z$/),
    submitterEmail: `${user.username}@mail.example`,
    evidence: 'They offer paid posts on their contact page, with a price list.',
    source: 'fiverr',
    cost: '$80',
    niche: 'Health',
    domainRating: 40,
    additionalNotes: 'Seen on two pages.',
    reason: null,
    dateDecided: null,
  });
  expect(await listOwnSubmissions(user.cookie)).toEqual({ submissions: [sent], total: 1 });
  const { submissions } = await listSubmissions(admin.cookie, '?userIsAdmin=true&page=0&pageSize=5&status=pending');
  expect(submissions).toContainEqual({
    ...sent,
    decidedBy: null,
    listing: null,
    preview: { sources: ['fiverr', 'community'], independentSourceCount: 1, riskLevel: 'low' },
  });
});

test('visitors get 401, and only admins can list and decide submissions of others', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const { id } = (await send(user.cookie, 'private.example')).json();
  const decision = { status: 'approved', userIsAdmin: true };
  const codes = async (as?: string) => [
    (await call('GET', '/api/site-submissions', as ? { as } : {})).statusCode,
    (await call('GET', '/api/site-submissions?userIsAdmin=true', as ? { as } : {})).statusCode,
    (await call('PUT', `/api/site-submissions/${id}`, { ...(as && { as }), body: decision })).statusCode,
  ];
  expect(await codes()).toEqual([401, 401, 401]);
  expect(await codes(user.cookie)).toEqual([403, 403, 403]);
  expect(await codes(other.cookie)).toEqual([403, 403, 403]);
  expect((await call('POST', '/api/site-submissions', { body: buildSite('x-y-z.example') })).statusCode).toBe(401);
  expect((await call('GET', '/api/site-submissions/mine')).statusCode).toBe(401);
  expect(await listOwnSubmissions(other.cookie)).toEqual({ submissions: [], total: 0 });
  expect((await listOwnSubmissions(user.cookie)).submissions[0].status).toBe('pending');
});

test('fields that the form does not have are ignored', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const extras = {
    id: 7,
    status: 'approved',
    submitterEmail: 'someone@mail.example',
    dateSubmitted: '2001-01-01T00:00:00.000Z',
    reason: 'mine',
    decidedBy: 'me',
    userIsAdmin: true,
    userId: user.id,
  };
  const sent = (await send(user.cookie, 'mass.example', extras)).json();
  expect(sent).toMatchObject({ status: 'pending', submitterEmail: `${user.username}@mail.example`, reason: null });
  expect(sent.dateSubmitted > '2020').toBe(true);
  expect((await listOwnSubmissions(other.cookie)).total).toBe(0);
  expect((await listOwnSubmissions(user.cookie)).total).toBe(1);
});

test('every invalid field has a specific message', async () => {
  const { cookie } = await signUp();
  const getError = async (cells: object) => {
    const response = await send(cookie, 'words.example', cells);
    return response.statusCode === 201 ? 'accepted' : Object.values(response.json().fields).join(' | ');
  };
  expect(await getError({ domain: 'a.b' })).toBe('Domain must be at least 4 characters');
  expect(await getError({ domain: `${'a'.repeat(60)}.${'b'.repeat(60)}.example` })).toBe(
    'Domain must be less than 100 characters',
  );
  for (const domain of [
    'words',
    'https://words.example/',
    'words.example/offer',
    '192.0.2.1',
    'wor ds.example',
    'a@b.cd',
  ]) {
    expect([domain, await getError({ domain })]).toEqual([
      domain,
      'Please enter a valid domain name (e.g., example.com)',
    ]);
  }
  expect(await getError({ evidence: 'too short' })).toBe('Please provide more details about your evidence');
  expect(await getError({ evidence: 'x'.repeat(1001) })).toBe('Evidence must be less than 1000 characters');
  expect(await getError({ source: 'x' })).toBe('Source is required');
  expect(await getError({ source: ', , ,' })).toBe('Source is required');
  expect(await getError({ source: 'x'.repeat(101) })).toBe('Source must be less than 100 characters');
  expect(await getError({ cost: ' ' })).toBe('Cost is required');
  expect(await getError({ cost: 'x'.repeat(51) })).toBe('Cost must be less than 50 characters');
  expect(await getError({ niche: 'x' })).toBe('Niche is required');
  expect(await getError({ niche: 'x'.repeat(101) })).toBe('Niche must be less than 100 characters');
  for (const domainRating of ['many', '', '1000', '150', 101, -1, true]) {
    expect(await getError({ domainRating })).toBe('Domain rating must be a number between 0-100');
  }
  expect(await getError({ additionalNotes: 'x'.repeat(2001) })).toBe(
    'Additional notes must be less than 2000 characters',
  );
  expect(await getError({ domain: undefined, niche: undefined })).toBe(
    'Domain must be at least 4 characters | Niche is required',
  );
  expect((await listOwnSubmissions(cookie)).total).toBe(0);
});

test('a rating can be a string of digits, a number or absent', async () => {
  const { cookie } = await signUp();
  const rating = async (domain: string, cells: object) => (await send(cookie, domain, cells)).json().domainRating;
  expect(await rating('rated-1.example', { domainRating: '042' })).toBe(42);
  expect(await rating('rated-2.example', { domainRating: 100 })).toBe(100);
  expect(await rating('rated-3.example', { domainRating: undefined })).toBe(0);
  expect(await rating('rated-4.example', { domainRating: null })).toBeNull();
});

test('a name that cannot be listed is rejected with the reason', async () => {
  const { cookie } = await signUp();
  const reason = async (domain: string) => (await send(cookie, domain)).json().fields.domain;
  expect(await reason('wordpress.com')).toContain('wordpress.com hosts the websites of many owners');
  expect(await reason('co.uk')).toContain('is a public suffix');
});

test('a user can have only one pending submission of a site, even with simultaneous requests', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const attempts = await Promise.all(Array.from({ length: 6 }, () => send(user.cookie, 'twice.example')));
  expect(attempts.map(({ statusCode }) => statusCode).sort()).toEqual([201, ...Array(5).fill(409)]);
  const again = await send(user.cookie, 'WWW.twice.example');
  expect(again.json().error).toBe('You have already submitted twice.example. It is waiting for review.');
  expect((await send(other.cookie, 'twice.example')).statusCode).toBe(201);
});

test('an account can submit a limited number of sites per hour', async () => {
  const { cookie } = await signUp();
  const codes = new Set<number>();
  for (let i = 0; i < maxSubmissionsPerHour; i++) codes.add((await send(cookie, `flood-${i}.example`)).statusCode);
  expect([...codes]).toEqual([201]);
  const refused = await send(cookie, 'flood-last.example');
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toMatch(/^\d+$/);
});

test('pages are zero-based and newest first, in the page sizes of the screen', async () => {
  const user = await signUp();
  for (let i = 0; i < 12; i++) await send(user.cookie, `paged-${i}.example`);
  const first = await listOwnSubmissions(user.cookie, '?page=0&pageSize=5');
  const last = await listOwnSubmissions(user.cookie, '?page=2&pageSize=5');
  const names = ({ submissions }: { submissions: { domain: string }[] }) => submissions.map(({ domain }) => domain);
  expect([first.total, names(first)[0], names(first).length]).toEqual([12, 'paged-11.example', 5]);
  expect(names(last)).toEqual(['paged-1.example', 'paged-0.example']);
  expect((await listOwnSubmissions(user.cookie)).submissions).toHaveLength(10);
  const codes = [];
  for (const query of ['pageSize=7', 'pageSize=100', 'page=-1', 'page=x', 'status=open', 'pageSize=50']) {
    codes.push((await call('GET', `/api/site-submissions?${query}`, { as: admin.cookie })).statusCode);
  }
  expect(codes).toEqual([400, 400, 400, 400, 400, 200]);
});

test('a pending submission has the existing listing of its domain', async () => {
  const user = await signUp();
  const body = { domain: 'known.example', source: 'crawler', riskLevel: 'high' };
  const { id } = (await call('POST', '/api/domains', { as: admin.cookie, body })).json();
  await send(user.cookie, 'blog.known.example');
  const { submissions } = await listSubmissions(admin.cookie);
  expect(submissions[0]).toMatchObject({
    domain: 'blog.known.example',
    listing: { id, domain: 'known.example', riskLevel: 'high', sourceCount: 1, independentSourceCount: 1 },
  });
});

test('a submission remains after the account of its submitter is deleted', async () => {
  const user = await signUp();
  await send(user.cookie, 'orphan.example');
  await context.db.deleteFrom('users').where('id', '=', user.id).execute();
  const { submissions } = await listSubmissions(admin.cookie);
  expect(submissions[0]).toMatchObject({ domain: 'orphan.example', submitterEmail: null });
});
