import { beforeEach, expect, test } from 'vitest';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';
import { buildDisavowCalls } from '../disavow-files/upload.fixtures.ts';
import { hiddenWebsiteRetention } from './store-retention.ts';

const testApp = await startTestApp({ PROFILE_SCOPE: 'owner' }, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { send } = buildDisavowCalls(testApp);
const { analyze, createDomains, createWebsite, upload } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test' });
const admin = await signUp({ admin: true });
const links = 'url\nhttps://listed.test/\n';

const add = async (as: string, domain: string, forUpload = true) => {
  const response = await call('POST', '/api/profiles', { as, body: { domain, forUpload } });
  return { status: response.statusCode, ...response.json() };
};
const listDomains = async (as: string): Promise<string[]> =>
  (await call('GET', '/api/profiles', { as })).json().map(({ domain }: { domain: string }) => domain);
const countForAdmin = async (domain: string): Promise<number> => {
  const path = `/api/admin/profiles?page=0&search=${domain}`;
  return (await call('GET', path, { as: admin.cookie })).json().pagination.total;
};

beforeEach(() => {
  context.config.websiteScope = 'owner';
});

test('a failed upload leaves no website, a retry uses the same one, and its first report shows it', async () => {
  const { cookie } = await signUp();
  const { status, id } = await add(cookie, 'new.example');
  expect(status).toBe(201);
  expect((await upload(cookie, { profileId: String(id) }, 'not, an\nexport, at all\n')).statusCode).toBe(400);
  expect([await listDomains(cookie), await countForAdmin('new.example')]).toEqual([[], 0]);
  expect(await add(cookie, 'www.new.example')).toMatchObject({ status: 201, id, domain: 'new.example' });

  const { reportId } = await analyze(cookie, id, links);
  expect([await listDomains(cookie), await countForAdmin('new.example')]).toEqual([['new.example'], 1]);
  expect(await add(cookie, 'new.example')).toMatchObject({ status: 409, existingProfileId: id });
  await call('DELETE', `/api/reports/${reportId}`, { as: cookie });
  expect(await listDomains(cookie)).toEqual(['new.example']);
});

test('a disavow file, or adding the website without an upload, shows it too', async () => {
  const { cookie } = await signUp();
  const first = await add(cookie, 'first.example');
  expect((await send(cookie, first.id, 'domain:listed.test\n')).statusCode).toBe(201);
  const second = await add(cookie, 'second.example');
  expect(await add(cookie, 'second.example', false)).toMatchObject({ status: 201, id: second.id });
  expect(await listDomains(cookie)).toEqual(['second.example', 'first.example']);
});

test('with the scope of the system, a hidden website does not keep others from adding the domain', async () => {
  context.config.websiteScope = 'system';
  const [first, second] = [await signUp(), await signUp()];
  const { id } = await add(first.cookie, 'free.example');
  await createWebsite(second.cookie, 'free.example');
  expect(await add(first.cookie, 'free.example')).toMatchObject({ status: 409, existingProfileId: id });
});

test('the file with the data of an account has hidden websites', async () => {
  const { cookie } = await signUp();
  await add(cookie, 'hidden.example');
  const { websites } = (await call('GET', '/api/account/data', { as: cookie })).json();
  expect(websites).toMatchObject([{ domain: 'hidden.example', awaitsUpload: true }]);
});

test('a hidden website is deleted after two days, unless an analysis waits for an answer', async () => {
  const { cookie } = await signUp();
  const [old, waiting, shown] = [
    await add(cookie, 'old.example'),
    await add(cookie, 'waiting.example'),
    await add(cookie, 'shown.example', false),
  ];
  const question = await upload(
    cookie,
    { profileId: String(waiting.id), ask: '1' },
    'uno,due\nhttps://listed.test/,https://a.test/\nhttps://fine.test/,https://b.test/\n',
  );
  expect(question.statusCode).toBe(202);
  await context.db
    .updateTable('websites')
    .set({ created_at: new Date('2024-01-01') })
    .where('user_id', 'is not', null)
    .execute();
  await deleteExpiredRows(context, [hiddenWebsiteRetention], AbortSignal.timeout(10_000));
  const { rows } = await context.pool.query('select id from websites where id = any($1) order by id', [
    [old.id, waiting.id, shown.id],
  ]);
  expect(rows.map(({ id }) => id)).toEqual([waiting.id, shown.id]);
});
