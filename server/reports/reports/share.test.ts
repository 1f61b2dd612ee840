import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { maxReportShares } from '#shared/reports/report-shares.ts';
import { resealAll } from '../../platform/db/sealed-columns.ts';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { listShares, maxSharedRequestsPerHour } from './share.ts';
import { shareRetention } from './store-retention.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { app, call, context, signUp } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);
await createDomains(
  { name: 'very.test', risk: 4, sources: ['secret-source', 'b', 'c'] },
  { name: 'high.test', risk: 3, sources: ['secret-source'] },
);
const dayMs = 24 * 60 * 60 * 1000;
const clock = context.now;

const lines = ['https://very.test/1,2026-01-02,', 'https://very.test/2,,', 'https://high.test/1,,2026-02-03'];
const file = `Source URL,First seen,Lost\n${lines.join('\n')}\n`;

async function createReport() {
  const owner = await createOwner();
  const first = await analyze(owner.cookie, owner.site.id, 'url\nhttps://high.test/1\n');
  const { reportId } = await analyze(owner.cookie, owner.site.id, file, 'Export of Grace Hopper.csv');
  const as = { as: owner.cookie };
  await call('PUT', `/api/profiles/${owner.site.id}/decisions`, {
    ...as,
    body: { domains: ['very.test'], decision: 'disavow', note: 'Ask Grace on Monday' },
  });
  const path = `/api/reports/${reportId}/share`;
  return {
    ...owner,
    reportId,
    firstId: first.reportId,
    path,
    share: async (body?: object) => {
      const response = await call('POST', path, { ...as, ...(body && { body }) });
      expect(response.statusCode, response.body).toBe(201);
      const { id, url, expiresAt } = response.json();
      return { id, url, expiresAt, token: String(url).split('/').at(-1) ?? '' };
    },
    revoke: (link?: number) => call('DELETE', path + (link === undefined ? '' : `?link=${link}`), as),
    listShares: async () => (await call('GET', path, as)).json(),
  };
}

const read = (token: string, path = '') => call('GET', `/api/shared/${token}${path}`);
const statusOf = async (token: string) => (await read(token)).statusCode;
const notFoundSentence = 'This link has expired or was revoked. Ask the person who sent it for a new one.';

test('anyone with the link reads the figures, the history, the domains with decisions, and their links', async () => {
  const { share, site } = await createReport();
  const { token } = await share();
  const report = (await read(token)).json();
  expect(report).toMatchObject({
    domain: site.domain,
    toxicDomains: 1,
    harmfulBacklinks: 2,
    lostBacklinks: 1,
    includingLost: { toxicDomains: 2 },
    overview: { domains: 1, decisionCounts: { disavow: 1 }, previous: { newDomains: 1, goneDomains: 1 } },
  });
  expect(report.history).toMatchObject([{ toxicDomains: 1 }, { toxicDomains: 1 }]);
  expect((await read(token, '?lost=include')).json()).toMatchObject({ overview: { domains: 2 } });
  const { domains, pagination } = (await read(token, '/domains?lost=include')).json();
  expect([domains[0], pagination.total]).toEqual([
    {
      domain: 'very.test',
      riskLevel: 'very high',
      confidence: expect.any(String),
      sourceCount: 3,
      independentSourceCount: 3,
      niche: null,
      listedAt: '2024-01-05T12:00:00.000Z',
      backlinks: 2,
      nofollowBacklinks: 0,
      firstSeen: '2026-01-02',
      isNew: true,
      signals: [],
      live: null,
      decision: 'disavow',
    },
    2,
  ]);
  expect((await read(token, '/domains?decision=keep')).json().domains).toEqual([]);
  expect((await read(token, '/domains?riskLevel=high&lost=include')).json().domains).toHaveLength(1);
  const links = (await read(token, '/backlinks?domain=very.test')).json();
  expect(links.backlinks.map(({ referringPage }: { referringPage: string }) => referringPage)).toEqual([
    'https://very.test/1',
    'https://very.test/2',
  ]);
  expect((await read(token, '/backlinks')).statusCode).toBe(400);
});

