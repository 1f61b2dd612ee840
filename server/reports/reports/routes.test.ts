import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);

await createDomains(
  { name: 'very.test', risk: 4, sources: ['a', 'b', 'c', 'd', 'e'] },
  { name: 'high.test', risk: 3, sources: ['a', 'b', 'c', 'd'] },
  { name: 'also-high.test', risk: 3, sources: ['a', 'b', 'c', 'd'] },
  { name: 'low.test', risk: 1, sources: ['=cmd()'] },
);
const rows = [
  'https://low.test/1',
  'https://high.test/1',
  'https://very.test/1',
  'https://sub.also-high.test/1',
  'https://fine.test/',
  'https://low.test/2',
  'https://high.test/2',
];
const inOrder = [
  'https://very.test/1',
  'https://sub.also-high.test/1',
  'https://high.test/1',
  'https://high.test/2',
  'https://low.test/1',
  'https://low.test/2',
];
const file = `url\n${rows.join('\n')}\n`;

async function createReport() {
  const owner = await createOwner();
  return { ...owner, report: await analyze(owner.cookie, owner.site.id, file) };
}

test('a report contains its entries as JSON text, highest risk first', async () => {
  const { cookie, site, report } = await createReport();
  const whole = (await call('GET', `/api/reports/${report.reportId}`, { as: cookie })).json();
  expect(whole).toMatchObject({ id: report.reportId, domain: site.domain, harmfulBacklinks: 6, totalBacklinks: 7 });
  const entries: { referringPage: string }[] = JSON.parse(whole.reportData);
  expect(entries.map((entry) => entry.referringPage)).toEqual(inOrder);
  expect(entries).toEqual(report.toxicBacklinks);
});

test('summaries are listed newest first, without entries', async () => {
  const { cookie, site, report } = await createReport();
  const second = await analyze(cookie, site.id, file);
  const summaries = (await call('GET', `/api/profiles/${site.id}/reports`, { as: cookie })).json();
  expect(summaries.map((summary: { id: number }) => summary.id)).toEqual([second.reportId, report.reportId]);
  expect(summaries[0]).not.toHaveProperty('reportData');
  expect(summaries[0]).toMatchObject({
    riskCounts: { veryHigh: 1, high: 3, medium: 0, low: 2 },
    toxicDomains: 4,
    uniqueDomains: 5,
  });
});

test('harmful backlinks are paged with exact totals, for all levels or one', async () => {
  const { cookie, report } = await createReport();
  const page = async (query: string) => {
    const response = await call('GET', `/api/reports/${report.reportId}/backlinks?${query}`, { as: cookie });
    const { backlinks, pagination } = response.json();
    return [
      backlinks.map((entry: { referringPage: string }) => entry.referringPage),
      pagination.total,
      pagination.totalPages,
    ];
  };
  expect(await page('pageSize=4')).toEqual([inOrder.slice(0, 4), 6, 2]);
  expect(await page('pageSize=4&page=1')).toEqual([inOrder.slice(4), 6, 2]);
  expect(await page('pageSize=4&page=2')).toEqual([[], 6, 2]);
  expect(await page('riskLevel=high&pageSize=2')).toEqual([inOrder.slice(1, 3), 3, 2]);
  expect(await page('riskLevel=high&pageSize=2&page=1')).toEqual([inOrder.slice(3, 4), 3, 2]);
  expect(await page('riskLevel=medium')).toEqual([[], 0, 0]);
  expect(await page('riskLevel=low')).toEqual([inOrder.slice(4), 2, 1]);
  expect(await page('riskLevel=very%20high')).toEqual([inOrder.slice(0, 1), 1, 1]);
  expect(
    (await call('GET', `/api/reports/${report.reportId}/backlinks?riskLevel=worst`, { as: cookie })).statusCode,
  ).toBe(400);
});

