import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from './analyses.fixtures.ts';
import { analysisJobs } from './jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { app, call, context, signUp } = testApp;
const { createDomains, createOwner, analyze, upload } = buildAnalysisCalls(testApp);
/** The files of uploads. A worker removes a file shortly after its analysis has ended. */
const uploads = () => readdir(join(context.config.dataDir, 'uploads'));

test('a linking public suffix or root of a shared host counts as one domain', async () => {
  await createDomains({ name: 'listed-one.test' });
  const { cookie, site } = await createOwner();
  const lines = [
    'https://www.gov.uk/page',
    'https://medium.com/@a/post',
    'domain:medium.com',
    'https://listed-one.test/',
  ];
  const result = await analyze(cookie, site.id, `url\n${lines.join('\n')}\n`);
  expect(result).toMatchObject({ totalBacklinks: 4, totalDomains: 3, uniqueDomains: 3, toxicDomains: 1, skipped: [] });
});

test('a small file returns its report immediately, with correct counts', async () => {
  await createDomains(
    { name: 'sold-links.test', risk: 3, sources: ['fiverr', 'seoclerks', 'manual', 'legiit'] },
    { name: 'deep.parent.test', risk: 1 },
    { name: 'parent.test', risk: 4, sources: ['a', 'b', 'c', 'd', 'e'], addedAt: '2023-12-31T23:30:00Z' },
    { name: 'bad-blog.wordpress.com', risk: 2, sources: ['x', 'y'] },
  );
  const { cookie, site } = await createOwner();
  const result = await analyze(
    cookie,
    site.id,
    [
      'Source url,Target url',
      'https://www.sold-links.test/a,https://site.example/',
      'https://sold-links.test/a,https://site.example/',
      'http://Shop.Sold-Links.test:8080/b?x=1,https://site.example/',
      'https://deep.parent.test/one,https://site.example/',
      'https://very.deep.parent.test/two,https://site.example/',
      'https://other.parent.test/three,https://site.example/',
      'https://bad-blog.wordpress.com/post,https://site.example/',
      'https://good-blog.wordpress.com/post,https://site.example/',
      'https://friendly.test/,https://site.example/',
      'https://friendly.test/,https://site.example/',
      `https://www.${site.domain}/self,https://site.example/`,
      'https://192.0.2.7/page,https://site.example/',
      ',https://site.example/',
    ].join('\n'),
  );
  expect(result).toMatchObject({
    profileId: site.id,
    totalBacklinks: 10,
    totalDomains: 8,
    uniqueDomains: 5,
    toxicDomains: 3,
    toxicityPercentage: 60,
    toxicityRating: 'very high',
    harmfulBacklinks: 7,
    riskCounts: { veryHigh: 3, high: 3, medium: 1, low: 0 },
  });
  expect(result.toxicBacklinks).toEqual([
    // The listing of deep.parent.test has a lower risk.
    ...['https://deep.parent.test/one', 'https://very.deep.parent.test/two', 'https://other.parent.test/three'].map(
      (page) => ({
        domain: 'parent.test',
        referringPage: page,
        riskLevel: 'very high',
        confidence: 'probable',
        independentSourceCount: 5,
        reason: 'Listed since Dec 31, 2023, now by 5 sources',
        source: 'a, b, c, d, e',
        lost: false,
        nofollow: false,
        decision: null,
        anchor: null,
        targetPage: 'https://site.example/',
        firstSeen: null,
        firstSeenText: null,
      }),
    ),
    ...['https://www.sold-links.test/a', 'https://sold-links.test/a', 'http://Shop.Sold-Links.test:8080/b?x=1'].map(
      (page) => ({
        domain: 'sold-links.test',
        referringPage: page,
        riskLevel: 'high',
        confidence: 'probable',
        independentSourceCount: 4,
        reason: 'Listed since Jan 5, 2024, now by 4 sources',
        source: 'fiverr, seoclerks, manual, legiit',
        lost: false,
        nofollow: false,
        decision: null,
        anchor: null,
        targetPage: 'https://site.example/',
        firstSeen: null,
        firstSeenText: null,
      }),
    ),
    expect.objectContaining({ domain: 'bad-blog.wordpress.com', riskLevel: 'medium' }),
  ]);
  expect(result.skipped).toEqual([
    { reason: 'empty', count: 1, lines: [14] },
    { reason: 'IP address', count: 1, lines: [13] },
    { reason: 'own site', count: 1, lines: [12] },
  ]);
  expect(result.formats).toMatchObject([{ file: 'export.csv', column: 'Source url', otherSite: 'site.example' }]);
});

