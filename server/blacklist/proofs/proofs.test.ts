import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createCrawler } from '../crawl/crawler.ts';
import { startWeb, type WebPage } from '../crawl/web.fixtures.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport } from '../imports/upload.fixtures.ts';
import { visitEvidence } from './jobs.ts';

const offer = '<p>We sell guest posts.</p><p>A post costs $1,250.00 with a dofollow link.</p>';
const seller: Record<string, WebPage> = { '/offer': offer, '/about': '<p>About us</p>' };
const market: Record<string, WebPage> = {
  '/list': `<table><tr><td>Seller.test<td>120<tr><td><a href="https://blog.linked.test/x">site</a></table>${'<p>more</p>'}`,
};
const web = await startWeb({ 'seller.test': seller, 'market.test': market });
const testApp = await startTestApp(
  { CRAWL: '1', ALLOW_PRIVATE_ADDRESSES: '1', DNS_SERVERS: web.dnsServer },
  { work: [importJob] },
);
const { context, signUp, call } = testApp;
const { db } = context;
context.outbound = web.outbound;
context.config.crawl.hostSeconds = 0.02;
context.config.crawl.perMinute = 60_000;
const admin = await signUp({ admin: true });
const { signal } = new AbortController();

const dayMs = 86_400_000;
let days = 0;
/** Visits what is due after some more days. robots.txt is read again, because it has expired. */
async function visitAfter(moreDays: number): Promise<void> {
  days += moreDays;
  const later = { ...context, now: () => new Date(Date.now() + days * dayMs) };
  await visitEvidence(later, createCrawler(later), signal);
}

async function list(rows: readonly string[]): Promise<void> {
  await uploadImport(testApp, admin.cookie, ['domain,source,sourceKind,evidenceUrl,price', ...rows].join('\n'));
}

const listingsOf = async (name: string) => {
  const { id } = await db.selectFrom('domains').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  return (await call('GET', `/api/domains/${id}/listings`, { as: admin.cookie })).json();
};
const proofOf = async (name: string) => (await listingsOf(name))[0].proof;
const confidenceOf = async (name: string) => (await call('GET', `/api/domains/by-name/${name}`)).json().confidence;
const visitsTo = (path: string) => web.visits.filter((visit) => visit.path === path).length;

await list([
  `seller.test,Offers,inventory,${web.at('seller.test/offer')},"$1,250"`,
  `linked.test,Market,inventory,${web.at('market.test/list')},`,
  `absent.test,Market,inventory,${web.at('market.test/list')},`,
]);

test('one visit to a page proves all its listings, with a quote, and it is repeated after 90 days', async () => {
  await visitAfter(0);
  expect(await proofOf('seller.test')).toEqual({
    status: 'seen',
    checkedAt: expect.any(String),
    quote: 'A post costs $1,250.00 with a dofollow link.',
    isGone: false,
  });
  expect(await proofOf('linked.test')).toMatchObject({ status: 'seen', quote: 'https://blog.linked.test/x' });
  expect(await proofOf('absent.test')).toMatchObject({ status: 'changed', quote: null });
  expect(visitsTo('/list')).toBe(1);
  await visitAfter(89);
  expect(visitsTo('/list')).toBe(1);
  await visitAfter(2);
  expect([visitsTo('/list'), visitsTo('/offer')]).toEqual([2, 2]);
});

test('a page that is gone twice, 30 days apart, lowers the confidence, and a later sighting restores it', async () => {
  delete seller['/offer'];
  await visitAfter(91);
  expect(await proofOf('seller.test')).toMatchObject({ status: 'gone', isGone: false });
  expect(await confidenceOf('seller.test')).toBe('confirmed');
  await visitAfter(31);
  expect(await proofOf('seller.test')).toMatchObject({ status: 'gone', isGone: true });
  expect(await confidenceOf('seller.test')).toBe('probable');
  // An import that repeats the same evidence does not prove it.
  await list([`seller.test,Offers,inventory,${web.at('seller.test/offer')},"$1,300"`]);
  await visitAfter(0);
  expect(await confidenceOf('seller.test')).toBe('probable');
  seller['/offer'] = offer.replace('1,250', '1,300');
  await visitAfter(91);
  expect(await proofOf('seller.test')).toMatchObject({ status: 'seen', isGone: false });
  expect(await confidenceOf('seller.test')).toBe('confirmed');
});

test('a server that does not respond proves nothing, and another address starts again', async () => {
  seller['/offer'] = (response) => response.writeHead(500).end();
  await visitAfter(91);
  expect(await proofOf('seller.test')).toMatchObject({ status: 'unreachable', isGone: false });
  // The listing keeps its price, which that page does not have.
  await list([`seller.test,Offers,inventory,${web.at('seller.test/about')},`]);
  expect(await proofOf('seller.test')).toBeNull();
  await visitAfter(0);
  expect(await proofOf('seller.test')).toMatchObject({ status: 'changed', quote: null });
});

test('nothing is visited while visits are off', async () => {
  await call('PUT', '/api/admin/settings/crawl', { as: admin.cookie, body: { enabled: false } });
  const before = web.visits.length;
  await visitAfter(400);
  expect(web.visits.length).toBe(before);
});