test('no response contains a note, a name, an email address, a file name, a source or an id', async () => {
  const { share, username, reportId, firstId, id, site } = await createReport();
  const { token } = await share();
  const responses = await Promise.all(
    ['', '?lost=include', '/domains?lost=include', '/backlinks?domain=very.test'].map((path) => read(token, path)),
  );
  for (const { body, statusCode } of responses) {
    expect(statusCode).toBe(200);
    for (const secret of ['Grace', username, 'mail.example', 'secret-source', '.csv', token]) {
      expect(body).not.toContain(secret);
    }
    const fields = [...body.matchAll(/"(\w+)":/g)].map(([, name]) => name);
    expect(fields.filter((name) => /^(?:\w*Id|id|note|fileName|formats|source)$/.test(name ?? ''))).toEqual([]);
    const values = [...body.matchAll(/"\w*[iI]d":(\d+)/g)].map(([, value]) => Number(value));
    expect([reportId, firstId, id, site.id].filter((one) => values.includes(one))).toEqual([]);
  }
});

test('responses and the page are not stored, indexed, or sent on as a referrer', async () => {
  const { share } = await createReport();
  const { token } = await share();
  for (const url of [
    `/api/shared/${token}`,
    `/api/shared/${token}/domains`,
    '/api/shared/unknown',
    `/shared/${token}`,
  ]) {
    const { headers } = await call('GET', url);
    expect([url, headers]).toMatchObject([
      url,
      { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
    ]);
  }
  const page = await call('GET', `/shared/${token}`);
  expect([page.statusCode, page.body.includes('<meta name="robots" content="noindex"')]).toEqual([200, true]);
  expect((await call('GET', '/shared/unknown')).statusCode).toBe(404);
});

test('the URL is absolute, the link works for 30 days by default, and it can be read again', async () => {
  const { share, listShares } = await createReport();
  expect(await listShares()).toEqual([]);
  const { id, url, expiresAt } = await share();
  expect(url).toMatch(/^http:\/\/localhost:3000\/shared\/[\w-]{43}$/);
  expect((Date.parse(expiresAt) - Date.now()) / dayMs).toBeCloseTo(30, 2);
  expect(await listShares()).toEqual([{ id, url, createdAt: expect.any(String), expiresAt }]);
  const { expiresAt: later } = await share({ days: 365 });
  expect((Date.parse(later) - Date.now()) / dayMs).toBeCloseTo(365, 2);
});

test('a report has several links, of which one or all are revoked', async () => {
  const { share, revoke, listShares } = await createReport();
  const [first, second, third] = [await share({ days: 1 }), await share({ days: 7 }), await share()];
  const listTokens = () => Promise.all([first, second, third].map(({ token }) => statusOf(token)));
  expect((await listShares()).map(({ id }: { id: number }) => id)).toEqual([third.id, second.id, first.id]);
  const other = await createReport();
  expect((await other.revoke(second.id)).statusCode).toBe(204);
  expect(await listTokens()).toEqual([200, 200, 200]);
  expect((await revoke(second.id)).statusCode).toBe(204);
  expect(await listTokens()).toEqual([200, 404, 200]);
  expect((await revoke()).statusCode).toBe(204);
  expect([await listTokens(), await listShares()]).toEqual([[404, 404, 404], []]);
  expect((await revoke()).statusCode).toBe(204);
});

test('tokens are stored encrypted, and a link of which only the hash is stored works without being shown', async () => {
  const { share, listShares, reportId } = await createReport();
  const { token } = await share();
  const stored = () => context.db.selectFrom('report_shares').selectAll().where('report_id', '=', reportId);
  const { sealed } = await stored().executeTakeFirstOrThrow();
  expect(sealed?.toString('latin1')).not.toContain(token);
  await context.db.updateTable('report_shares').set({ sealed: null }).where('report_id', '=', reportId).execute();
  expect([await statusOf(token), await listShares()]).toMatchObject([200, [{ url: null }]]);
});

test('a report has at most 20 links', async () => {
  const { share, path, cookie, listShares } = await createReport();
  for (let i = 0; i < maxReportShares; i += 1) await share();
  const refused = await call('POST', path, { as: cookie });
  expect([refused.statusCode, refused.json().error]).toEqual([
    409,
    'A report can have up to 20 links. Revoke one first.',
  ]);
  expect(await listShares()).toHaveLength(maxReportShares);
});

test('an expired, a revoked, an unknown and a malformed token get the same response', async () => {
  const { share, revoke } = await createReport();
  const expired = await share({ days: 1 });
  context.now = () => new Date(Date.now() + dayMs + 1000);
  const responses = [await read(expired.token)];
  context.now = clock;
  expect(await statusOf(expired.token)).toBe(200);
  await revoke();
  for (const token of [expired.token, 'A'.repeat(43), 'x', '%00']) responses.push(await read(token));
  for (const { statusCode, json } of responses) {
    const { requestId: _, ...body } = json();
    expect([statusCode, body]).toEqual([404, { error: notFoundSentence, code: 'not_found' }]);
  }
});

test('deleting the report, the website or the account ends the link, and so does disabling the account', async () => {
  const [report, website, disabled, deleted] = await Promise.all([1, 2, 3, 4].map(createReport));
  if (!report || !website || !disabled || !deleted) throw new Error('There are four reports.');
  const tokens = await Promise.all(
    [report, website, disabled, deleted].map(async ({ share }) => (await share()).token),
  );
  await call('DELETE', `/api/reports/${report.reportId}`, { as: report.cookie });
  await call('DELETE', `/api/profiles/${website.site.id}`, { as: website.cookie });
  await context.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', disabled.id).execute();
  await call('DELETE', '/api/account', { as: deleted.cookie, body: { password: deleted.password } });
  expect(await Promise.all(tokens.map(statusOf))).toEqual([404, 404, 404, 404]);
});

test('a transfer of the website ends the link, also if its owner deleted the account and kept the reports', async () => {
  const [transferred, orphaned] = [await createReport(), await createReport()];
  const tokens = [(await transferred.share()).token, (await orphaned.share()).token];
  const [admin, newOwner] = [await signUp({ admin: true }), await signUp()];
  await call('DELETE', '/api/account', {
    as: orphaned.cookie,
    body: { password: orphaned.password, keepReports: true },
  });
  for (const { site } of [transferred, orphaned]) {
    const body = { profileId: site.id, newFirebaseUid: newOwner.username };
    expect((await call('POST', '/api/admin/transfer-profile', { as: admin.cookie, body })).statusCode).toBe(200);
  }
  expect(await Promise.all(tokens.map(statusOf))).toEqual([404, 404]);
  expect((await call('GET', transferred.path, { as: newOwner.cookie })).json()).toEqual([]);
});

test('nobody else can share a report, see its link or end it', async () => {
  const { share, path } = await createReport();
  const { token } = await share();
  const { cookie } = await signUp();
  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    expect((await call(method, path, { as: cookie, ...(method === 'POST' && { body: {} }) })).statusCode).toBe(404);
    expect((await call(method, path, method === 'POST' ? { body: {} } : {})).statusCode).toBe(401);
  }
  expect(await statusOf(token)).toBe(200);
});