test('hosts below an allow rule are not harmful, even if their parent is listed', async () => {
  const { cookie, site } = await createOwner();
  await createDomains({ name: 'portal.test', risk: 4 });
  const admin = await signUp({ admin: true });
  const body = { domain: 'club.portal.test', reason: 'Our own club' };
  expect((await call('POST', '/api/admin/allow-rules', { as: admin.cookie, body })).statusCode).toBe(201);
  const pages = ['https://club.portal.test/', 'https://a.club.portal.test/', 'https://x.portal.test/'];
  const report = await analyze(cookie, site.id, `url\n${pages.join('\n')}\n`);
  expect(report.toxicBacklinks.map(({ referringPage }: { referringPage: string }) => referringPage)).toEqual([
    'https://x.portal.test/',
  ]);
});

test('an unusable file returns 400 with the reason and leaves nothing behind', async () => {
  const { cookie, site } = await createOwner();
  const files: [string | Buffer, RegExp][] = [
    ['', /empty/],
    ['Source url,Target url\n', /no rows/],
    [Buffer.from('PK\u0003\u0004 and so on'), /archive is damaged/],
    [`url\nhttps://${site.domain}/a\n`, /your own/],
    ['name,age\nAnna,7\nBert,9\n', /./],
  ];
  for (const [content, message] of files) {
    const response = await upload(cookie, { profileId: String(site.id) }, content, 'whatever.xlsx');
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid']);
    expect(response.json().error).toMatch(message);
    expect(response.json().fields.backlinkFile).toBe(response.json().error);
  }
  expect((await call('GET', `/api/profiles/${site.id}/reports`, { as: cookie })).json()).toEqual([]);
  await expect.poll(uploads).toEqual([]);
});

test('exports with any file name are accepted', async () => {
  const { cookie, site } = await createOwner();
  for (const name of ['export.tsv', 'list.TXT', 'no-extension', 'Übersicht (1).csv']) {
    expect((await analyze(cookie, site.id, 'https://fine.test/\n', name)).totalBacklinks).toBe(1);
  }
});

test('an upload for a missing website or another user’s website leaves nothing behind', async () => {
  const [{ cookie }, other, admin] = [await createOwner(), await createOwner(), await signUp({ admin: true })];
  const otherWebsite = { profileId: String(other.site.id), firebaseUid: 'someone' };
  const asOtherUser = { ...otherWebsite, userId: String(other.id) };
  expect((await upload(cookie, asOtherUser, 'url\nhttps://fine.test/\n')).statusCode).toBe(403);
  expect((await upload(cookie, otherWebsite, 'url\nhttps://fine.test/\n')).statusCode).toBe(404);
  expect((await upload(admin.cookie, otherWebsite, 'url\nhttps://fine.test/\n')).statusCode).toBe(404);
  expect((await upload(undefined, otherWebsite, 'url\nhttps://fine.test/\n')).statusCode).toBe(401);
  for (const websiteId of ['', 'x', '0', '1.5', '99999999999999999999']) {
    const response = await upload(cookie, { profileId: websiteId }, 'url\nhttps://fine.test/\n');
    expect([response.statusCode, response.json().fields.profileId]).toEqual([400, 'Please choose a website profile.']);
  }
  await expect.poll(uploads).toEqual([]);
});

test('an aborted upload leaves nothing behind', async () => {
  const { cookie, site } = await createOwner();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /api/backlinks/analyze HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `cookie: ${cookie}`,
    'sec-fetch-site: same-origin',
    'content-type: multipart/form-data; boundary=xx',
    'content-length: 100000000',
  ];
  socket.write(
    `${head.join('\r\n')}\r\n\r\n--xx\r\ncontent-disposition: form-data; name="profileId"\r\n\r\n${site.id}\r\n`,
  );
  socket.write('--xx\r\ncontent-disposition: form-data; name="backlinkFile"; filename="a.csv"\r\n\r\n');
  socket.write(Buffer.alloc(1_000_000, 'https://fine.test/\n'));
  await expect.poll(async () => (await uploads()).length).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(uploads).toEqual([]);
  expect((await call('GET', '/api/backlinks/analyses', { as: cookie })).json()).toEqual([]);
});

test('a page with special characters of the COPY format is stored unchanged', async () => {
  const { cookie, site } = await createOwner();
  const page = 'https://sold-links.test/a\\N\\.\\t"q"/é😀?x=\ty';
  const { toxicBacklinks } = await analyze(
    cookie,
    site.id,
    `Source url,Target url\n"${page.replaceAll('"', '""')}",https://s.example/\n`,
  );
  expect(toxicBacklinks[0]?.referringPage).toBe(page);
});
