import { expect, test } from 'vitest';
import { analysisKit } from '../backlinks/analyses.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';

const testApp = await startTestApp({}, { worker: true });
const { call, signUp } = testApp;
const { owner, analyse, addSite, list } = analysisKit(testApp);

test('a website is kept under its plain name, whatever was pasted', async () => {
  const { cookie, id } = await signUp();
  const names = [];
  for (const domain of ['https://www.My-Shop.example/start?a=1', 'blog.my-shop.example', 'müller.example']) {
    const response = await call('POST', '/api/profiles', {
      as: cookie,
      body: { domain, firebaseUid: 'x', userId: id },
    });
    expect(response.statusCode).toBe(201);
    names.push(response.json().domain);
  }
  expect(names).toEqual(['my-shop.example', 'blog.my-shop.example', 'xn--mller-kva.example']);
  const profiles = (await call('GET', '/api/profiles', { as: cookie })).json();
  expect(profiles.map((profile: { domain: string }) => profile.domain)).toEqual([...names].reverse());
  expect(profiles[0]).toMatchObject({ description: null, lastReport: null, reportCount: 0 });
});

test('what is no website is refused beside its field', async () => {
  const { cookie } = await signUp();
  for (const domain of [
    '',
    '   ',
    'not a name',
    '192.0.2.1',
    'co.uk',
    'wordpress.com',
    'a'.repeat(3000),
    'a\0b.example',
  ]) {
    const response = await call('POST', '/api/profiles', { as: cookie, body: { domain } });
    expect([domain.slice(0, 20), response.statusCode]).toEqual([domain.slice(0, 20), 400]);
    expect(response.json().fields.domain).toMatch(/\w/);
  }
});

test('a website has one profile in the whole system, and only its owner learns which', async () => {
  const [first, second] = [await owner(), await signUp()];
  const again = { domain: `www.${first.site.domain}` };
  const own = await call('POST', '/api/profiles', { as: first.cookie, body: again });
  expect(own.statusCode).toBe(409);
  expect(own.json()).toMatchObject({
    error: 'This domain already exists in the system. Please try a different domain.',
    existingProfileId: first.site.id,
  });
  const foreign = await call('POST', '/api/profiles', { as: second.cookie, body: again });
  expect(foreign.statusCode).toBe(409);
  expect(foreign.json()).not.toHaveProperty('existingProfileId');
});

test('of many attempts at once to add the same website one succeeds', async () => {
  const { cookie } = await signUp();
  const add = () => call('POST', '/api/profiles', { as: cookie, body: { domain: 'raced.example' } });
  const codes = (await Promise.all(Array.from({ length: 8 }, add))).map((response) => response.statusCode);
  expect(codes.sort()).toEqual([201, ...Array(7).fill(409)]);
});

test('nobody sees or deletes the profiles of another, not even an admin', async () => {
  const [first, second, admin] = [await owner(), await signUp(), await signUp({ admin: true })];
  for (const { cookie } of [second, admin]) {
    expect((await call('GET', `/api/profiles?userId=${first.id}`, { as: cookie })).statusCode).toBe(403);
    const inTheirName = { domain: 'not-theirs.example', userId: first.id };
    expect((await call('POST', '/api/profiles', { as: cookie, body: inTheirName })).statusCode).toBe(403);
    expect((await call('GET', '/api/profiles', { as: cookie })).json()).toEqual([]);
    expect((await call('GET', `/api/profiles/${first.site.id}/reports`, { as: cookie })).statusCode).toBe(404);
    expect((await call('DELETE', `/api/profiles/${first.site.id}`, { as: cookie })).statusCode).toBe(404);
  }
  expect((await call('GET', '/api/profiles', { as: first.cookie })).json()).toHaveLength(1);
});

test('visitors are sent to sign in', async () => {
  const { site } = await owner();
  expect((await call('GET', '/api/profiles')).statusCode).toBe(401);
  expect((await call('POST', '/api/profiles', { body: { domain: 'visitor.example' } })).statusCode).toBe(401);
  expect((await call('DELETE', `/api/profiles/${site.id}`)).statusCode).toBe(401);
});

test('deleting a profile deletes its reports and frees its name', async () => {
  await list({ name: 'gone-with-it.test' });
  const { cookie, id, site } = await owner();
  const { reportId } = await analyse(cookie, site.id, 'url\nhttps://gone-with-it.test/\n');
  expect((await call('DELETE', `/api/profiles/${site.id}?firebaseUid=x&userId=${id}`, { as: cookie })).statusCode).toBe(
    204,
  );
  expect((await call('GET', `/api/reports/${reportId}`, { as: cookie })).statusCode).toBe(404);
  const left = await testApp.context.db.selectFrom('report_backlinks').select('report_id').execute();
  expect(left.filter((row) => row.report_id === reportId)).toEqual([]);
  expect((await addSite(cookie, site.domain)).domain).toBe(site.domain);
});

test('the list carries the newest report and the number of reports of each profile', async () => {
  await list({ name: 'trend.test' });
  const { cookie, site } = await owner();
  const quiet = await addSite(cookie);
  await analyse(cookie, site.id, 'url\nhttps://trend.test/\n');
  const newest = await analyse(cookie, site.id, 'url\nhttps://trend.test/\nhttps://fine.test/\n');
  const profiles = (await call('GET', '/api/profiles', { as: cookie })).json();
  expect(profiles).toMatchObject([
    { id: quiet.id, reportCount: 0, lastReport: null },
    { id: site.id, reportCount: 2, lastReport: { id: newest.reportId, toxicityPercentage: 50 } },
  ]);
});