test('the CSV contains every entry and neutralizes formulas', async () => {
  const { cookie, site, report } = await createReport();
  const url = `/api/reports/${report.reportId}/export-harmful-backlinks?firebaseUid=x`;
  const response = await call('GET', url, { as: cookie });
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(response.headers['content-disposition']).toMatch(
    new RegExp(`^attachment; filename="harmful-backlinks-${site.domain}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
  );
  const lines = response.body.split('\r\n');
  expect(lines[0]).toBe('Domain,Referring Page,Risk Level,Reason,Source,Confidence,Decision');
  expect(lines[1]).toBe(
    'very.test,https://very.test/1,very high,"Listed since Jan 5, 2024, now by 5 sources","a, b, c, d, e",probable,',
  );
  expect(lines[6]).toBe(
    `low.test,https://low.test/2,low,"Listed since Jan 5, 2024, now by 1 source",'=cmd(),reported,`,
  );
  expect(lines.slice(7)).toEqual(['']);
});

test('the CSV of one risk level contains only its entries, and its file name says so', async () => {
  const { cookie, site, report } = await createReport();
  const exportCsv = (query: string) =>
    call('GET', `/api/reports/${report.reportId}/export-harmful-backlinks?${query}`, { as: cookie });
  const response = await exportCsv('riskLevel=very%20high');
  expect(response.headers['content-disposition']).toContain(`"harmful-backlinks-very-high-risk-${site.domain}-`);
  const pages = (body: string) =>
    body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
  expect(pages(response.body)).toEqual(inOrder.slice(0, 1));
  expect(pages((await exportCsv('riskLevel=high')).body)).toEqual(inOrder.slice(1, 4));
  expect(pages((await exportCsv('riskLevel=medium')).body)).toEqual([]);
  expect((await exportCsv('riskLevel=worst')).statusCode).toBe(400);
});

test('the disavow file contains a line for each listed domain', async () => {
  const { cookie, site, report } = await createReport();
  const response = await call('GET', `/api/reports/${report.reportId}/disavow.txt`, { as: cookie });
  expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(response.headers['content-disposition']).toMatch(
    new RegExp(`^attachment; filename="disavow-${site.domain}-\\d{4}-\\d\\d-\\d\\d\\.txt"$`),
  );
  const lines = response.body.split('\n').filter((line) => !line.startsWith('#'));
  expect(lines).toEqual(['domain:also-high.test', 'domain:high.test', 'domain:low.test', 'domain:very.test', '']);
  const high = await call('GET', `/api/reports/${report.reportId}/disavow.txt?riskLevel=high`, { as: cookie });
  expect(high.body.match(/^domain:.*$/gm)).toEqual(['domain:also-high.test', 'domain:high.test']);
});

test('domains that are now protected are not in the disavow file', async () => {
  await createDomains(
    { name: 'github.com', risk: 4 },
    { name: 'friend.test', risk: 2 },
    { name: 'decided.edu', risk: 4 },
  );
  const { cookie, site } = await createOwner();
  const links = 'url\nhttps://github.com/a\nhttps://friend.test/\nhttps://decided.edu/\nhttps://low.test/1\n';
  const { reportId } = await analyze(cookie, site.id, links);
  const admin = await signUp({ admin: true });
  await context.db
    .insertInto('site_rules')
    .values([
      { domain: 'friend.test', decision: 'allow', reason: 'My secret', created_by: admin.id },
      { domain: 'decided.edu', decision: 'list', reason: 'It sells links', created_by: admin.id },
    ])
    .execute();
  const { body } = await call('GET', `/api/reports/${reportId}/disavow.txt`, { as: cookie });
  expect(body.match(/^domain:.*$/gm)).toEqual(['domain:decided.edu', 'domain:low.test']);
  expect(body).toContain('# This file leaves out 2 domains that are well-known sites, public institutions,');
  await context.db.deleteFrom('domains').where('name', 'in', ['github.com', 'friend.test', 'decided.edu']).execute();
});

test('a report does not change when the blacklist changes', async () => {
  await createDomains({ name: 'changes.test', risk: 2, sources: ['one', 'two'] });
  const { cookie, site } = await createOwner();
  const before = await analyze(cookie, site.id, 'url\nhttps://changes.test/\n');
  await context.db
    .updateTable('domains')
    .set({ risk_level: 4, source: ['three'] })
    .where('name', '=', 'changes.test')
    .execute();
  const read = async () =>
    JSON.parse((await call('GET', `/api/reports/${before.reportId}`, { as: cookie })).json().reportData);
  expect(await read()).toEqual(before.toxicBacklinks);
  await context.db.deleteFrom('domains').where('name', '=', 'changes.test').execute();
  expect(await read()).toEqual(before.toxicBacklinks);
  expect(await analyze(cookie, site.id, 'url\nhttps://changes.test/\n')).toMatchObject({
    harmfulBacklinks: 0,
    toxicityPercentage: 0,
  });
});

test('a report counts the sources of a family once and keeps the confidence of that time', async () => {
  await createDomains({ name: 'family.test', risk: 2, sources: ['one', 'copy', 'another'] });
  const setEvidence = (copies: number, proof: number) =>
    context.db.updateTable('domains').set({ copies, proof }).where('name', '=', 'family.test').execute();
  await setEvidence(1, 2);
  const { cookie, site } = await createOwner();
  const { reportId, toxicBacklinks } = await analyze(cookie, site.id, 'url\nhttps://family.test/\n');
  const facts = { confidence: 'confirmed', independentSourceCount: 2 };
  expect(toxicBacklinks).toMatchObject([
    { ...facts, reason: 'Listed since Jan 5, 2024, now by 2 independent sources' },
  ]);
  await setEvidence(2, 0);
  const { domains } = (await call('GET', `/api/reports/${reportId}/domains`, { as: cookie })).json();
  expect(domains).toMatchObject([{ domain: 'family.test', riskLevel: 'medium', ...facts, backlinks: 1 }]);
});

test('a page of backlinks has the id of each domain on the blacklist, and null once it is delisted', async () => {
  await createDomains(
    { name: 'stays.test', risk: 1, sources: ['one'] },
    { name: 'goes.test', risk: 1, sources: ['one'] },
  );
  const { cookie, site } = await createOwner();
  const { reportId } = await analyze(cookie, site.id, 'url\nhttps://stays.test/\nhttps://goes.test/\n');
  await context.db.deleteFrom('domains').where('name', '=', 'goes.test').execute();
  const { id } = await context.db
    .selectFrom('domains')
    .select('id')
    .where('name', '=', 'stays.test')
    .executeTakeFirstOrThrow();
  const { backlinks } = (await call('GET', `/api/reports/${reportId}/backlinks`, { as: cookie })).json();
  expect(backlinks).toMatchObject([
    { domain: 'goes.test', domainId: null },
    { domain: 'stays.test', domainId: id },
  ]);
});

test('a deleted report returns 404', async () => {
  const { cookie, site, report } = await createReport();
  expect((await call('DELETE', `/api/reports/${report.reportId}`, { as: cookie })).statusCode).toBe(204);
  expect((await call('DELETE', `/api/reports/${report.reportId}`, { as: cookie })).statusCode).toBe(404);
  expect((await call('GET', `/api/profiles/${site.id}/reports`, { as: cookie })).json()).toEqual([]);
});

test('only the owner can read and delete a report', async () => {
  const { report, site } = await createReport();
  const [other, admin] = [await signUp(), await signUp({ admin: true })];
  const calls = [
    ['GET', `/api/profiles/${site.id}/reports`],
    ['GET', `/api/reports/${report.reportId}`],
    ['GET', `/api/reports/${report.reportId}/backlinks`],
    ['GET', `/api/reports/${report.reportId}/export-harmful-backlinks`],
    ['GET', `/api/reports/${report.reportId}/disavow.txt`],
    ['GET', `/api/reports/${report.reportId}/domains`],
    ['DELETE', `/api/reports/${report.reportId}`],
  ] as const;
  for (const [method, url] of calls) {
    expect([url, (await call(method, url)).statusCode]).toEqual([url, 401]);
    expect([url, (await call(method, url, { as: other.cookie })).statusCode]).toEqual([url, 404]);
    expect([url, (await call(method, url, { as: admin.cookie })).statusCode]).toEqual([url, 404]);
  }
});
