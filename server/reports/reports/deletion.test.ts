import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { exportDomainsAsCsv, exportDomainsAsXlsx } from './export-domains.ts';
import { repeatedPurge, undoMs } from './jobs.ts';
import { exportBacklinks } from './reports.ts';

const testApp = await startTestApp({}, { work: [...analysisJobs, repeatedPurge] });
const { app, call, context } = testApp;
const { db } = context;
// What is deleted can be restored for a minute, and then its rows are deleted.
const clock = context.now;
context.now = () => new Date(clock().getTime() + 2 * undoMs);
const { createOwner, analyze, createDomains, upload } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test' });
await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());

const never = new AbortController().signal;
const domains = 6000;
const links = 12_000;

/** Creates a report and adds listed domains with links to it, more than an export reads at once. */
async function createLargeReport() {
  const owner = await createOwner();
  const { reportId } = await analyze(owner.cookie, owner.site.id, 'url\nhttps://listed.test/\n');
  await sql`
    insert into report_domains (report_id, position, domain, risk_level, source, source_count, copies, proof, listed_at, backlinks)
    select report_id, n, 'd' || n || '.test', risk_level, source, source_count, copies, proof, listed_at, 1
    from report_domains, generate_series(1, ${domains}::integer - 1) as n where report_id = ${reportId}
  `.execute(db);
  await sql`
    insert into report_links (report_id, position, links)
    select ${reportId}, min(n), string_agg('0' || chr(31) || 'https://listed.test/' || n || repeat('x', 1000), chr(30) order by n)
    from generate_series(1, ${links}::integer - 1) as n group by n / 100
  `.execute(db);
  await sql`update reports set risk_counts = jsonb_set(risk_counts, '{low}', ${String(links)}::jsonb) where id = ${reportId}`.execute(
    db,
  );
  return { ...owner, reportId };
}

const deleteReport = async ({ cookie, reportId }: { cookie: string; reportId: number }) =>
  expect((await call('DELETE', `/api/reports/${reportId}`, { as: cookie })).statusCode).toBe(204);

