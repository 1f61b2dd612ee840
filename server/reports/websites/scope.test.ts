import { beforeEach, expect, test } from 'vitest';
import type { WebsiteScope } from '../../config.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({ PROFILE_SCOPE: 'owner' }, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { analyze, createDomains, createWebsite } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test' });
const admin = await signUp({ admin: true });

const add = (as: string, domain: string) => call('POST', '/api/profiles', { as, body: { domain } });
/** Does what a restart with another PROFILE_SCOPE does. */
const setScope = (scope: WebsiteScope | undefined) => {
  context.config.websiteScope = scope;
};
const transfer = (websiteId: number, newFirebaseUid: string) =>
  call('POST', '/api/admin/transfer-profile', { as: admin.cookie, body: { profileId: websiteId, newFirebaseUid } });
const listOwners = async (domain: string) => {
  const path = `/api/admin/profiles?page=0&search=${domain}`;
  const { profiles: websites } = (await call('GET', path, { as: admin.cookie })).json();
  return websites.map((website: { userInfo: { username: string } | null }) => website.userInfo?.username ?? null);
};

beforeEach(() => setScope('owner'));

test('each account can add a website for itself, and admins see both with their owners', async () => {
  const [agency, client] = [await signUp(), await signUp()];
  const first = await createWebsite(agency.cookie, 'both.example');
  const second = await createWebsite(client.cookie, 'both.example');
  expect(second.id).not.toBe(first.id);
  expect(await listOwners('both.example')).toEqual([client.username, agency.username]);
});

test('without PROFILE_SCOPE, a new installation has the scope of the owner, and an older one keeps that of the system', async () => {
  const [first, second] = [await signUp(), await signUp()];
  setScope(undefined);
  expect((await add(first.cookie, 'default.example')).statusCode).toBe(201);
  expect((await add(second.cookie, 'default.example')).statusCode).toBe(201);
  await context.db.insertInto('earlier_defaults').values({ setting: 'PROFILE_SCOPE', value: 'system' }).execute();
  expect((await add(first.cookie, 'earlier.example')).statusCode).toBe(201);
  const refused = await add(second.cookie, 'earlier.example');
  expect([refused.statusCode, refused.json().existingProfileId]).toEqual([409, undefined]);
  setScope('owner');
  expect((await add(second.cookie, 'earlier.example')).statusCode).toBe(201);
});

test('a second website of the same name is refused for the same account, with the id of the first', async () => {
  const { cookie } = await signUp();
  const { id } = await createWebsite(cookie, 'twice.example');
  const again = await add(cookie, 'www.twice.example');
  expect([again.statusCode, again.json()]).toMatchObject([
    409,
    { error: 'This domain already exists in the system. Please try a different domain.', existingProfileId: id },
  ]);
});

test('of simultaneous attempts of two accounts to add the same website, one of each succeeds', async () => {
  const users = [await signUp(), await signUp()];
  const attempts = Array.from({ length: 8 }, (_, i) => add(users[i % 2]?.cookie ?? '', 'raced.example'));
  const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([201, 201, ...Array(6).fill(409)]);
  expect((await listOwners('raced.example')).sort()).toEqual(users.map(({ username }) => username).sort());
});

test('reports of the same website in two accounts are independent', async () => {
  const [agency, client] = [await signUp(), await signUp()];
  const first = await createWebsite(agency.cookie, 'reports.example');
  const second = await createWebsite(client.cookie, 'reports.example');
  await analyze(agency.cookie, first.id, 'url\nhttps://listed.test/\n');
  const { reportId } = await analyze(client.cookie, second.id, 'url\nhttps://listed.test/\nhttps://fine.test/\n');
  const listReports = async (as: string, id: number) =>
    (await call('GET', `/api/profiles/${id}/reports`, { as })).json().map((report: { id: number }) => report.id);
  expect(await listReports(client.cookie, second.id)).toEqual([reportId]);
  expect(await listReports(agency.cookie, first.id)).toHaveLength(1);
  expect((await call('GET', `/api/reports/${reportId}`, { as: agency.cookie })).statusCode).toBe(404);
  expect((await call('GET', `/api/profiles/${second.id}/reports`, { as: agency.cookie })).statusCode).toBe(404);
});

