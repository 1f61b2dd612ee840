import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { importJob } from '../../blacklist/imports/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maintenanceJob } from './jobs.ts';

const { app, call, context, signUp } = await startTestApp({}, { work: [maintenanceJob, importJob] });
const admin = await signUp({ admin: true });
const get = async (path: string) => (await call('GET', path, { as: admin.cookie })).json();
const address = '192.0.2.7';

const calls = [
  ['POST', '/api/admin/maintenance'],
  ['GET', '/api/admin/maintenance'],
  ['GET', '/api/admin/export/csv'],
  ['GET', '/api/admin/status'],
  ['GET', '/api/admin/system'],
  ['GET', '/api/admin/jobs'],
  ['GET', '/api/admin/audit-events'],
  ['GET', '/api/admin/audit-events/kinds'],
  ['GET', '/api/admin/audit-events/export/csv'],
] as const;

async function waitForMaintenance() {
  for (;;) {
    const [run] = await get('/api/admin/maintenance');
    if (run && run.status !== 'processing') return run;
    await wait(20);
  }
}

test('admin calls return 401 without a session and 403 for users', async () => {
  const user = await signUp();
  for (const [method, path] of calls) {
    expect([path, (await call(method, path)).statusCode]).toEqual([path, 401]);
    expect([path, (await call(method, path, { as: user.cookie })).statusCode]).toEqual([path, 403]);
  }
});

