import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from './jobs.ts';
import { uploadImport, waitForImport } from './upload.fixtures.ts';

const server = await startTestApp({}, { work: [importJob] });
const { call, context, signUp } = server;
const admin = await signUp({ admin: true });
const send = (content: string | Buffer, fileName?: string) => uploadImport(server, admin.cookie, content, { fileName });
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const listed = () => context.db.selectFrom('domains').selectAll().orderBy('name').execute();
const listedOne = (name: string) =>
  context.db.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

afterEach(() => context.db.deleteFrom('domains').execute());

test('a small import returns 200 with its result', async () => {
  const response = await send(
    'domain,source,riskLevel,niche,domainRating,outboundLinks,cost,description,notes,sourceDetails\n' +
      'https://www.Seller.example/#page1,Fiverr,high,Travel,40,12,$50,Sells,"a\tnote, \\N and ""more""\nof it",page 3\n' +
      'other.example,"Adsy, Legiit",,,,,,,,\n',
  );
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({
    status: 'completed',
    progress: 100,
    processedCount: 2,
    totalCount: 2,
    imported: 2,
    updated: 0,
    unchangedCount: 0,
    dryRun: false,
    failedCount: 0,
    fileName: 'list.csv',
    dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    message: '2 imported, 0 updated.',
    failures: [],
    held: [],
  });
  expect(response.json().timeTaken).toBeGreaterThanOrEqual(0);
  expect(await listed()).toMatchObject([
    {
      name: 'other.example',
      source: ['Adsy', 'Legiit'],
      source_count: 2,
      risk_level: 2,
      risk_given: false,
      niche: null,
    },
    {
      name: 'seller.example',
      tld: 'example',
      source: ['Fiverr'],
      risk_level: 3,
      risk_given: true,
      niche: 'Travel',
      domain_rating: 40,
      outbound_links: 12,
      cost: '$50',
      description: 'Sells',
      notes: 'a\tnote, \\N and "more"\nof it',
      source_details: 'page 3',
      added_by: admin.username,
    },
  ]);
  await expect.poll(files).toEqual([]);
});

test("importing an admin's export again changes nothing and marks no risk level as set by hand", async () => {
  const add = async (body: object) => {
    const response = await call('POST', '/api/domains', { as: admin.cookie, body });
    expect(response.statusCode).toBe(201);
  };
  await add({
    domain: '-formula.tumblr.com',
    source: '=one, "+two", \'-three\', four "4"',
    cost: '=1+1',
    niche: '＝wide',
    notes: "'=quoted already",
    description: '@first\r\n=second',
    sourceDetails: '\'\'- "x"',
  });
  await add({ domain: 'given.example', source: 'a', riskLevel: 'high', domainRating: 0, outboundLinks: 7 });
  await add({ domain: 'as-computed.example', source: 'a', riskLevel: 'low' });
  await add({ domain: 'computed.example', source: 'a, b, c, d, e', cost: '""$5""' });
  const before = await listed();
  const exported = await call('GET', '/api/domains/export/csv', { as: admin.cookie });
  const again = await send(exported.body);
  expect(again.json()).toMatchObject({ processedCount: 4, imported: 0, updated: 0, failedCount: 0 });
  expect(await listed()).toEqual(before);

  await context.db.deleteFrom('domains').execute();
  expect((await send(exported.body)).json()).toMatchObject({ imported: 4, failedCount: 0 });
  const cells = (rows: typeof before) => rows.map(({ id, added_at, updated_at, ...rest }) => rest);
  expect(cells(await listed())).toEqual(cells(before));
});

