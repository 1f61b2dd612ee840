import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAnalysisCalls } from '../../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { getUsage } from '../usage/usage.ts';

const megabyte = 1024 * 1024;
const limited = await startTestApp({ STORAGE_LIMIT_MB: '2' }, { work: analysisJobs });
const calls = buildAnalysisCalls(limited);
const full = await startTestApp({ DISK_RESERVE_MB: '999999999' });
const { db } = limited.context;
await calls.createDomains({ name: 'listed.test' });

const analyze = (user: { cookie: string; site: { id: number } }, content: string) =>
  calls.upload(user.cookie, { profileId: String(user.site.id) }, content);
const setReportBytes = (websiteId: number, bytes: number) =>
  db.updateTable('reports').set({ stored_bytes: bytes }).where('website_id', '=', websiteId).execute();

test('an upload that would exceed the storage limit returns 507 with a sentence, until a report is deleted', async () => {
  const owner = await calls.createOwner();
  const { reportId } = (await analyze(owner, 'url\nhttps://listed.test/\n')).json();
  await setReportBytes(owner.site.id, 1.5 * megabyte);
  const refused = await analyze(owner, 'url\n'.padEnd(megabyte, 'x'));
  expect([refused.statusCode, refused.json()]).toEqual([
    507,
    expect.objectContaining({
      code: 'storage_limit',
      error:
        'Your account uses 2 MB of 2 MB, and this upload needs 1 MB. Delete reports, websites or lists that you no longer need.',
    }),
  ]);
  expect((await limited.call('DELETE', `/api/reports/${reportId}`, { as: owner.cookie })).statusCode).toBe(204);
  expect((await analyze(owner, 'url\nhttps://listed.test/\n'.padEnd(megabyte, '\n'))).statusCode).toBe(200);
});

test('an admin has no storage limit', async () => {
  const admin = await limited.signUp({ admin: true });
  const site = await calls.createWebsite(admin.cookie);
  await analyze({ ...admin, site }, 'url\nhttps://listed.test/\n');
  await setReportBytes(site.id, 10 * megabyte);
  expect((await analyze({ ...admin, site }, 'url\nhttps://listed.test/\n')).statusCode).toBe(200);
});

test('reports, hosts, disavow files, unfinished analyses and uploads count, each only for its owner', async () => {
  const [owner, other] = [await calls.createOwner(), await calls.createOwner()];
  await analyze(owner, 'url\nhttps://listed.test/\nhttps://other.test/\n');
  const readOf = async ({ id }: { id: number }) =>
    (await getUsage(db, limited.context.config, { id, isAdmin: false })).usedBytes;
  const read = () => readOf(owner);
  // Of the website and its analysis.
  const fixed = 500 + 1000;
  const hosts = 2 * 200;
  expect(await read()).toBeGreaterThan(fixed + hosts + 100);
  await setReportBytes(owner.site.id, 1000);
  expect(await read()).toBe(fixed + 1000 + hosts);
  await sql`
    insert into analyses (user_id, website_id, file_name, files, status)
    select ${owner.id}, ${owner.site.id}, 'a', '[{"path": "a", "name": "a", "bytes": 30}, {"path": "b", "name": "b", "bytes": 4}]', status
    from unnest(array['waiting', 'completed']) as status
  `.execute(db);
  await sql`
    insert into uploads (user_id, bytes, bytes_left, expires_at)
    values (${owner.id}, 500, 0, now() + interval '1 minute'), (${owner.id}, 7000, 0, now() - interval '1 second')
  `.execute(db);
  // Two more analyses.
  expect(await read()).toBe(fixed + 1000 + hosts + 34 + 500 + 2000);
  expect(await readOf(other)).toBe(500);
});

test('the uploads of a killed process count no longer than a minute', async () => {
  const owner = await calls.createOwner();
  const insert = (seconds: number) =>
    sql`
      insert into uploads (user_id, bytes, bytes_left, expires_at)
      select ${owner.id}, 1, 1, now() + make_interval(secs => ${seconds}) from generate_series(1, 5)
    `.execute(db);
  await insert(-1);
  expect((await analyze(owner, 'url\nhttps://listed.test/\n')).statusCode).toBe(200);
  await insert(60);
  const sixth = await analyze(owner, 'url\nhttps://listed.test/\n');
  expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '10']);
});

test('every kind of upload returns 507 if the disk would have less than its reserve, and stores nothing', async () => {
  const admin = await full.signUp({ admin: true });
  // Otherwise the requests of users would be refused before they are an upload.
  full.context.files.isReserveReached = async () => false;
  const { id } = await full.context.db
    .insertInto('websites')
    .values({ user_id: admin.id, domain: `full-${process.pid}.example` })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [path, field] of [
    ['/api/backlinks/analyze', 'backlinkFile'],
    ['/api/backlinks/preview', 'backlinkFile'],
    ['/api/domains/upload', 'file'],
    ['/api/domains/upload/check', 'file'],
    ['/api/domains/upload/preview', 'file'],
    [`/api/profiles/${id}/disavow-files`, 'file'],
    ['/api/domain-lists', 'file'],
  ] as const) {
    const payload = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.csv"\r\n\r\na\r\n--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const response = await full.call('POST', path, { as: admin.cookie, payload: Buffer.from(payload), headers });
    expect([path, response.statusCode, response.json()]).toEqual([
      path,
      507,
      expect.objectContaining({
        code: 'disk_full',
        error: 'The server has too little disk space for this upload. Please tell the administrator.',
      }),
    ]);
  }
  expect(await readdir(join(full.context.config.dataDir, 'uploads'))).toEqual([]);
});

test('small analyses have their own queue, and large ones of an account come after the first of others', async () => {
  const queued = await startTestApp();
  const { createOwner, uploadFiles } = buildAnalysisCalls(queued);
  const [busy, other] = [await createOwner(), await createOwner()];
  const large = 'url\nhttps://listed.test/\n'.padEnd(4 * megabyte + 1, '\n');
  const archive = gzipSync(randomBytes(megabyte / 4));
  for (const [owner, content] of [
    [busy, large],
    [busy, large],
    [other, archive],
    [other, 'url\nhttps://listed.test/\n'],
  ] as const) {
    const response = await uploadFiles(owner.cookie, { profileId: String(owner.site.id) }, [['links.csv', content]]);
    expect(response.statusCode).toBe(202);
  }
  const { rows } = await sql<{ name: string; priority: number; userId: number }>`
    select job.name, priority, user_id::int as "userId" from pgboss.job
    join analyses on analyses.id::text = data ->> 'analysisId' order by created_on
  `.execute(queued.context.db);
  expect(rows).toEqual([
    { name: 'analyses', priority: 0, userId: busy.id },
    { name: 'analyses', priority: -1, userId: busy.id },
    { name: 'analyses', priority: 0, userId: other.id },
    { name: 'small-analyses', priority: -1, userId: other.id },
  ]);
});
