import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { buildKeyCalls } from '../../accounts/api-keys/key-requests.fixtures.ts';
import { buildSite } from '../../blacklist/submissions/submissions.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls, buildForm } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { app, context, signUp } = testApp;
const { db } = context;
const kit = buildAnalysisCalls(testApp);
const { createKey, send } = buildKeyCalls(testApp);

await kit.createDomains({ name: 'very.test', risk: 4 }, { name: 'high.test', risk: 3 }, { name: 'low.test', risk: 1 });
const user = await signUp();
const key = await createKey(user, ['check', 'read', 'write']);

const newKey = () => ({ 'idempotency-key': randomUUID() });
const createSite = async (headers = {}) =>
  send(key, 'POST', '/websites', { body: { domain: `${randomUUID()}.example` }, headers });

const google =
  'Source URL,Target URL\nhttps://very.test/a,https://mine.example/\nhttps://high.test/b,https://mine.example/\n';
const plain = 'Source URL\nhttps://low.test/c\nhttps://very.test/d\nhttps://clean.test/e\n';

async function upload(
  websiteId: number,
  files: Parameters<typeof buildForm>[1],
  { headers = {}, fields = {} }: { headers?: Record<string, string>; fields?: Record<string, string> } = {},
) {
  const form = await buildForm(fields, files, 'file');
  return send(key, 'POST', `/websites/${websiteId}/analyses`, { ...form, headers: { ...form.headers, ...headers } });
}

async function waitForReport(location: string): Promise<number> {
  for (;;) {
    const { status, reportId } = (await send(key, 'GET', location.replace('/api/v1', ''))).json();
    if (status === 'completed') return reportId;
    expect(status).toBe('processing');
    await wait(20);
  }
}

/** Reads all pages, of which each has one row. */
async function readPages<Row>(path: string, between?: () => Promise<unknown>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: Row[]; nextCursor: string | null } = (
      await send(key, 'GET', `${path}${path.includes('?') ? '&' : '?'}limit=1&cursor=${cursor}`)
    ).json();
    expect(page.data.length).toBeLessThanOrEqual(1);
    rows.push(...page.data);
    cursor = page.nextCursor;
    await between?.();
  }
  return rows;
}

const expectStatus = (response: LightMyRequestResponse, status: number) =>
  expect([response.statusCode, response.body]).toEqual([status, expect.anything()]);

