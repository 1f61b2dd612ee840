import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from './analyses.fixtures.ts';
import { analyzeStoredFiles } from './backlinks.ts';
import { analysisJobs } from './jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createDomains, createOwner, upload, uploadFiles } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test', risk: 3 });

const uploads = () => readdir(join(context.config.dataDir, 'uploads'));
const unclear = 'uno,due\nhttps://listed.test/,https://a.test/\nhttps://fine.test/,https://b.test/\n';
const elsewhere = 'Source URL,Target URL\nhttps://listed.test/,https://www.caldea.test/\n';

/** Uploads a file that leaves a question. @returns the waiting analysis */
async function ask(content: string) {
  const owner = await createOwner();
  const response = await upload(owner.cookie, { profileId: String(owner.site.id), ask: '1' }, content, 'links.csv');
  expect(response.statusCode).toBe(202);
  const analysis = response.json();
  const answer = (body: object, as = owner.cookie) =>
    call('POST', `/api/backlinks/analyses/${analysis.analysisId}/answer`, { as, body });
  return { owner, analysis, answer };
}

test('an upload waits for the column, and its report follows the answer without a second upload', async () => {
  const { owner, analysis, answer } = await ask(unclear);
  expect(analysis).toMatchObject({
    status: 'waiting',
    message: 'Which column of links.csv contains the pages that link to you?',
    fileName: 'links.csv',
    result: null,
    question: {
      about: 'column',
      file: 'links.csv',
      columns: ['uno', 'due'],
      rows: [
        ['https://listed.test/', 'https://a.test/'],
        ['https://fine.test/', 'https://b.test/'],
      ],
    },
  });
  await expect.poll(uploads).toHaveLength(1);
  expect((await call('GET', '/api/backlinks/analyses', { as: owner.cookie })).json()).toEqual([analysis]);

  const response = await answer({ column: 0 });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({ totalBacklinks: 2, harmfulBacklinks: 1 });
  expect(response.json().formats).toMatchObject([{ column: 'column 1 (“uno”)' }]);
  await expect.poll(uploads).toEqual([]);
  const url = `/api/backlinks/analyses/${analysis.analysisId}`;
  expect((await call('GET', url, { as: owner.cookie })).json()).toMatchObject({ status: 'completed', question: null });
});

test('links to another site can be analyzed for that site, which becomes a website of the user', async () => {
  const { owner, answer } = await ask(elsewhere);
  const listDomains = async () =>
    (await call('GET', '/api/profiles', { as: owner.cookie })).json().map(({ domain }: { domain: string }) => domain);
  const response = await answer({ instead: true });
  expect(response.statusCode).toBe(200);
  expect(await listDomains()).toEqual(['caldea.test', owner.site.domain]);
  const { profileId } = response.json();
  expect(profileId).not.toBe(owner.site.id);
  expect((await call('GET', `/api/profiles/${owner.site.id}/reports`, { as: owner.cookie })).json()).toEqual([]);

  const second = await upload(owner.cookie, { profileId: String(owner.site.id), ask: '1' }, elsewhere, 'links.csv');
  const url = `/api/backlinks/analyses/${second.json().analysisId}/answer`;
  const again = await call('POST', url, { as: owner.cookie, body: { instead: true } });
  expect(again.json().profileId).toBe(profileId);
  const column = await ask(unclear);
  expect((await column.answer({ instead: true })).statusCode).toBe(400);
  await column.answer({ column: 0 });
});

test('links to another site are analyzed only after the user confirms it', async () => {
  const { owner, analysis, answer } = await ask(elsewhere);
  expect(analysis).toMatchObject({
    status: 'waiting',
    message: `This export is for caldea.test. Analyze it for ${owner.site.domain} anyway?`,
    question: { about: 'site', file: 'links.csv', site: 'caldea.test' },
  });
  const result = (await answer({ anyway: true })).json();
  expect(result).toMatchObject({ harmfulBacklinks: 1, formats: [{ otherSite: 'caldea.test' }] });
});

