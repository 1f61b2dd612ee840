import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { purgeDeletedRows, undoMs } from './jobs.ts';

const testApp = await startTestApp({ PROFILE_SCOPE: 'owner' }, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createOwner, createWebsite, analyze, createDomains, upload } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test' });
const links = 'url\nhttps://listed.test/\n';

async function createReport() {
  const { cookie: as, site } = await createOwner();
  const { reportId } = await analyze(as, site.id, links);
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const response = await call(method, path, { as, ...(body && { body }) });
    return { status: response.statusCode, json: response.body ? response.json() : undefined };
  };
  return { as, send, site, reportId, website: `/api/profiles/${site.id}`, report: `/api/reports/${reportId}` };
}

/** Deletes what was deleted more than a minute before a time. */
const purge = (after: number) =>
  purgeDeletedRows({ ...context, now: () => new Date(Date.now() + after) }, AbortSignal.timeout(10_000));

test('a deleted report can be restored as it was, with its domains and links', async () => {
  const { send, report, website } = await createReport();
  const read = async () => [
    await send('GET', report),
    await send('GET', `${report}/domains`),
    await send('GET', `${website}/reports`),
  ];
  const { asOf: _, ...before } = (await read())[1]?.json ?? {};
  const figures = (await read())[0];
  expect((await send('DELETE', report)).status).toBe(204);
  expect((await send('GET', report)).status).toBe(404);
  await purge(0);
  expect((await send('POST', `${report}/restore`)).status).toBe(204);
  expect((await read())[0]).toEqual(figures);
  expect((await read())[1]?.json).toMatchObject(before);
  expect((await send('POST', `${report}/restore`)).status).toBe(404);
});

test('a deleted website comes back with its reports, decisions and tags, but without running analyses', async () => {
  const { as, send, site, website, report } = await createReport();
  await call('PUT', website, { as, body: { tags: ['client'] } });
  await call('PUT', `${website}/decisions`, { as, body: { domains: ['listed.test'], decision: 'keep' } });
  const waiting = await upload(
    as,
    { profileId: String(site.id), ask: '1' },
    'uno,due\nhttps://listed.test/,https://a.test/\nhttps://fine.test/,https://b.test/\n',
  );
  expect(waiting.statusCode).toBe(202);
  const before = (await send('GET', '/api/profiles')).json;
  expect((await send('DELETE', website)).status).toBe(204);
  expect([(await send('GET', '/api/profiles')).json, (await send('GET', report)).status]).toEqual([[], 404]);
  expect((await send('GET', '/api/backlinks/analyses')).json).toEqual([]);
  const admin = await signUp({ admin: true });
  for (const path of [`/api/admin/profiles?page=0&search=${site.domain}`, '/api/admin/orphaned-profiles']) {
    expect((await call('GET', path, { as: admin.cookie })).body).not.toContain(site.domain);
  }
  await purge(0);
  expect((await send('POST', `${website}/restore`)).status).toBe(204);
  expect((await send('GET', '/api/profiles')).json).toEqual(before);
  expect((await send('GET', report)).status).toBe(200);
});

test('after a minute, nothing can be restored and nothing is left', async () => {
  const { send, site, reportId, website, report } = await createReport();
  const other = await createReport();
  await send('DELETE', website);
  await other.send('DELETE', other.report);
  await purge(undoMs + 1000);
  expect((await send('POST', `${website}/restore`)).status).toBe(404);
  expect((await other.send('POST', `${other.report}/restore`)).status).toBe(404);
  const { rows } = await context.pool.query(
    `select 1 from websites where id = $1 union all select 1 from report_domains where report_id = any($2)
      union all select 1 from reports where id = any($2)`,
    [site.id, [reportId, other.reportId]],
  );
  expect([rows, (await send('GET', report)).status]).toEqual([[], 404]);
});

test('a website is not restored beside another one of its domain, and never by someone else', async () => {
  const { as, send, site, website } = await createReport();
  await send('DELETE', website);
  const other = await signUp();
  expect((await call('POST', `${website}/restore`, { as: other.cookie })).statusCode).toBe(404);
  await createWebsite(as, site.domain);
  expect((await send('POST', `${website}/restore`)).status).toBe(409);
});

test('a deleted account takes its deleted websites with it', async () => {
  const owner = await createOwner();
  await call('DELETE', `/api/profiles/${owner.site.id}`, { as: owner.cookie });
  await call('DELETE', '/api/account', { as: owner.cookie, body: { password: owner.password, keepReports: true } });
  const { rows } = await context.pool.query('select 1 from websites where id = $1', [owner.site.id]);
  expect(rows).toEqual([]);
});