test('a month by API alone: add a website, upload two files, wait, read, decide, fetch the disavow file', async () => {
  const created = await send(key, 'POST', '/websites', { body: { domain: 'mine.example', description: 'A shop' } });
  const website = created.json();
  expect(created.headers.location).toBe(`/api/v1/websites/${website.id}`);
  expect(website).toMatchObject({ domain: 'mine.example', description: 'A shop', tags: [], lastReport: null });
  const again = await send(key, 'POST', '/websites', { body: { domain: 'MINE.example' } });
  expect([again.statusCode, again.json()]).toEqual([409, expect.objectContaining({ existingId: website.id })]);
  expect(again.json().existingProfileId).toBeUndefined();

  const started = await upload(website.id, [
    ['google.csv', google],
    ['plain.csv', plain],
  ]);
  expect([started.statusCode, started.json().status]).toEqual([202, 'processing']);
  const reportId = await waitForReport(String(started.headers.location));
  const report = (await send(key, 'GET', `/reports/${reportId}`)).json();
  expect(report).toMatchObject({ websiteId: website.id, domain: 'mine.example', totalBacklinks: 5, listedDomains: 3 });
  expect(report.decisionCounts.undecided).toBe(3);
  expect(report.profileId).toBeUndefined();

  const names = (await readPages<{ domain: string }>(`/reports/${reportId}/domains`)).map(({ domain }) => domain);
  expect(names).toEqual(['very.test', 'high.test', 'low.test']);
  // Decisions between two pages neither skip nor repeat a domain.
  const undecided = await readPages<{ domain: string }>(`/reports/${reportId}/domains?decision=undecided`, () =>
    send(key, 'PUT', `/websites/${website.id}/decisions`, {
      body: { decisions: [{ domain: 'very.test', decision: 'disavow' }] },
    }),
  );
  expect(undecided.map(({ domain }) => domain)).toEqual(names);
  const links = await readPages<{ referringPage: string }>(`/reports/${reportId}/links?domain=very.test`);
  expect(links.map(({ referringPage }) => referringPage).sort()).toEqual([
    'https://very.test/a',
    'https://very.test/d',
  ]);
  expect(await readPages(`/reports/${reportId}/links`)).toHaveLength(4);

  const decide = (decisions: object[]) =>
    send(key, 'PUT', `/websites/${website.id}/decisions`, { body: { decisions } });
  const refused = await decide([
    { domain: 'low.test', decision: 'disavow' },
    { domain: 'co.uk', decision: 'keep' },
  ]);
  expect(refused.statusCode).toBe(400);
  expectStatus(
    await decide([
      { domain: 'low.test', decision: 'keep' },
      { domain: 'LOW.test', decision: null },
    ]),
    400,
  );
  const decided = await decide([
    { domain: 'low.test', decision: 'keep', note: 'A partner' },
    { domain: 'high.test', decision: 'disavow' },
  ]);
  expect(decided.json()).toEqual({ changed: 2 });
  const stored = await readPages<{ domain: string }>(`/websites/${website.id}/decisions`);
  expect(stored).toMatchObject([
    { domain: 'high.test', decision: 'disavow', note: '' },
    { domain: 'low.test', decision: 'keep', note: 'A partner' },
    { domain: 'very.test', decision: 'disavow' },
  ]);
  const file = await send(key, 'GET', `/websites/${website.id}/disavow.txt`);
  expect(file.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(file.body.split('\n').filter((line) => line.startsWith('domain:'))).toEqual([
    'domain:high.test',
    'domain:very.test',
  ]);

  const changed = await send(key, 'PATCH', `/websites/${website.id}`, { body: { tags: ['client'] } });
  expect(changed.json()).toMatchObject({ description: 'A shop', tags: ['client'], lastReport: { id: reportId } });
  expectStatus(await send(key, 'PATCH', `/websites/${website.id}`, { body: {} }), 400);
  expect((await send(key, 'DELETE', `/websites/${website.id}`)).statusCode).toBe(204);
  expectStatus(await send(key, 'GET', `/reports/${reportId}`), 404);
});

test('pages of websites stay stable while websites are added', async () => {
  for (let i = 0; i < 3; i += 1) expectStatus(await createSite(), 201);
  const before = await readPages<{ id: number }>('/websites');
  const during = await readPages<{ id: number }>('/websites', () => createSite());
  expect(during).toEqual(before);
  for (const query of ['cursor=x', 'limit=0', 'limit=101', 'cursor=-1', 'cursor=websites-x', 'cursor=reports-1']) {
    expectStatus(await send(key, 'GET', `/websites?${query}`), 400);
  }
});

test('a GET has an ETag, and 304 until something changes', async () => {
  const { id } = (await createSite()).json();
  const read = (etag = '') => send(key, 'GET', `/websites/${id}`, { headers: { 'if-none-match': etag } });
  const etag = String((await read()).headers.etag);
  const same = await read(etag);
  expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag]);
  expect(same.headers.ratelimit).toBeDefined();
  await send(key, 'PATCH', `/websites/${id}`, { body: { description: 'New' } });
  expect((await read(etag)).json().description).toBe('New');
});

test('a question of an upload is answered once', async () => {
  const { id } = (await createSite()).json();
  const links = 'Source URL,Target URL\nhttps://very.test/a,https://elsewhere.test/\n';
  const started = await upload(id, [['links.csv', links]], { fields: { ask: '1' } });
  const analysis = async () => (await send(key, 'GET', `/analyses/${started.json().id}`)).json();
  while ((await analysis()).status === 'processing') await wait(20);
  expect((await analysis()).question).toMatchObject({ about: 'site', site: 'elsewhere.test' });
  const headers = newKey();
  const answer = (body: object) => send(key, 'POST', `/analyses/${started.json().id}/answer`, { body, headers });
  const first = await answer({ anyway: true });
  expectStatus(first, 202);
  await waitForReport(String(first.headers.location));
  const second = await answer({ anyway: true });
  expect([second.statusCode, second.body]).toEqual([202, first.body]);
  expect(second.headers).toMatchObject({ 'idempotency-replayed': 'true', location: first.headers.location });
  expect((await answer({ instead: true })).json().code).toBe('idempotency_mismatch');
});