/** Counts the rows that the tables still have of a report and a website. */
async function countRows(reportId: number, websiteId: number) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from report_links where report_id = ${reportId}) as links,
      (select count(*) from report_domains where report_id = ${reportId}) as domains,
      (select coalesce(sum(host_count), 0) from website_host_blocks where website_id = ${websiteId}) as hosts,
      (select count(*) from deleted_reports) + (select count(*) from deleted_websites) as pending
  `.execute(db);
  return rows[0];
}

test('the links of every page are those of the file, in order, without gaps', async () => {
  const report = await createLargeReport();
  const { csv } = await exportBacklinks(db, report.id, report.reportId, {});
  let text = '';
  for await (const chunk of csv) text += chunk;
  const pages = text.split('\r\n').map((line) => /listed\.test\/(\d*)x*,/.exec(line)?.[1]);
  expect(pages.slice(1, -1)).toEqual(['', ...Array.from({ length: links - 1 }, (_, n) => String(n + 1))]);
});

test.each([
  ['backlinks as CSV', async (id: number, reportId: number) => (await exportBacklinks(db, id, reportId, {})).csv],
  ['domains as CSV', async (id: number, reportId: number) => (await exportDomainsAsCsv(context, id, reportId, {})).csv],
  [
    'domains as XLSX',
    async (id: number, reportId: number) => (await exportDomainsAsXlsx(context, id, reportId, {})).xlsx,
  ],
])('an export of %s fails if the report is deleted before its end', async (_what, open) => {
  const report = await createLargeReport();
  const stream = await open(report.id, report.reportId);
  const chunks = (stream as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  expect((await chunks.next()).done).toBe(false);
  await deleteReport(report);
  const readRest = async () => {
    while (!(await chunks.next()).done);
  };
  await expect(readRest()).rejects.toThrow('There is no report');
});

test('the connection of an export breaks if the report is deleted before its end', async () => {
  const report = await createLargeReport();
  const { port } = app.server.address() as AddressInfo;
  const request = get({
    port,
    path: `/api/reports/${report.reportId}/export-harmful-backlinks`,
    headers: { cookie: report.cookie },
  });
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(200);
  await once(response, 'readable');
  await deleteReport(report);
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
  expect(response.complete).toBe(false);
});

test('decisions that change during an export neither skip nor repeat a domain', async () => {
  const report = await createLargeReport();
  const { csv } = await exportDomainsAsCsv(context, report.id, report.reportId, { decision: 'undecided' });
  const names = new Set<string>();
  let lines = 0;
  for await (const chunk of csv) {
    if (lines === 0) {
      const body = { domains: Array.from({ length: 100 }, (_, n) => `d${n + 1}.test`), decision: 'keep' };
      const decided = await call('PUT', `/api/profiles/${report.site.id}/decisions`, { as: report.cookie, body });
      expect(decided.statusCode).toBeLessThan(300);
    }
    for (const line of String(chunk).split('\r\n')) {
      lines += 1;
      names.add(line.split(',')[0] ?? '');
    }
  }
  for (let n = 1; n < domains; n += 1) expect(names.has(`d${n}.test`)).toBe(true);
});

test('a deleted report disappears at once, and its rows are deleted in the background', async () => {
  const { reportId, site, ...owner } = await createLargeReport();
  const other = await analyze(owner.cookie, site.id, 'url\nhttps://listed.test/\nhttps://other.test/\n');
  await deleteReport({ ...owner, reportId });
  expect((await call('GET', `/api/reports/${reportId}`, { as: owner.cookie })).statusCode).toBe(404);
  await expect
    .poll(() => countRows(reportId, site.id), { timeout: 60_000 })
    .toEqual({ links: 0, domains: 0, hosts: 2, pending: 0 });
  expect(await countRows(other.reportId, site.id)).toMatchObject({ links: 1, domains: 1 });
});

test('the rows of a deleted website are deleted once, even if two workers do it at the same time', async () => {
  const { reportId, site, cookie } = await createLargeReport();
  expect((await call('DELETE', `/api/profiles/${site.id}`, { as: cookie })).statusCode).toBe(204);
  await Promise.all([repeatedPurge.run(context, never), repeatedPurge.run(context, never)]);
  await expect
    .poll(() => countRows(reportId, site.id), { timeout: 60_000 })
    .toEqual({ links: 0, domains: 0, hosts: 0, pending: 0 });
});

test('a report that is deleted while its domains are counted disappears without an error', async () => {
  const owner = await createOwner();
  const [first, second] = [
    await analyze(owner.cookie, owner.site.id, 'url\nhttps://listed.test/1\n'),
    await analyze(owner.cookie, owner.site.id, 'url\nhttps://listed.test/2\n'),
  ];
  // The second one is compared with nothing from now on, so the next request counts it again.
  await deleteReport({ ...owner, reportId: first.reportId });
  const get = (path: string) => call('GET', path, { as: owner.cookie });
  let requests: ReturnType<typeof call>[] = [];
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('reports').where('id', '=', second.reportId).execute();
    requests = [get(`/api/reports/${second.reportId}/overview`), get('/api/profiles')];
    await expect.poll(() => listLockWaiters(context.pool, '%for no key update%')).toHaveLength(2);
  });
  const [overview, websites] = await Promise.all(requests);
  expect(overview?.statusCode).toBe(404);
  expect(websites?.json()).toMatchObject([{ id: owner.site.id, lastReport: null, reportCount: 0 }]);
  await repeatedPurge.run(context, never);
  await expect
    .poll(() => countRows(second.reportId, owner.site.id), { timeout: 60_000 })
    .toEqual({ links: 0, domains: 0, hosts: 0, pending: 0 });
});

test('a report and its website are deleted at once while an analysis writes, and nothing of it is left', async () => {
  const owner = await createOwner();
  const { cookie, site } = owner;
  const before = await analyze(cookie, site.id, 'url\nhttps://listed.test/\n');
  let uploading: ReturnType<typeof upload> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`lock table report_links in share mode`.execute(trx);
    uploading = upload(cookie, { profileId: String(site.id) }, 'url\nhttps://listed.test/\n');
    await expect.poll(() => listLockWaiters(context.pool, 'copy report_links%')).toHaveLength(1);
    await deleteReport({ ...owner, reportId: before.reportId });
    expect((await call('DELETE', `/api/profiles/${site.id}`, { as: cookie })).statusCode).toBe(204);
  });
  expect((await uploading)?.statusCode).toBe(404);
  await repeatedPurge.run(context, never);
  const orphans = async () =>
    (
      await sql`select from report_domains where report_id not in (select id from reports)
        union all select from report_links where report_id not in (select id from reports)
        union all select from website_host_blocks where website_id = ${site.id}
        union all select from deleted_reports union all select from deleted_websites`.execute(db)
    ).rows.length;
  await expect.poll(orphans, { timeout: 60_000 }).toBe(0);
});