test.each([0, 366, 1.5, '7', null])('a link for %j days is rejected', async (days) => {
  const { cookie, path } = await createReport();
  expect((await call('POST', path, { as: cookie, body: { days } })).statusCode).toBe(400);
});

test('the retention deletes expired links and keeps the others', async () => {
  const [short, long] = [await createReport(), await createReport()];
  await short.share({ days: 1 });
  await long.share({ days: 7 });
  const later = { ...context, now: () => new Date(Date.now() + 2 * dayMs) };
  await deleteExpiredRows(later, [shareRetention], new AbortController().signal);
  const rows = await context.db.selectFrom('report_shares').select('report_id').execute();
  const ids = rows.map((row) => row.report_id);
  expect([ids.includes(short.reportId), ids.includes(long.reportId)]).toEqual([false, true]);
});

test('requests of one network are limited, whatever the token', async () => {
  const { share } = await createReport();
  const { token } = await share();
  const remoteAddress = '192.0.2.77';
  const uses = Array.from({ length: maxSharedRequestsPerHour - 1 }, () => ({
    key: `shared:${remoteAddress}`,
    failed_at: new Date(),
  }));
  await context.db.insertInto('login_failures').values(uses).execute();
  const get = async (url: string) => (await app.inject({ url, remoteAddress })).statusCode;
  expect([await get(`/api/shared/${'A'.repeat(43)}`), await get(`/api/shared/${token}`)]).toEqual([404, 429]);
  expect(await statusOf(token)).toBe(200);
});

test('the links are encrypted again with a new secret key', async () => {
  const { share, reportId, id: userId } = await createReport();
  const { token } = await share();
  const secretKey = { ...context.secretKey, current: randomBytes(32), previous: context.secretKey.current };
  expect(await resealAll(context.db, secretKey)).toMatchObject({ unreadable: 0 });
  const links = await listShares({ ...context, secretKey: { ...secretKey, previous: undefined } }, userId, reportId);
  expect(links).toMatchObject([{ path: `/shared/${token}` }]);
});