test('the answers to questions about two disavow files are each stored once', async () => {
  const { id } = (await createSite()).json();
  const texts = ['domain:very.test\n', 'domain:high.test\n'];
  const files = texts.map((text, at) => [`disavow-${at}.txt`, text] as const);
  const started = await upload(id, files, { fields: { ask: '1' } });
  const analysis = async () => (await send(key, 'GET', `/analyses/${started.json().id}`)).json();
  const waitForQuestion = async (file: string) => {
    while ((await analysis()).status === 'processing') await wait(20);
    expect((await analysis()).question).toEqual({ about: 'disavow', file });
  };
  const answer = (headers: { 'idempotency-key': string }) =>
    send(key, 'POST', `/analyses/${started.json().id}/answer`, { body: { merge: true }, headers });
  const [one, two] = [newKey(), newKey()];
  await waitForQuestion('disavow-0.txt');
  const first = await answer(one);
  expectStatus(first, 202);
  await waitForQuestion('disavow-1.txt');
  const replayed = await answer(one);
  expect([replayed.statusCode, replayed.body, replayed.headers['idempotency-replayed']]).toEqual([
    202,
    first.body,
    'true',
  ]);
  await waitForQuestion('disavow-1.txt');
  expectStatus(await answer(two), 202);
  expect((await analysis()).status).toBe('cancelled');
  const stored = await db.selectFrom('disavow_files').select('content').where('website_id', '=', id).execute();
  expect(stored.map(({ content }) => content)).toEqual(texts);
});

test('a submission and a website with an Idempotency-Key are created once', async () => {
  for (const [path, body] of [
    ['/submissions', buildSite('once.example')],
    ['/websites', { domain: 'once.example' }],
  ] as const) {
    const headers = newKey();
    const responses = await Promise.all([1, 2, 3].map(() => send(key, 'POST', path, { body, headers })));
    const created = responses.filter(({ statusCode }) => statusCode === 201);
    expect(created.length).toBeGreaterThan(0);
    for (const { statusCode, json } of responses) {
      if (statusCode !== 201) expect([statusCode, json().code]).toEqual([409, 'idempotency_in_progress']);
    }
    const replayed = await send(key, 'POST', path, { body, headers });
    expect([replayed.statusCode, replayed.body]).toEqual([201, created[0]?.body]);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(replayed.headers.location).toBe(created[0]?.headers.location);
    const other = await send(key, 'POST', path, { body: { ...body, domain: 'other.example' }, headers });
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch']);
    // Another user's key is another one, and after a day the key is new.
    const stranger = await createKey(await signUp(), ['write']);
    expect((await send(stranger, 'POST', path, { body, headers })).headers['idempotency-replayed']).toBeUndefined();
    await db
      .updateTable('idempotent_answers')
      .set({ created_at: new Date(Date.now() - 86_500_000) })
      .execute();
    expectStatus(await send(key, 'POST', path, { body, headers }), 409);
  }
  expectStatus(await createSite({ 'idempotency-key': 'é'.repeat(3) }), 400);
});

test('a failed request stores no answer', async () => {
  const headers = newKey();
  expectStatus(await send(key, 'POST', '/websites', { body: { domain: '127.0.0.1' }, headers }), 400);
  expectStatus(await send(key, 'POST', '/websites', { body: { domain: 'works.example' }, headers }), 201);
});

