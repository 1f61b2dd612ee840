import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Discovery } from '#shared/blacklist/discoveries.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildWeb, createVisit } from './generated-web/web.fixtures.ts';
import { candidateJob } from './jobs.ts';
import type { VisitPage } from './look-at-site.ts';
import { visitWanted } from './visit-sites.ts';

const { call, signUp, context } = await startTestApp({ CRAWL: '1' });
const { db } = context;
const admin = await signUp({ admin: true });
const as = admin.cookie;
const never = new AbortController().signal;

const start = async (...domains: string[]) => call('POST', '/api/admin/discoveries', { as, body: { domains } });
const list = async (status: string): Promise<Discovery[]> =>
  (await call('GET', `/api/admin/discoveries?status=${status}&pageSize=100`, { as })).json().discoveries;
const find = async (status: string, domain: string) => (await list(status)).find((one) => one.domain === domain);
const decide = async (id: number, status: string) =>
  call('PUT', `/api/admin/discoveries/${id}`, { as, body: { status } });

/** Visits pages with these texts, by address. Others do not exist. */
const buildVisit =
  (pages: Record<string, string>): VisitPage =>
  async (url) => ({
    kind: 'page',
    url,
    status: pages[url] === undefined ? 404 : 200,
    body: toParts(pages[url] ?? ''),
    close: () => undefined,
  });
async function* toParts(html: string) {
  yield html;
}
const offer = (price: string) => ({
  'https://seller.example/': `<p>We sell dofollow links on our site for ${price}.</p>`,
});
async function visit(pages: Record<string, string>, ...domains: string[]) {
  expect((await start(...domains)).statusCode).toBe(202);
  await visitWanted(context, buildVisit(pages), never);
}

test('names are visited once, and protected sites and names that cannot be listed never', async () => {
  const response = await start('www.Blog.example', 'https://blog.example/page', 'google.com', 'mit.edu', 'localhost');
  expect(response.statusCode).toBe(202);
  const { count, skipped } = response.json();
  expect(count).toBe(1);
  expect(skipped.map(({ name }: { name: string }) => name)).toEqual(['google.com', 'mit.edu', 'localhost']);
  const visited: string[] = [];
  await visitWanted(
    context,
    async (url) => {
      visited.push(url);
      return { kind: 'unreachable', reason: 'no response' };
    },
    never,
  );
  expect(visited).toEqual(['https://blog.example/']);
  expect(await find('nothing', 'blog.example')).toMatchObject({
    problem: 'no response',
    quote: null,
    status: 'nothing',
  });
});

test('an accepted proposal is a confirmed listing of the source crawler, even if a file named it before', async () => {
  await call('POST', '/api/domains', { as, body: { domain: 'earlier.example', source: 'crawler' } });
  expect((await decide(1_000_000, 'accepted')).statusCode).toBe(404);
  const readKind = () => db.selectFrom('sources').select('kind').where('name', '=', 'crawler').executeTakeFirst();
  expect(await readKind()).toEqual({ kind: 'manual' });
  await visit(offer('€80'), 'seller.example');
  const proposal = await find('proposed', 'seller.example');
  expect(proposal).toMatchObject({
    quote: 'We sell dofollow links on our site for €80.',
    price: 80,
    currency: 'EUR',
    url: 'https://seller.example/',
  });
  const accepted = await decide(proposal?.id ?? 0, 'accepted');
  expect(accepted.json()).toMatchObject({ status: 'accepted', domain: 'seller.example' });
  const { domains } = (await call('GET', '/api/domains?search=seller.example', { as })).json();
  expect(domains[0]).toMatchObject({ domain: 'seller.example', source: 'crawler', confidence: 'confirmed' });
  const listings = (await call('GET', `/api/domains/${domains[0].id}/listings`, { as })).json();
  expect(listings).toMatchObject([
    { source: 'crawler', kind: 'inventory', price: '80 EUR', evidenceUrl: 'https://seller.example/' },
  ]);
  expect((await decide(proposal?.id ?? 0, 'rejected')).statusCode).toBe(409);
  // Another visit does not propose it again.
  await visit(offer('€90'), 'seller.example');
  expect(await find('accepted', 'seller.example')).toMatchObject({ price: 90 });
});