test('a row with a too long source or too many sources fails', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`).join();
  const response = await send(
    `domain,source\nlong.example,${'源'.repeat(101)}\nmany.example,"${many(101)}"\nlast.example,"${many(100)}"\n`,
  );
  expect(response.json()).toMatchObject({
    imported: 1,
    failures: [
      { line: 2, reason: 'A source name is longer than 100 characters: shorten it.' },
      { line: 3, reason: 'There are more than 100 sources: remove some.' },
    ],
  });
});

test('a rejected row does not stop the import and is reported with line and reason', async () => {
  const response = await send(
    'domain,source,domainRating\ngood.example,s,1\n,s,\nno-source.example,,\nhigh.example,s,101\n10.0.0.1,s,\nlast.example,s,',
  );
  expect(response.json()).toMatchObject({ status: 'completed', imported: 2, failedCount: 4, processedCount: 6 });
  expect(response.json().message).toBe('2 imported, 0 updated. 4 rows were rejected.');
  const { failures } = response.json();
  expect(failures.map(({ line, value }: { line: number; value: string }) => [line, value])).toEqual([
    [3, ''],
    [4, 'no-source.example'],
    [5, 'high.example'],
    [6, '10.0.0.1'],
  ]);
  expect(failures[1].reason).toBe('The source is missing: enter at least one.');
  expect(failures[2].reason).toBe('The domain rating must be empty or a number from 0 to 100.');
});

test('the status contains the first 100 failures and the CSV contains all', async () => {
  const rows = Array.from({ length: 6000 }, (_, i) => `=bad ${i},s`).join('\n');
  const { jobId, failures, failedCount } = (await send(`domain,source\n${rows}\n`)).json();
  expect([failures.length, failedCount]).toEqual([100, 6000]);
  const csv = await call('GET', `/api/domains/import-status/${jobId}/failures.csv`, { as: admin.cookie });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.headers['content-disposition']).toBe('attachment; filename="import-failures.csv"');
  const lines = csv.body.split('\r\n');
  expect(lines.length).toBe(6002);
  expect(lines[0]).toBe('Line,Value,Reason');
  expect(lines[6000]).toMatch(/^6001,'=bad 5999,/);
});

test('importing the same file twice changes nothing', async () => {
  const file =
    'domain,source,niche,riskLevel\na.example,One,Travel,\na.example,Two,Food,high\nb.example,One,,\nB.example,ONE,,low\n';
  expect((await send(file)).json()).toMatchObject({ imported: 2, updated: 0 });
  const before = await listed();
  expect((await send(file)).json()).toMatchObject({
    status: 'completed',
    imported: 0,
    updated: 0,
    unchangedCount: 2,
    processedCount: 4,
    message: '0 imported, 0 updated. 2 unchanged.',
  });
  expect(await listed()).toEqual(before);
});

test('rows of one file with the same domain are merged', async () => {
  const response = await send(
    'domain,source,niche,cost,riskLevel\n' +
      'a.example,"Zeta, Alpha",Travel,$1,\nwww.a.example,"ALPHA,Beta",,$2,\nhttp://a.example/,gamma,Food,,\nb.example,x,,,\n',
  );
  expect(response.json()).toMatchObject({ imported: 2, updated: 0, processedCount: 4 });
  expect(await listedOne('a.example')).toMatchObject({
    source: ['Zeta', 'Alpha', 'Beta', 'gamma'],
    risk_level: 3,
    risk_given: false,
    niche: 'Food',
    cost: '$2',
  });
});

test('a listed domain gets new sources and filled cells, and empty cells change nothing', async () => {
  await send('domain,source,niche,notes,cost\na.example,One,Travel,keep me,$5\nb.example,One,,,\n');
  const before = await listedOne('b.example');
  const response = await send(
    'domain,source,niche,notes\na.example,"one, Two",Food,\nb.example,ONE,,\nc.example,x,,\n',
  );
  expect(response.json()).toMatchObject({ imported: 1, updated: 1 });
  expect(await listedOne('a.example')).toMatchObject({
    source: ['One', 'Two'],
    source_count: 2,
    risk_level: 2,
    niche: 'Food',
    notes: 'keep me',
    cost: '$5',
  });
  expect(await listedOne('b.example')).toEqual(before);
});

test('the risk level is that of the file, else one set earlier, else it follows the number of sources', async () => {
  await send(
    'domain,source,riskLevel\na.example,One,very high\nb.example,One,\nc.example,One,low\nd.example,"Ä, b",\n',
  );
  await send(
    'domain,source,riskLevel\na.example,Two,\nb.example,"Two,Three,Four,Five",\nc.example,One,medium\nd.example,"ä,B,c,d",\n',
  );
  const levels = (await listed()).map(({ name, risk_level, risk_given }) => [name, risk_level, risk_given]);
  expect(levels).toEqual([
    ['a.example', 4, true],
    ['b.example', 4, false],
    ['c.example', 2, true],
    ['d.example', 3, false],
  ]);
  expect((await listedOne('d.example')).source).toEqual(['Ä', 'b', 'c', 'd']);
});

test.each([
  ['a zip archive', Buffer.from('PK\u0003\u0004 not a csv \u0000\u0000')],
  ['a web page', '<!doctype html><html><body>domain,source</body></html>'],
  ['a file without a header', 'a.example,One\nb.example,Two\n'],
  ['a file without a source column', 'domain,niche\na.example,Travel\n'],
  ['a header without rows', 'domain,source\n'],
  ['an empty file', ''],
])('%s is rejected with a sentence and leaves nothing behind', async (_, content) => {
  const response = await send(content);
  expect(response.statusCode).toBe(400);
  const { error, jobId } = response.json();
  expect(error).toMatch(/^[A-Z].*\.$/);
  expect(await waitForImport(server, admin.cookie, jobId)).toMatchObject({
    status: 'failed',
    message: error,
    imported: 0,
  });
  expect(await listed()).toEqual([]);
  await expect.poll(files).toEqual([]);
});

test('a file with another extension is rejected', async () => {
  const before = (await call('GET', '/api/domains/imports', { as: admin.cookie })).json();
  const response = await send('domain,source\na.example,One\n', 'list.json');
  expect([response.statusCode, response.json().error]).toEqual([400, 'Please upload a CSV file']);
  await expect.poll(files).toEqual([]);
  expect((await call('GET', '/api/domains/imports', { as: admin.cookie })).json()).toEqual(before);
});

test('the latest imports are listed, newest first', async () => {
  await send('domain,source\na.example,One\n', 'first.csv');
  await send('domain,source\na.example,One\n', 'folder\\second.CSV');
  const names = (await call('GET', '/api/domains/imports', { as: admin.cookie })).json();
  expect(names.slice(0, 2).map(({ fileName }: { fileName: string }) => fileName)).toEqual(['second.CSV', 'first.csv']);
  expect(names.length).toBeLessThanOrEqual(20);
});

test('only admins can use imports', async () => {
  const { jobId } = (await send('domain,source\na.example,One\n')).json();
  const user = await signUp();
  expect((await uploadImport(server, user.cookie, 'domain,source\nb.example,One\n')).statusCode).toBe(403);
  for (const path of [`import-status/${jobId}`, `import-status/${jobId}/failures.csv`, 'imports']) {
    expect((await call('GET', `/api/domains/${path}`, { as: user.cookie })).statusCode).toBe(403);
    expect((await call('GET', `/api/domains/${path}`)).statusCode).toBe(401);
  }
  await expect.poll(files).toEqual([]);
});

test('an unknown import returns 404', async () => {
  const path = '/api/domains/import-status/00000000-0000-4000-8000-000000000000';
  for (const url of [path, `${path}/failures.csv`])
    expect((await call('GET', url, { as: admin.cookie })).statusCode).toBe(404);
});
