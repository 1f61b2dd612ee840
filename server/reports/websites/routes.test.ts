import { expect, test } from 'vitest';
import type { Website } from '#shared/reports/websites.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({ PROFILE_SCOPE: 'system' }, { work: analysisJobs });
const { call, signUp } = testApp;
const { createOwner, analyze, createWebsite, createDomains } = buildAnalysisCalls(testApp);

test('a website is stored under the normalized host of the input', async () => {
  const { cookie, id } = await signUp();
  const names = [];
  for (const domain of ['https://www.My-Shop.example/start?a=1', 'blog.my-shop.example', 'müller.example']) {
    const response = await call('POST', '/api/profiles', {
      as: cookie,
      body: { domain, firebaseUid: 'x', userId: id },
    });
    expect(response.statusCode).toBe(201);
    names.push(response.json().domain);
  }
  expect(names).toEqual(['my-shop.example', 'blog.my-shop.example', 'xn--mller-kva.example']);
  const websites = (await call('GET', '/api/profiles', { as: cookie })).json();
  expect(websites.map((website: { domain: string }) => website.domain)).toEqual([...names].reverse());
  expect(websites[0]).toMatchObject({ description: null, lastReport: null, reportCount: 0 });
});

test('an invalid website is rejected with an error for its field', async () => {
  const { cookie } = await signUp();
  for (const domain of [
    '',
    '   ',
    'not a name',
    '192.0.2.1',
    'co.uk',
    'wordpress.com',
    'a'.repeat(3000),
    'a\0b.example',
  ]) {
    const response = await call('POST', '/api/profiles', { as: cookie, body: { domain } });
    expect([domain.slice(0, 20), response.statusCode]).toEqual([domain.slice(0, 20), 400]);
    expect(response.json().fields.domain).toMatch(/\w/);
  }
});

test('a website can be added once in the whole system, and only its owner gets its id', async () => {
  const [first, second] = [await createOwner(), await signUp()];
  const again = { domain: `www.${first.site.domain}` };
  const own = await call('POST', '/api/profiles', { as: first.cookie, body: again });
  expect(own.statusCode).toBe(409);
  expect(own.json()).toMatchObject({
    error: 'This domain already exists in the system. Please try a different domain.',
    existingProfileId: first.site.id,
  });
  const other = await call('POST', '/api/profiles', { as: second.cookie, body: again });
  expect(other.statusCode).toBe(409);
  expect(other.json()).not.toHaveProperty('existingProfileId');
});

test('of simultaneous attempts to add the same website one succeeds', async () => {
  const { cookie } = await signUp();
  const add = () => call('POST', '/api/profiles', { as: cookie, body: { domain: 'raced.example' } });
  const codes = (await Promise.all(Array.from({ length: 8 }, add))).map((response) => response.statusCode);
  expect(codes.sort()).toEqual([201, ...Array(7).fill(409)]);
});

test('the websites of another user cannot be listed or deleted, not even by an admin', async () => {
  const [first, second, admin] = [await createOwner(), await signUp(), await signUp({ admin: true })];
  for (const { cookie } of [second, admin]) {
    expect((await call('GET', `/api/profiles?userId=${first.id}`, { as: cookie })).statusCode).toBe(403);
    const asOtherUser = { domain: 'not-theirs.example', userId: first.id };
    expect((await call('POST', '/api/profiles', { as: cookie, body: asOtherUser })).statusCode).toBe(403);
    expect((await call('GET', '/api/profiles', { as: cookie })).json()).toEqual([]);
    expect((await call('GET', `/api/profiles/${first.site.id}/reports`, { as: cookie })).statusCode).toBe(404);
    expect((await call('DELETE', `/api/profiles/${first.site.id}`, { as: cookie })).statusCode).toBe(404);
  }
  expect((await call('GET', '/api/profiles', { as: first.cookie })).json()).toHaveLength(1);
});

test('visitors get 401', async () => {
  const { site } = await createOwner();
  expect((await call('GET', '/api/profiles')).statusCode).toBe(401);
  expect((await call('POST', '/api/profiles', { body: { domain: 'visitor.example' } })).statusCode).toBe(401);
  expect((await call('DELETE', `/api/profiles/${site.id}`)).statusCode).toBe(401);
});