test('back in scope `system`, existing websites stay and every new one of their domains is refused', async () => {
  const [agency, client, third] = [await signUp(), await signUp(), await signUp()];
  const first = await createWebsite(agency.cookie, 'kept.example');
  const second = await createWebsite(client.cookie, 'kept.example');
  setScope('system');
  const refused = await add(third.cookie, 'kept.example');
  expect([refused.statusCode, refused.json().existingProfileId]).toEqual([409, undefined]);
  expect((await add(agency.cookie, 'kept.example')).json().existingProfileId).toBe(first.id);
  const { reportId } = await analyze(client.cookie, second.id, 'url\nhttps://listed.test/\n');
  expect((await call('GET', `/api/reports/${reportId}`, { as: client.cookie })).statusCode).toBe(200);

  expect((await call('DELETE', `/api/profiles/${first.id}`, { as: agency.cookie })).statusCode).toBe(204);
  expect((await add(agency.cookie, 'kept.example')).statusCode).toBe(409);
  expect((await call('DELETE', `/api/profiles/${second.id}`, { as: client.cookie })).statusCode).toBe(204);
  const race = await Promise.all([agency, client, third].map(({ cookie }) => add(cookie, 'kept.example')));
  expect(race.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
});

test('a website of scope `system` does not keep other accounts from adding its domain after the switch', async () => {
  const [early, late] = [await signUp(), await signUp()];
  setScope('system');
  const { id } = await createWebsite(early.cookie, 'switched.example');
  setScope('owner');
  expect((await add(late.cookie, 'switched.example')).statusCode).toBe(201);
  expect((await add(early.cookie, 'switched.example')).json().existingProfileId).toBe(id);
});

test('a website is not transferred to an account that already has it', async () => {
  const [agency, client] = [await signUp(), await signUp()];
  const first = await createWebsite(agency.cookie, 'transfer.example');
  await createWebsite(client.cookie, 'transfer.example');
  const refused = await transfer(first.id, client.username);
  expect([refused.statusCode, refused.json().error]).toEqual([
    409,
    `${client.username} already has the website transfer.example. Delete it there first.`,
  ]);
  expect(await listOwners('transfer.example')).toEqual([client.username, agency.username]);
});

test('of two simultaneous transfers of a website to one account, one succeeds', async () => {
  const [agency, client, target] = [await signUp(), await signUp(), await signUp()];
  const websites = [
    await createWebsite(agency.cookie, 'target.example'),
    await createWebsite(client.cookie, 'target.example'),
  ];
  const responses = await Promise.all(websites.map(({ id }) => transfer(id, target.username)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await listOwners('target.example')).toContain(target.username);
});

test('websites of two deleted accounts are kept as orphans, and each account is assigned at most one', async () => {
  const [agency, client, target] = [await signUp(), await signUp(), await signUp()];
  for (const { cookie, password } of [agency, client]) {
    await createWebsite(cookie, 'orphan.example');
    const body = { password, keepReports: true };
    expect((await call('DELETE', '/api/account', { as: cookie, body })).statusCode).toBe(204);
  }
  const list = async () => (await call('GET', '/api/admin/orphaned-profiles', { as: admin.cookie })).json();
  const [first, second] = await list();
  expect([first.domain, second.domain]).toEqual(['orphan.example', 'orphan.example']);
  expect((await transfer(first.id, target.username)).statusCode).toBe(200);
  expect((await transfer(second.id, target.username)).statusCode).toBe(409);
  expect(await list()).toMatchObject([{ id: second.id }]);
  expect((await add(admin.cookie, 'orphan.example')).statusCode).toBe(201);
});