test('each other site is confirmed on its own', async () => {
  const owner = await createOwner();
  const files = ['caldea', 'caldea', 'other'].map(
    (site, i) => [`${i}.csv`, elsewhere.replace('caldea', site).replace('listed', `page${i}`)] as const,
  );
  const response = await uploadFiles(owner.cookie, { profileId: String(owner.site.id), ask: '1' }, files);
  const { analysisId, question } = response.json();
  expect(question).toEqual({ about: 'site', file: '0.csv', site: 'caldea.test' });
  const url = `/api/backlinks/analyses/${analysisId}/answer`;
  const answer = () => call('POST', url, { as: owner.cookie, body: { anyway: true } });
  expect((await answer()).json().question).toEqual({ about: 'site', file: '2.csv', site: 'other.test' });
  expect((await answer()).json()).toMatchObject({ totalBacklinks: 3 });
});

test('without ask the most likely answer is used', async () => {
  const owner = await createOwner();
  for (const content of [unclear, elsewhere]) {
    const response = await upload(owner.cookie, { profileId: String(owner.site.id) }, content);
    expect([response.statusCode, response.json().harmfulBacklinks]).toEqual([200, 1]);
  }
});

test('a disavow file is not analyzed, but merged with the decisions', async () => {
  const { owner, analysis, answer } = await ask('# old\ndomain:listed.test\nhttps://fine.test/page\n');
  expect(analysis).toMatchObject({
    status: 'waiting',
    message: `This is a disavow file. Merge it with the decisions for ${owner.site.domain}?`,
    question: { about: 'disavow', file: 'links.csv' },
  });
  expect((await answer({ anyway: true })).json().fields).toEqual({
    merge: 'Confirm that you want to merge the disavow file.',
  });
  const response = await answer({ merge: true });
  expect([response.statusCode, response.json().status]).toEqual([202, 'cancelled']);
  const files = await call('GET', `/api/profiles/${owner.site.id}/disavow-files`, { as: owner.cookie });
  expect(files.json()).toMatchObject([{ fileName: 'links.csv', lines: 3 }]);
  await expect.poll(uploads).toEqual([]);
  expect((await answer({ merge: true })).statusCode).toBe(409);
});

test('two answers at the same time add a disavow file once', async () => {
  const { owner, answer } = await ask('domain:listed.test\n');
  const responses = await Promise.all([answer({ merge: true }), answer({ merge: true })]);
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409]);
  const files = await call('GET', `/api/profiles/${owner.site.id}/disavow-files`, { as: owner.cookie });
  expect(files.json()).toHaveLength(1);
  await expect.poll(uploads).toEqual([]);
});

test('the other files of an upload with a disavow file are analyzed', async () => {
  const owner = await createOwner();
  const files = [
    ['disavow.txt', 'domain:listed.test\n'],
    ['links.csv', 'url\nhttps://listed.test/\nhttps://fine.test/\n'],
  ] as const;
  const response = await uploadFiles(owner.cookie, { profileId: String(owner.site.id), ask: '1' }, files);
  const url = `/api/backlinks/analyses/${response.json().analysisId}/answer`;
  const result = (await call('POST', url, { as: owner.cookie, body: { merge: true } })).json();
  expect(result).toMatchObject({ totalBacklinks: 2, fileName: 'links.csv', formats: [{ file: 'links.csv' }] });
  await expect.poll(uploads).toEqual([]);
});

test('one question follows another', async () => {
  const owner = await createOwner();
  const files = [
    ['a.csv', unclear],
    ['b.csv', unclear],
    ['b.csv', elsewhere],
  ] as const;
  const response = await uploadFiles(owner.cookie, { profileId: String(owner.site.id), ask: 'true' }, files);
  const { analysisId, question, fileName } = response.json();
  expect([question.file, fileName]).toEqual(['a.csv', 'a.csv and 2 more files']);
  const answer = async (body: object) =>
    (await call('POST', `/api/backlinks/analyses/${analysisId}/answer`, { as: owner.cookie, body })).json();
  expect((await answer({ column: 0 })).question.file).toBe('b.csv');
  expect((await answer({ column: 1 })).question).toEqual({ about: 'site', file: 'b (2).csv', site: 'caldea.test' });
  const result = await answer({ anyway: true });
  expect(result.formats.map(({ file, column }: { file: string; column: string }) => [file, column])).toEqual([
    ['a.csv', 'column 1 (“uno”)'],
    ['b.csv', 'column 2 (“due”)'],
    ['b (2).csv', 'Source URL'],
  ]);
  expect(result.formats[2].duplicates).toBe(1);
});