test('deleting a website deletes its reports, and its domain can be added again', async () => {
  await createDomains({ name: 'gone-with-it.test' });
  const { cookie, id, site } = await createOwner();
  const { reportId } = await analyze(cookie, site.id, 'url\nhttps://gone-with-it.test/\n');
  expect((await call('DELETE', `/api/profiles/${site.id}?firebaseUid=x&userId=${id}`, { as: cookie })).statusCode).toBe(
    204,
  );
  expect((await call('GET', `/api/reports/${reportId}`, { as: cookie })).statusCode).toBe(404);
  expect((await createWebsite(cookie, site.domain)).domain).toBe(site.domain);
});

test('each listed website has its newest report and its number of reports', async () => {
  await createDomains({ name: 'trend.test' });
  const { cookie, site } = await createOwner();
  const unused = await createWebsite(cookie);
  await analyze(cookie, site.id, 'url\nhttps://trend.test/\n');
  const newest = await analyze(cookie, site.id, 'url\nhttps://trend.test/\nhttps://fine.test/\n');
  const websites = (await call('GET', '/api/profiles', { as: cookie })).json();
  expect(websites).toMatchObject([
    { id: unused.id, reportCount: 0, lastReport: null, trend: [] },
    { id: site.id, reportCount: 2, lastReport: { id: newest.reportId, toxicityPercentage: 50 } },
  ]);
});

test('the trend of a website has its last 12 reports, without percentages that would mislead', async () => {
  const { cookie, site } = await createOwner();
  const other = await createWebsite(cookie);
  const insertReport = (websiteId: number, uniqueDomains: number, day: number) =>
    testApp.context.db
      .insertInto('reports')
      .values({
        website_id: websiteId,
        created_at: new Date(Date.UTC(2026, 0, day)),
        file_name: 'links.csv',
        formats: '[]',
        ignored_tables: '[]',
        total_backlinks: uniqueDomains,
        nofollow_backlinks: 0,
        lost_backlinks: 0,
        total_domains: uniqueDomains,
        unique_domains: uniqueDomains,
        toxic_domains: 1,
        risk_counts: JSON.stringify({ veryHigh: 0, high: 0, medium: 0, low: 1 }),
        including_lost: null,
      })
      .execute();
  await insertReport(other.id, 1, 1);
  for (let day = 1; day <= 13; day++) await insertReport(site.id, 12 + day, day);
  const readWebsites = async (): Promise<Website[]> => (await call('GET', '/api/profiles', { as: cookie })).json();
  const [short, long] = (await readWebsites()) as [Website, Website];
  expect(short.trend).toEqual([
    { date: '2026-01-01T00:00:00.000Z', toxicityPercentage: null, toxicDomains: 1, uniqueDomains: 1 },
  ]);
  expect(long.trend.map(({ uniqueDomains }) => uniqueDomains)).toEqual(Array.from({ length: 12 }, (_, i) => i + 14));
  expect(long.trend.map(({ toxicityPercentage }) => toxicityPercentage)).toEqual([
    ...new Array(6).fill(null),
    ...[20, 21, 22, 23, 24, 25].map((count) => 100 / count),
  ]);
  expect(long.trend.at(-1)?.date).toBe(long.lastReport?.dateCreated);

  expect((await call('DELETE', `/api/reports/${long.lastReport?.id}`, { as: cookie })).statusCode).toBe(204);
  const [, { reportCount, lastReport, trend }] = (await readWebsites()) as [Website, Website];
  expect([reportCount, lastReport?.uniqueDomains, trend.length]).toEqual([12, 24, 12]);
  expect(trend[0]?.uniqueDomains).toBe(13);
});

test('answers to "Should I disavow?" are saved with the website', async () => {
  const { cookie, site } = await createOwner();
  const save = (as: string, answers: object) =>
    call('PUT', `/api/profiles/${site.id}/disavow-answers`, { as, body: answers });
  const getAnswers = async () => {
    const websites: Website[] = (await call('GET', '/api/profiles', { as: cookie })).json();
    return websites.find(({ id }) => id === site.id)?.disavowAnswers;
  };
  expect(await getAnswers()).toBeNull();
  const answers = { manualAction: 'no', boughtLinks: 'yes', suddenDrop: 'unsure' };
  const response = await save(cookie, answers);
  const saved = { ...answers, answeredAt: expect.any(String) };
  expect([response.statusCode, response.json()]).toEqual([200, saved]);
  expect(await getAnswers()).toEqual(saved);
  expect((await save(cookie, { ...answers, suddenDrop: 'perhaps' })).statusCode).toBe(400);
  expect((await save((await signUp()).cookie, answers)).statusCode).toBe(404);
  expect(await getAnswers()).toEqual(saved);
});
