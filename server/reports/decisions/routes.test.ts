import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { maxDecidedDomains } from '#shared/reports/decisions.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { decide as decideWithLimit } from './decisions.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);
await createDomains({ name: 'seller.test', risk: 3 }, { name: 'shop.seller.test', risk: 4 }, { name: 'other.test' });

type Owner = Awaited<ReturnType<typeof createOwner>>;
const decide = ({ cookie, site }: Owner, body: object) =>
  call('PUT', `/api/profiles/${site.id}/decisions`, { as: cookie, body });
const list = async ({ cookie, site }: Owner, query = '') =>
  (await call('GET', `/api/profiles/${site.id}/decisions${query}`, { as: cookie })).json();

test('decisions are stored by domain, newest first, and the last one counts', async () => {
  const owner = await createOwner();
  const first = await decide(owner, {
    domains: ['https://www.Seller.test/page', 'seller.test', 'other.test'],
    decision: 'disavow',
    note: ' Sold by a broker ',
  });
  expect([first.statusCode, first.json()]).toEqual([200, { count: 2 }]);
  await decide(owner, { domains: ['other.test'], decision: 'keep' });
  const { decisions, pagination } = await list(owner);
  expect(pagination.total).toBe(2);
  expect(decisions).toEqual([
    { domain: 'other.test', decision: 'keep', note: 'Sold by a broker', decidedAt: expect.any(String), askedAt: null },
    {
      domain: 'seller.test',
      decision: 'disavow',
      note: 'Sold by a broker',
      decidedAt: expect.any(String),
      askedAt: null,
    },
  ]);
  expect((await list(owner, '?decision=keep')).decisions).toMatchObject([{ domain: 'other.test' }]);
  expect(await list(owner, '?page=1&pageSize=1')).toMatchObject({ decisions: [{ domain: 'seller.test' }] });
});

test('owners are asked only about domains to remove, which stay asked until the user says otherwise', async () => {
  const owner = await createOwner();
  await decide(owner, { domains: ['seller.test'], decision: 'remove' });
  await decide(owner, { domains: ['other.test'], decision: 'keep' });
  const asked = await decide(owner, { domains: ['seller.test', 'other.test', 'unknown.test'], asked: true });
  expect([asked.statusCode, asked.json()]).toEqual([200, { count: 3 }]);
  const listAsked = async () =>
    (await list(owner)).decisions.map(({ domain, askedAt }: { domain: string; askedAt: string | null }) => [
      domain,
      askedAt !== null,
    ]);
  expect(await listAsked()).toEqual([
    ['other.test', false],
    ['seller.test', true],
  ]);
  await decide(owner, { domains: ['seller.test'], decision: 'disavow', note: 'No answer' });
  expect(await listAsked()).toContainEqual(['seller.test', true]);
  await decide(owner, { domains: ['seller.test'], decision: 'remove' });
  await decide(owner, { domains: ['seller.test'], asked: false });
  expect(await listAsked()).toContainEqual(['seller.test', false]);
});

test('removing a decision keeps its note, and a domain without both is forgotten', async () => {
  const owner = await createOwner();
  await decide(owner, { domains: ['seller.test'], decision: 'remove', note: 'Asked on Monday' });
  await decide(owner, { domains: ['other.test'], decision: 'remove' });
  await decide(owner, { domains: ['seller.test', 'other.test'], decision: null });
  expect((await list(owner)).decisions).toMatchObject([
    { domain: 'seller.test', decision: null, note: 'Asked on Monday' },
  ]);
  await decide(owner, { domains: ['seller.test'], decision: null, note: '' });
  expect((await list(owner)).decisions).toEqual([]);
  await decide(owner, { domains: ['seller.test'], decision: null, note: 'Only a note' });
  expect((await list(owner)).decisions).toMatchObject([{ decision: null, note: 'Only a note' }]);
});

test('a note without a decision leaves newer decisions as they are', async () => {
  const owner = await createOwner();
  await decide(owner, { domains: ['seller.test'], decision: 'disavow' });
  await decide(owner, { domains: ['seller.test', 'other.test'], note: 'Same broker' });
  const { decisions } = await list(owner);
  expect(decisions).toMatchObject([
    { domain: 'other.test', decision: null, note: 'Same broker' },
    { domain: 'seller.test', decision: 'disavow', note: 'Same broker' },
  ]);
  await decide(owner, { domains: ['seller.test', 'other.test'], note: '' });
  expect((await list(owner)).decisions).toEqual([{ ...decisions[1], note: '' }]);
});

test('a public suffix cannot be decided about, but the root of a service with subdomains can', async () => {
  const owner = await createOwner();
  const refused = await decide(owner, { domains: ['seller.test', 'co.uk'], decision: 'disavow' });
  const sentence = 'co.uk is a public suffix. Enter a domain registered under it, such as example.co.uk.';
  expect([refused.statusCode, refused.json().fields]).toEqual([400, { domains: sentence }]);
  expect((await decide(owner, { domains: ['blogspot.com'], decision: 'disavow' })).json()).toEqual({ count: 1 });
  expect((await list(owner)).decisions).toMatchObject([{ domain: 'blogspot.com' }]);
});