test('an answer keeps the files, even if it comes before the attempt that asked has ended', async () => {
  const { id: userId, site } = await createOwner();
  const { path, bytes } = await context.files.save(unclear);
  await sql`
    create function answer_at_once() returns trigger language plpgsql as $function$
    begin
      new.status := 'queued';
      new.question := null;
      return new;
    end
    $function$`.execute(context.db);
  await sql`
    create trigger answered before update on analyses for each row when (new.status = 'waiting')
    execute function answer_at_once()`.execute(context.db);
  const analysis = { userId, websiteId: site.id, files: [{ path, name: 'links.csv', bytes }], ask: true };
  await expect(analyzeStoredFiles(context, analysis)).rejects.toThrow();
  await sql`drop function answer_at_once cascade`.execute(context.db);
  expect(await readFile(context.files.locate(path), 'utf8')).toBe(unclear);
  await context.files.remove(path);
});

test('an answer must fit the question', async () => {
  const column = await ask(unclear);
  for (const body of [{}, { anyway: true }, { column: 2 }]) {
    const response = await column.answer(body);
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      { column: 'Choose the column that contains the linking pages.' },
    ]);
  }
  for (const body of [{ column: -1 }, { column: 'uno' }]) expect((await column.answer(body)).statusCode).toBe(400);
  const site = await ask(elsewhere);
  expect((await site.answer({ column: 0 })).json().fields).toEqual({
    anyway: 'Confirm that you want to analyze links to another website.',
  });
});

test('only one of two simultaneous answers counts, and a finished analysis accepts none', async () => {
  const { answer } = await ask(unclear);
  const statuses = (await Promise.all([answer({ column: 0 }), answer({ column: 0 })])).map(
    ({ statusCode }) => statusCode,
  );
  expect(statuses.sort()).toEqual([200, 409]);
  const late = await answer({ column: 0 });
  expect([late.statusCode, late.json().error]).toEqual([409, 'This analysis is not waiting for an answer.']);
});

test('a waiting analysis can be cancelled, which removes its file', async () => {
  const { owner, analysis, answer } = await ask(unclear);
  const url = `/api/backlinks/analyses/${analysis.analysisId}`;
  expect((await call('DELETE', url, { as: owner.cookie })).statusCode).toBe(204);
  expect((await answer({ column: 0 })).statusCode).toBe(409);
  expect((await call('GET', url, { as: owner.cookie })).json()).toMatchObject({ status: 'cancelled', question: null });
});

test('only the owner can answer', async () => {
  const { analysis, answer } = await ask(unclear);
  const [other, admin] = [await signUp(), await signUp({ admin: true })];
  expect((await answer({ column: 0 }, other.cookie)).statusCode).toBe(404);
  expect((await answer({ column: 0 }, admin.cookie)).statusCode).toBe(404);
  const url = `/api/backlinks/analyses/${analysis.analysisId}/answer`;
  expect((await call('POST', url, { body: { column: 0 } })).statusCode).toBe(401);
});

test('waiting analyses count as unfinished', async () => {
  const owner = await createOwner();
  const fields = { profileId: String(owner.site.id), ask: '1' };
  for (let i = 0; i < 5; i += 1) expect((await upload(owner.cookie, fields, unclear)).statusCode).toBe(202);
  expect((await upload(owner.cookie, fields, unclear)).statusCode).toBe(429);
});

test('the column can be given with the upload', async () => {
  const owner = await createOwner();
  const fields = { profileId: String(owner.site.id), ask: '1', column: 'Due' };
  const response = await upload(owner.cookie, fields, unclear);
  expect(response.json()).toMatchObject({ harmfulBacklinks: 0, formats: [{ column: 'due' }] });
  const wrong = await upload(owner.cookie, { ...fields, column: 'tre' }, unclear);
  expect([wrong.statusCode, wrong.json().error]).toEqual([400, 'This file has no column named “tre”.']);
});

test('more than 20 files are refused and none is stored', async () => {
  const owner = await createOwner();
  const before = (await uploads()).length;
  const files = Array.from({ length: 21 }, (_, i) => [`${i}.csv`, 'url\nhttps://fine.test/\n'] as const);
  const response = await uploadFiles(owner.cookie, { profileId: String(owner.site.id) }, files);
  expect([response.statusCode, response.json().error]).toEqual([400, 'Please send up to 20 files.']);
  await expect.poll(async () => (await uploads()).length).toBeLessThanOrEqual(before);
  const twenty = await uploadFiles(owner.cookie, { profileId: String(owner.site.id) }, files.slice(1));
  expect(twenty.json()).toMatchObject({ totalBacklinks: 1 });
});