test('a rejected site is proposed again only with another offer, and an offer that is gone is no proposal', async () => {
  const pages = (price: string) => ({
    'https://other.example/': `<p>We sell dofollow links on our site for ${price}.</p>`,
  });
  await visit(pages('$50'), 'other.example');
  await decide((await find('proposed', 'other.example'))?.id ?? 0, 'rejected');
  await visit(pages('$50'), 'other.example');
  expect(await find('rejected', 'other.example')).toBeDefined();
  await visit({}, 'other.example');
  expect(await find('rejected', 'other.example')).toMatchObject({ price: 50, problem: 'status 404' });
  await visit(pages('$70'), 'other.example');
  expect(await find('proposed', 'other.example')).toMatchObject({ price: 70 });
  await visit({ 'https://other.example/': '<p>A blog about birds.</p>' }, 'other.example');
  expect(await find('nothing', 'other.example')).toMatchObject({ price: null, quote: null });
});

test('sites of a whole web are visited side by side, and none is lost when the visits stop', async () => {
  const sites = buildWeb('more-sentences', 0.1);
  const visitPage = createVisit(sites);
  await start(...sites.map(({ domain }) => domain));
  const stop = new AbortController();
  let visits = 0;
  const stopped = visitWanted(
    context,
    (url) => {
      visits += 1;
      if (visits === 40) stop.abort(new Error('The process stops.'));
      stop.signal.throwIfAborted();
      return visitPage(url);
    },
    stop.signal,
  );
  await expect(stopped).rejects.toThrow('The process stops.');
  const { waiting } = (await call('GET', '/api/admin/discoveries', { as })).json();
  expect(waiting).toBeGreaterThan(0);
  await visitWanted(context, visitPage, never);
  const found = new Set((await list('proposed')).map(({ domain }) => domain));
  const sellers = sites.filter(({ sells }) => sells);
  expect(sellers.filter(({ domain }) => found.has(domain)).length).toBeGreaterThan(0.9 * sellers.length);
  expect((await call('GET', '/api/admin/discoveries', { as })).json().waiting).toBe(0);
});

test('pending submissions and referring domains with two patterns are candidates', async () => {
  const site = { evidence: 'They offer paid posts on a page.', source: 'email', cost: '$5', niche: 'Health' };
  await call('POST', '/api/site-submissions', { as, body: { ...site, domain: 'submitted.example' } });
  await sql`
    with website as (insert into websites (user_id, domain) values (${admin.id}, 'own.example') returning id),
    report as (
      insert into reports (website_id, file_name, total_backlinks, total_domains, unique_domains, toxic_domains,
        risk_counts, formats, ignored_tables)
      select id, 'a.csv', 2, 2, 2, 2, '{}', '[]', '[]' from website returning id
    )
    insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks, signals)
    select report.id, position, domain, 1, 'a', 1, now(), 1, signals
    from report, (values (0, 'one-pattern.example', 4), (1, 'two-patterns.example', 5)) as given (position, domain, signals)
  `.execute(db);
  await candidateJob.run(context, {}, never);
  const wanted = await db
    .selectFrom('discoveries')
    .select('domain')
    .where('wanted_at', 'is not', null)
    .orderBy('domain')
    .execute();
  expect(wanted).toEqual([{ domain: 'submitted.example' }, { domain: 'two-patterns.example' }]);
});

test('while visits are turned off, no site can be named, and only what was found before can be decided', async () => {
  const off = await startTestApp({});
  const { cookie } = await off.signUp({ admin: true });
  for (const [method, path, body] of [
    ['GET', '/api/admin/discoveries', undefined],
    ['POST', '/api/admin/discoveries', { domains: ['a.example'] }],
    ['PUT', '/api/admin/discoveries/1', { status: 'accepted' }],
  ] as const) {
    const response = await off.call(method, path, { as: cookie, ...(body && { body }) });
    expect([response.statusCode, response.json().code]).toEqual([409, 'crawl_disabled']);
  }
  // What was found before can still be decided.
  const seen = { domain: 'before.example', status: 'proposed', seen_at: new Date() } as const;
  await off.context.db.insertInto('discoveries').values(seen).execute();
  const { discoveries } = (await off.call('GET', '/api/admin/discoveries', { as: cookie })).json();
  const path = `/api/admin/discoveries/${discoveries[0].id}`;
  expect((await off.call('PUT', path, { as: cookie, body: { status: 'rejected' } })).statusCode).toBe(200);
});
