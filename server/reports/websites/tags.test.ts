import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, signUp } = testApp;
const { createOwner, createWebsite, analyze, createDomains } = buildAnalysisCalls(testApp);

await createDomains({ name: 'a.test' }, { name: 'b.test' }, { name: 'c.test' }, { name: 'lost.test' });

const readWebsites = async (as: string) => (await call('GET', '/api/profiles', { as })).json();
const update = (as: string, id: number, body: object) => call('PUT', `/api/profiles/${id}`, { as, body });

test('tags are trimmed and replace the earlier ones', async () => {
  const { cookie, site } = await createOwner();
  expect((await readWebsites(cookie))[0].tags).toEqual([]);
  const first = await update(cookie, site.id, { tags: [' Client A ', 'shop'] });
  expect([first.statusCode, first.json()]).toMatchObject([200, { tags: ['Client A', 'shop'] }]);
  const second = (await update(cookie, site.id, { tags: ['blog'] })).json();
  expect(second.tags).toEqual(['blog']);
  expect(second).toEqual((await readWebsites(cookie))[0]);
  const data = (await call('GET', '/api/account/data', { as: cookie })).json();
  expect(data.websites).toMatchObject([{ id: site.id, tags: ['blog'] }]);
});

test('too many, too long, empty and repeated tags are refused', async () => {
  const { cookie, site } = await createOwner();
  const accepted = [...Array.from({ length: 9 }, (_, i) => `tag ${i}`), 'x'.repeat(30)];
  expect((await update(cookie, site.id, { tags: accepted })).statusCode).toBe(200);
  for (const tags of [[...accepted, 'one more'], ['x'.repeat(31)], [' '], ['Shop', 'shop'], 'shop', [1]]) {
    expect([tags, (await update(cookie, site.id, { tags })).statusCode]).toEqual([tags, 400]);
  }
  expect((await readWebsites(cookie))[0].tags).toEqual(accepted);
});

test('nobody else can change a website, not even an admin', async () => {
  const { site } = await createOwner();
  for (const { cookie } of [await signUp(), await signUp({ admin: true })]) {
    expect((await update(cookie, site.id, { tags: ['theirs'] })).statusCode).toBe(404);
  }
});

test('a website counts the listed, new and undecided domains of its newest report, without lost links', async () => {
  const { cookie, site } = await createOwner();
  const other = await createWebsite(cookie);
  const read = async () => {
    const websites: Record<string, unknown>[] = await readWebsites(cookie);
    return websites.map((one) => [one.listedDomains, one.openReviews, one.newToxicDomains]);
  };
  expect(await read()).toEqual([
    [0, 0, null],
    [0, 0, null],
  ]);
  const first = await analyze(cookie, site.id, 'url\nhttps://a.test/\n');
  await analyze(cookie, other.id, 'url\nhttps://a.test/\nhttps://b.test/\n');
  expect(await read()).toEqual([
    [2, 2, null],
    [1, 1, null],
  ]);
  const lines = ['a.test/,', 'b.test/1,', 'b.test/2,2026-01-02', 'c.test/,', 'lost.test/,2026-01-02'];
  const { reportId } = await analyze(
    cookie,
    site.id,
    `Source URL,Lost\n${lines.map((one) => `https://${one}`).join('\n')}`,
  );
  const decide = (domain: string, body: object) =>
    call('PUT', `/api/profiles/${site.id}/decisions`, { as: cookie, body: { domains: [domain], ...body } });
  await decide('b.test', { decision: 'disavow' });
  await decide('a.test', { decision: null, note: 'Ask the client.' });
  // A decision about a domain that is not in the report, or about another website, changes nothing.
  await decide('elsewhere.test', { decision: 'keep' });
  expect(await read()).toEqual([
    [2, 2, null],
    [3, 2, 2],
  ]);
  const { decisionCounts, previous } = (await call('GET', `/api/reports/${reportId}/overview`, { as: cookie })).json();
  expect([decisionCounts.undecided, previous.newDomains]).toEqual([2, 2]);

  await call('DELETE', `/api/reports/${first.reportId}`, { as: cookie });
  expect((await read())[1]).toEqual([3, 2, null]);
  await call('DELETE', `/api/reports/${reportId}`, { as: cookie });
  expect((await read())[1]).toEqual([0, 0, null]);
});