test('two admins who start maintenance at once get the same run, which vacuums the tables and rebuilds the counts', async () => {
  await context.db
    .insertInto('domains')
    .values({ name: 'counted.test', tld: 'test', risk_level: 1, source: ['crawler'] })
    .execute();
  await context.db.updateTable('domain_counts').set({ delta: 7 }).execute();
  const other = await signUp({ admin: true });
  const started = await Promise.all(
    [admin, other, admin].map(({ cookie }) => call('POST', '/api/admin/maintenance', { as: cookie })),
  );
  expect(started.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
  expect(new Set(started.map((response) => response.json().id)).size).toBe(1);
  const run = await waitForMaintenance();
  expect(run).toMatchObject({
    status: 'completed',
    progress: 100,
    message: expect.stringContaining('tables were vacuumed'),
  });
  expect(run.bytesBefore).toBeGreaterThan(0);
  expect((await call('GET', '/api/stats/count')).json()).toMatchObject({ total: 1, low: 1 });
  const again = await call('POST', '/api/admin/maintenance', { as: admin.cookie });
  expect(again.json().id).not.toBe(run.id);
  await waitForMaintenance();
});

test('interrupted maintenance is queued again, and fails after too many attempts', async () => {
  const row = { started_by: admin.username, user_id: admin.id };
  const insert = (attempts: number) =>
    context.db
      .insertInto('maintenance_runs')
      .values({ ...row, attempts })
      .returning('id')
      .executeTakeFirstOrThrow();
  const { id } = await insert(0);
  await expect(maintenanceJob.run(context, { runId: id }, AbortSignal.abort())).rejects.toThrow();
  expect((await get('/api/admin/maintenance'))[0]).toMatchObject({ id, status: 'processing' });
  const { attempts } = await context.db
    .selectFrom('maintenance_runs')
    .select('attempts')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(0);
  await maintenanceJob.run(context, { runId: id }, new AbortController().signal);
  expect(await waitForMaintenance()).toMatchObject({ id, status: 'completed' });
  const hopeless = await insert(5);
  await maintenanceJob.run(context, { runId: hopeless.id }, new AbortController().signal);
  expect(await waitForMaintenance()).toMatchObject({ id: hopeless.id, status: 'failed' });
});

test('the audit log contains the action, admin and IP address, with pages and filters by action and admin', async () => {
  const one = await signUp({ admin: true });
  const body = { domain: 'logged.example', source: 'crawler' };
  const options = { as: one.cookie, body };
  const response = await app.inject({
    method: 'POST',
    url: '/api/domains',
    remoteAddress: address,
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', cookie: one.cookie },
    payload: body,
  });
  expect(response.statusCode).toBe(201);
  expect((await call('POST', '/api/domains', options)).statusCode).toBe(409);
  await call('DELETE', `/api/domains/${response.json().id}`, options);
  const { events, pagination } = await get(`/api/admin/audit-events?user=${one.username}`);
  expect(pagination).toMatchObject({ page: 0, total: 2, totalPages: 1 });
  expect(events).toMatchObject([
    { event: 'Deleted a domain', details: { domain: 'logged.example' } },
    { event: 'Added a domain', username: one.username, details: { domain: 'logged.example' }, address },
  ]);
  const kinds = await get('/api/admin/audit-events/kinds');
  expect(kinds.events).toEqual(expect.arrayContaining(['Added a domain', 'Deleted a domain']));
  expect(kinds.usernames).toContain(one.username);
  const added = await get(`/api/admin/audit-events?event=Added%20a%20domain&user=${one.username}&pageSize=1`);
  expect(added.events).toHaveLength(1);
});

test('an import is in the audit log with its result', async () => {
  const form = new FormData();
  form.append('file', new File(['domain,source\nimported.example,crawler\n'], 'list.csv'));
  const encoded = new Response(form);
  const response = await call('POST', '/api/domains/upload', {
    as: admin.cookie,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  const { events } = await get('/api/admin/audit-events?event=Imported%20domains');
  const { jobId } = response.json();
  expect(events).toMatchObject([
    {
      username: admin.username,
      details: { jobId, file: 'list.csv', bytes: 39, status: 'completed', imported: 1, updated: 0, failed: 0 },
    },
  ]);
  const { jobs } = await get('/api/admin/jobs?kind=import');
  expect(jobs).toMatchObject([{ kind: 'import', state: 'completed', by: admin.username, tries: 1 }]);
});

test('a failed import is in the audit log', async () => {
  const form = new FormData();
  form.append('file', new File(['no,such,columns\n1,2,3\n'], 'refused.csv'));
  const encoded = new Response(form);
  const response = await call('POST', '/api/domains/upload', {
    as: admin.cookie,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  expect(response.statusCode).toBe(400);
  const { events } = await get('/api/admin/audit-events?event=Imported%20domains');
  expect(events[0].details).toMatchObject({ file: 'refused.csv', status: 'failed', imported: 0, updated: 0 });
});

test('the audit log contains the old and new values of a changed domain, and the counts of updated risk levels', async () => {
  const as = admin.cookie;
  const notes = 'n'.repeat(300);
  const old = { domain: 'before.example', source: 'crawler', niche: 'Travel' };
  const { id } = (await call('POST', '/api/domains', { as, body: { ...old, notes } })).json();
  const body = { ...old, domain: 'after.example', notes: null };
  expect((await call('PUT', `/api/domains/${id}`, { as, body })).statusCode).toBe(200);
  const changed = {
    domain: { from: 'before.example', to: 'after.example' },
    notes: { from: `${'n'.repeat(200)}…`, to: null },
  };
  const { stats } = (await call('POST', '/api/risk/update-risk-levels', { as })).json();
  const { events } = await get('/api/admin/audit-events?pageSize=2');
  expect(events.map(({ details }: { details: object }) => details)).toEqual([
    { stats },
    { id, domain: 'after.example', changed },
  ]);
});

test("an admin's export is in the audit log with its filters, a user's export is not", async () => {
  const user = await signUp();
  const path = '/api/domains/export/csv?sort=domain-asc&tld=example';
  const kind = '/api/admin/audit-events?event=Exported%20domains';
  expect((await call('GET', path, { as: user.cookie })).statusCode).toBe(200);
  expect((await get(kind)).events).toEqual([]);
  expect((await call('GET', path, { as: admin.cookie })).statusCode).toBe(200);
  expect((await get(kind)).events).toMatchObject([
    { username: admin.username, details: { sort: 'domain-asc', tld: 'example' } },
  ]);
});

test('exports of the audit log and of all data are CSV and are in the audit log', async () => {
  const log = await call('GET', '/api/admin/audit-events/export/csv', { as: admin.cookie });
  expect(log.headers['content-type']).toContain('text/csv');
  expect(log.body.split('\r\n')[0]).toBe('date,username,event,details,address');
  expect(log.body).toContain('Added a domain');
  const all = await call('GET', '/api/admin/export/csv', { as: admin.cookie });
  expect(all.body).toContain('counted.test');
  expect(all.body.split('\r\n')[0]).toContain('source');
  const { events } = await get('/api/admin/audit-events?pageSize=2');
  expect(events).toMatchObject([{ event: 'Exported all data' }, { event: 'Exported the audit log' }]);
});

test('the audit log is append-only and keeps the events of deleted accounts', async () => {
  const { db } = context;
  await expect(db.deleteFrom('audit_events').execute()).rejects.toThrow('only added to');
  await expect(db.updateTable('audit_events').set({ event: 'Nothing' }).execute()).rejects.toThrow('only added to');
  await expect(db.updateTable('audit_events').set({ user_id: null, event: 'x' }).execute()).rejects.toThrow(
    'only added to',
  );
  const one = await signUp({ admin: true });
  await call('POST', '/api/risk/update-risk-levels', { as: one.cookie });
  await db.deleteFrom('users').where('id', '=', one.id).execute();
  const { events } = await get(`/api/admin/audit-events?user=${one.username}`);
  expect(events).toMatchObject([{ event: 'Updated risk levels', username: one.username }]);
});

test('the system page contains versions and settings, but no secrets or paths', async () => {
  const state = await get('/api/admin/system');
  expect(state).toMatchObject({ node: process.versions.node, postgres: expect.stringMatching(/^\d+/) });
  expect(state.databaseBytes).toBeGreaterThan(1_000_000);
  const text = JSON.stringify(state);
  expect(text).not.toContain(context.config.dataDir);
  expect(text).not.toContain('postgres://');
  expect(state.settings).toContainEqual({ name: 'LOG_LEVEL', value: 'silent' });
});

test('background jobs are listed, housekeeping only if requested', async () => {
  const { jobs, pagination } = await get('/api/admin/jobs?pageSize=100');
  expect(pagination.total).toBe(jobs.length);
  const kinds = jobs.map(({ kind }: { kind: string }) => kind);
  expect(kinds).toContain('maintenance');
  expect(kinds).not.toContain('housekeeping');
  const housekeeping = await get('/api/admin/jobs?kind=housekeeping');
  expect(housekeeping.jobs.length).toBeGreaterThan(0);
});