test('an upload with an Idempotency-Key starts one analysis', async () => {
  const { id } = (await createSite()).json();
  const headers = newKey();
  const files = [['plain.csv', plain]] as const;
  const responses = await Promise.all([1, 2].map(() => upload(id, files, { headers })));
  const [first] = responses.filter(({ statusCode }) => statusCode === 202);
  for (const { statusCode, json } of responses) {
    if (statusCode !== 202) expect([statusCode, json().code]).toEqual([409, 'idempotency_in_progress']);
  }
  await waitForReport(String(first?.headers.location));
  const replayed = await upload(id, files, { headers });
  expect([replayed.statusCode, replayed.body]).toEqual([202, first?.body]);
  expect(replayed.headers).toMatchObject({ 'idempotency-replayed': 'true', location: first?.headers.location });
  const sameLength = plain.replace('clean', 'other');
  for (const other of [
    await upload(id, [['plain.csv', sameLength]], { headers }),
    await upload(id, [['renamed.csv', plain]], { headers }),
    await upload(id, files, { headers, fields: { ask: '1' } }),
  ]) {
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch']);
  }
  const { count } = await db
    .selectFrom('analyses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('website_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(count).toBe(1);
  expect(await db.selectFrom('uploads').selectAll().execute()).toEqual([]);
});

test('an interrupted upload continues where it ended', async () => {
  const { id } = (await createSite()).json();
  const uploadId = randomUUID();
  expectStatus(await send(key, 'GET', `/uploads/${uploadId}`), 404);
  const started = await upload(id, [['plain.csv', plain]], { headers: { 'upload-id': uploadId } });
  expect(started.json()).toEqual({ id: uploadId, status: 'processing' });
  await waitForReport(String(started.headers.location));
  expectStatus(await upload(id, [['plain.csv', plain]], { headers: { 'upload-id': uploadId } }), 409);
  expectStatus(await upload(id, [['plain.csv', plain]], { headers: { 'upload-id': randomUUID(), ...newKey() } }), 400);
});

test('alerts are listed from a time on, oldest first', async () => {
  const { id } = (await createSite()).json();
  const insert = (domain: string, at: string) =>
    db
      .insertInto('alerts')
      .values({
        run_id: 1,
        website_id: id,
        domain,
        event: 'listed',
        from_level: null,
        to_level: 4,
        backlinks: 2,
        created_at: new Date(at),
      })
      .execute();
  await insert('a.test', '2026-01-01T00:00:00Z');
  await insert('b.test', '2026-02-01T00:00:00Z');
  const alerts = await readPages<{ domain: string }>('/alerts');
  expect(alerts).toMatchObject([
    { websiteId: id, domain: 'a.test', event: 'listed', from: null, to: 'very high', backlinks: 2, readAt: null },
    { domain: 'b.test' },
  ]);
  expect(await readPages('/alerts?since=2026-01-15T00:00:00Z')).toEqual(alerts.slice(1));
  expectStatus(await send(key, 'GET', '/alerts?since=yesterday'), 400);
});

test('each call needs its scope, and calls other than checks cost nothing but are the last use', async () => {
  const other = await signUp();
  const keys = new Map<ApiKeyScope, string>();
  for (const scope of ['check', 'read', 'write'] as const) keys.set(scope, await createKey(other, [scope]));
  const scoped = app.allRoutes.filter(({ config, method }) => config?.scope && method !== 'HEAD');
  expect(scoped.length).toBeGreaterThan(20);
  for (const { method, url, config } of scoped) {
    for (const [scope, value] of keys) {
      const path = url.slice('/api/v1'.length).replace(':id', '1');
      const { statusCode, json } = await send(value, String(method) as 'GET', path);
      const isRefused = statusCode === 403 && json().code === 'missing_scope' && json().scope === config?.scope;
      expect([method, url, scope, isRefused]).toEqual([method, url, scope, scope !== config?.scope]);
    }
  }
  const list = await testApp.call('GET', `/api/users/${other.id}/api-keys`, { as: other.cookie });
  for (const { scopes, dailyUsage, lastUsed } of list.json()) {
    if (!scopes.includes('check')) expect([scopes, dailyUsage, lastUsed !== null]).toEqual([scopes, 0, true]);
  }
});

test('errors are problem details with the rate limit', async () => {
  const malformed = { headers: { 'content-type': 'application/json' }, payload: '{' };
  for (const [status, response] of [
    [400, await send(key, 'POST', '/websites', malformed)],
    [400, await send(key, 'POST', '/websites', { body: {} })],
    [401, await send('lsv_wrong', 'GET', '/websites')],
    [404, await send(key, 'GET', '/websites/999999')],
    [415, await send(key, 'POST', '/websites', { headers: { 'content-type': 'a/b' }, payload: 'x' })],
    [415, await send(key, 'POST', '/websites', await buildForm({}, [['a.csv', 'x']], 'file'))],
  ] as const) {
    const { headers, json } = response;
    expectStatus(response, status);
    expect(headers['content-type']).toBe('application/problem+json');
    const { error, code, title, type, detail, requestId } = json();
    expect([type, detail, typeof title, typeof requestId]).toEqual([
      `urn:linksieve:error:${code}`,
      error,
      'string',
      'string',
    ]);
    expect([json().status, typeof headers.ratelimit, typeof headers['ratelimit-policy']]).toEqual([
      status,
      'string',
      'string',
    ]);
  }
});
