import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs, respondWithinMs: 200 });
const { call, context, signUp } = testApp;
const { createOwner, analyze, upload, waitForAnalysis, createDomains, lockBlacklist } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test', risk: 3 });
const file = 'url\nhttps://listed.test/a\nhttps://fine.test/\n';
const admin = await signUp({ admin: true });
const transfer = (websiteId: number, newFirebaseUid: string, as: string | undefined = admin.cookie) =>
  call('POST', '/api/admin/transfer-profile', {
    ...(as && { as }),
    body: { userIsAdmin: true, profileId: websiteId, newFirebaseUid },
  });

test("only admins can list, transfer and delete other users' websites", async () => {
  const { cookie, site } = await createOwner();
  const calls = [
    ['GET', '/api/admin/profiles?userIsAdmin=true', undefined],
    ['GET', '/api/admin/orphaned-profiles?userIsAdmin=true', undefined],
    ['POST', '/api/admin/transfer-profile', { userIsAdmin: true, profileId: site.id, newFirebaseUid: 'x' }],
    ['DELETE', `/api/admin/profiles/${site.id}`, undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    expect([path, (await call(method, path, { ...(body && { body }) })).statusCode]).toEqual([path, 401]);
    expect([path, (await call(method, path, { as: cookie, ...(body && { body }) })).statusCode]).toEqual([path, 403]);
  }
});

test('all websites are listed with their owners, and a page of them with the total', async () => {
  const [first, second] = [await createOwner(), await createOwner()];
  const all = (await call('GET', '/api/admin/profiles?userIsAdmin=true', { as: admin.cookie })).json();
  expect(all.slice(0, 2)).toMatchObject([
    {
      id: second.site.id,
      domain: second.site.domain,
      userInfo: { id: second.id, email: `${second.username}@mail.example` },
    },
    { id: first.site.id, reportCount: 0, userInfo: { username: first.username } },
  ]);
  const page = (await call('GET', '/api/admin/profiles?page=1&pageSize=1', { as: admin.cookie })).json();
  expect(page).toMatchObject({
    profiles: [{ id: first.site.id }],
    pagination: { page: 1, pageSize: 1, total: all.length, totalPages: all.length },
    orphaned: 0,
  });
  const found = (await call('GET', `/api/admin/profiles?page=0&search=${first.username}`, { as: admin.cookie })).json();
  expect(found.profiles.map(({ id }: { id: number }) => id)).toEqual([first.site.id]);
});

test('a transferred website keeps its reports, and the old owner loses access', async () => {
  const [before, after] = [await createOwner(), await signUp()];
  const { reportId } = await analyze(before.cookie, before.site.id, file);
  const response = await transfer(before.site.id, after.username);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ id: before.site.id, userInfo: { id: after.id }, reportCount: 1 });
  expect((await call('GET', `/api/reports/${reportId}`, { as: after.cookie })).statusCode).toBe(200);
  expect((await call('GET', `/api/reports/${reportId}`, { as: before.cookie })).statusCode).toBe(404);
  expect((await call('GET', '/api/profiles', { as: before.cookie })).json()).toEqual([]);
  const [event] = await context.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(1).execute();
  expect(event).toMatchObject({
    event: 'Transferred a website profile',
    details: { domain: before.site.domain, from: before.username, to: after.username },
  });
});

test('a new owner is found by UID, email or username, and an unknown, disabled or current one is rejected', async () => {
  const [owner, next] = [await createOwner(), await signUp()];
  await context.db.updateTable('users').set({ firebase_uid: 'UidOfNext' }).where('id', '=', next.id).execute();
  expect((await transfer(owner.site.id, ' UidOfNext ')).statusCode).toBe(200);
  expect((await transfer(owner.site.id, next.username)).statusCode).toBe(409);
  expect((await transfer(owner.site.id, `${owner.username}@mail.example`)).statusCode).toBe(200);
  for (const name of ['', '   ', 'unknown-username']) {
    const response = await transfer(owner.site.id, name);
    expect([response.statusCode, response.json().fields.newFirebaseUid]).toEqual([400, expect.stringMatching(/\w/)]);
  }
  await context.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', next.id).execute();
  expect((await transfer(owner.site.id, next.username)).statusCode).toBe(400);
  expect((await transfer(999_999, owner.username)).statusCode).toBe(404);
});

test('an analysis that is running when its website is transferred goes to the new owner', async () => {
  const [before, after] = [await createOwner(), await signUp()];
  const release = await lockBlacklist();
  const { analysisId } = (await upload(before.cookie, { profileId: String(before.site.id) }, file)).json();
  expect((await transfer(before.site.id, after.username)).statusCode).toBe(200);
  expect((await call('GET', `/api/backlinks/analyses/${analysisId}`, { as: before.cookie })).statusCode).toBe(404);
  expect((await call('GET', '/api/backlinks/analyses', { as: after.cookie })).json()).toMatchObject([{ analysisId }]);
  await release();
  const analysis = await waitForAnalysis(after.cookie, analysisId);
  expect(analysis).toMatchObject({
    status: 'completed',
    result: { profileId: before.site.id, toxicityPercentage: 50 },
  });
});

test('an upload returns 404 if its website is transferred before the analysis starts', async () => {
  const [before, after] = [await createOwner(), await signUp()];
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('update websites set user_id = $1 where id = $2', [after.id, before.site.id]);
  const uploading = upload(before.cookie, { profileId: String(before.site.id) }, file);
  await wait(300);
  await client.query('commit');
  client.release();
  expect((await uploading).statusCode).toBe(404);
});

test('an orphaned website is listed until it is assigned', async () => {
  const [gone, next] = [await createOwner(), await signUp()];
  await context.db.deleteFrom('users').where('id', '=', gone.id).execute();
  const orphans = async () =>
    (await call('GET', '/api/admin/orphaned-profiles?userIsAdmin=true', { as: admin.cookie })).json();
  expect(await orphans()).toMatchObject([{ id: gone.site.id, userInfo: null }]);
  expect((await transfer(gone.site.id, next.username)).statusCode).toBe(200);
  expect(await orphans()).toEqual([]);
});

test('ten simultaneous deletions of a website delete it once and write one audit event', async () => {
  const { site } = await createOwner();
  const deletions = Array.from({ length: 10 }, () =>
    call('DELETE', `/api/admin/profiles/${site.id}`, { as: admin.cookie }),
  );
  const statuses = (await Promise.all(deletions)).map(({ statusCode }) => statusCode).sort();
  expect(statuses).toEqual([204, ...Array(9).fill(404)]);
  const rows = await context.db
    .selectFrom('audit_events')
    .select('id')
    .where('event', '=', 'Deleted a website profile')
    .where(sql<boolean>`details @> ${JSON.stringify({ id: site.id })}`)
    .execute();
  expect(rows).toHaveLength(1);
});

test('an admin can delete any website with its reports, and the audit event contains its owner', async () => {
  const owner = await createOwner();
  const { reportId } = await analyze(owner.cookie, owner.site.id, file);
  const path = `/api/admin/profiles/${owner.site.id}`;
  expect((await call('DELETE', path, { as: admin.cookie })).statusCode).toBe(204);
  expect((await call('DELETE', path, { as: admin.cookie })).statusCode).toBe(404);
  expect((await call('GET', `/api/reports/${reportId}`, { as: owner.cookie })).statusCode).toBe(404);
  const [event] = await context.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(1).execute();
  expect(event).toMatchObject({
    event: 'Deleted a website profile',
    details: { domain: owner.site.domain, owner: owner.username, reports: 1 },
  });
});