test('a website has a maximum number of decisions, which can still be changed and removed', async () => {
  const owner = await createOwner();
  const { user_id: userId } = await context.db
    .selectFrom('websites')
    .select('user_id')
    .where('id', '=', owner.site.id)
    .executeTakeFirstOrThrow();
  const change = (domains: string[], decision: 'keep' | 'remove' | null) =>
    decideWithLimit(context, { userId: Number(userId), websiteId: owner.site.id }, { domains, decision }, 2);
  await change(['a.test', 'b.test'], 'keep');
  await expect(change(['b.test', 'c.test'], 'remove')).rejects.toThrow(
    'You can decide about up to 2 domains of a website. Remove other decisions first.',
  );
  expect((await list(owner)).decisions).toMatchObject([{ decision: 'keep' }, { decision: 'keep' }]);
  await change(['a.test', 'b.test'], 'remove');
  await change(['a.test'], null);
  await change(['c.test'], 'keep');
  expect((await list(owner)).pagination.total).toBe(2);
});

test.each([
  [{ domains: [], decision: 'keep' }, 'domains'],
  [{ domains: ['not a domain'], decision: 'keep' }, 'domains'],
  [{ domains: ['127.0.0.1'], decision: 'keep' }, 'domains'],
  [{ domains: Array.from({ length: maxDecidedDomains + 1 }, (_, i) => `d${i}.test`), decision: 'keep' }, 'domains'],
  [{ domains: ['seller.test'], decision: 'like' }, 'decision'],
  [{ domains: ['seller.test'] }, 'decision'],
  [{ domains: ['seller.test'], decision: 'keep', note: 'x'.repeat(501) }, 'note'],
])('%j is rejected for its %s, and nothing changes', async (body, field) => {
  const owner = await createOwner();
  const response = await decide(owner, body);
  expect([response.statusCode, Object.keys(response.json().fields)[0]?.split('.')[0]]).toEqual([400, field]);
  expect((await list(owner)).decisions).toEqual([]);
});

test('nobody else can read or change the decisions', async () => {
  const owner = await createOwner();
  await decide(owner, { domains: ['seller.test'], decision: 'keep' });
  const other = { ...owner, ...(await signUp()) };
  expect((await decide(other, { domains: ['seller.test'], decision: 'disavow' })).statusCode).toBe(404);
  expect(await list(other)).toMatchObject({ code: 'not_found' });
  expect((await list(owner)).decisions).toMatchObject([{ decision: 'keep' }]);
});

test('decisions survive a new analysis and another report, and appear on its rows and in its CSV file', async () => {
  const owner = await createOwner();
  const file = 'url\nhttps://seller.test/a\nhttps://other.test/b\n';
  await analyze(owner.cookie, owner.site.id, file);
  await decide(owner, { domains: ['seller.test'], decision: 'disavow' });
  const { reportId, toxicBacklinks } = await analyze(owner.cookie, owner.site.id, file);
  expect(toxicBacklinks.map(({ domain, decision }) => [domain, decision])).toEqual([
    ['seller.test', 'disavow'],
    ['other.test', null],
  ]);
  const get = (path: string) => call('GET', `/api/reports/${reportId}${path}`, { as: owner.cookie });
  const { backlinks } = (await get('/backlinks')).json();
  expect(backlinks).toMatchObject([{ decision: 'disavow' }, { decision: null }]);
  const [header, ...rows] = (await get('/export-harmful-backlinks')).body.trimEnd().split('\r\n');
  expect([header?.endsWith(',Decision'), rows.map((row) => row.split(',').at(-1))]).toEqual([true, ['disavow', '']]);
});

test('disavow files leave out kept domains and lines that would cover them', async () => {
  const owner = await createOwner();
  const file = 'url\nhttps://seller.test/a\nhttps://shop.seller.test/\nhttps://other.test/b\n';
  const { reportId } = await analyze(owner.cookie, owner.site.id, file);
  await decide(owner, { domains: ['shop.seller.test'], decision: 'keep' });
  const get = (path: string) => call('GET', `/api/reports/${reportId}${path}`, { as: owner.cookie });
  const { body } = await get('/disavow.txt');
  expect(body.split('\n').filter((line) => line.startsWith('domain:'))).toEqual(['domain:other.test']);
  expect(body).toContain('# This file leaves out 2 domains, because you keep them or a subdomain of them.');
});

test('a website with many decisions gets the same disavow file from a process of its own', async () => {
  const owner = await createOwner();
  const file = 'url\nhttps://seller.test/a\nhttps://other.test/b\n';
  const { reportId } = await analyze(owner.cookie, owner.site.id, file);
  await decide(owner, { domains: ['seller.test'], decision: 'keep' });
  const elsewhere = vi.spyOn(context.processes, 'runInTurn');
  const read = async () => (await call('GET', `/api/reports/${reportId}/disavow.txt`, { as: owner.cookie })).body;
  const few = await read();
  expect(elsewhere).not.toHaveBeenCalled();
  await sql`insert into decisions (website_id, domain, decision)
    select ${owner.site.id}, 'd' || i || '.example', 'keep' from generate_series(1, 2000) as i`.execute(context.db);
  expect(await read()).toBe(few);
  expect(elsewhere).toHaveBeenCalledTimes(1);
});

test('concurrent decisions about the same domains all succeed', async () => {
  const owner = await createOwner();
  const domains = Array.from({ length: 300 }, (_, i) => `d${i}.test`);
  const responses = await Promise.all(
    (['keep', 'remove', 'disavow', null] as const).map((decision, i) =>
      decide(owner, { domains: i % 2 ? domains : domains.toReversed(), decision }),
    ),
  );
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
});
