import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { ImportMapping } from '#shared/blacklist/import-preview.ts';
import { runInProcess } from '../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from './jobs.ts';
import { uploadImport, waitForImport } from './upload.fixtures.ts';

const server = await startTestApp({}, { work: [importJob] });
const { call, context, signUp } = server;
const admin = await signUp({ admin: true });
const files = () => readdir(join(context.config.dataDir, 'uploads'));
const listed = () => context.db.selectFrom('domains').selectAll().orderBy('name').execute();
const listSources = () => context.db.selectFrom('sources').select(['name', 'kind']).orderBy('name').execute();

interface Options {
  mapping?: ImportMapping;
  fileName?: string;
  path?: 'upload' | 'upload/check' | 'upload/preview';
  defaultSource?: string;
  defaultKind?: string;
}

function send(content: string, { mapping, fileName, path = 'upload', ...fields }: Options = {}) {
  const given = { ...fields, ...(mapping && { mapping: JSON.stringify(mapping) }) };
  return uploadImport(server, admin.cookie, content, { fileName, path, fields: given });
}

afterEach(async () => {
  await context.db.deleteFrom('held_listings').execute();
  await context.db.deleteFrom('domains').execute();
  await context.db.deleteFrom('listings').execute();
  await context.db.deleteFrom('sources').execute();
});

test('a price list is imported as its preview suggests', async () => {
  const content = 'Website,Marketplace,Price\na.com,Adsy,$50\nb.net,"Legiit, Adsy",$60\n';
  const preview = await send(content, { path: 'upload/preview' });
  expect(preview.statusCode).toBe(200);
  const { mapping } = preview.json();
  expect(mapping).toEqual({ headerLine: 1, columns: { domain: 0, source: 1, cost: 2 } });
  expect((await send(content, { mapping })).json()).toMatchObject({ imported: 2, failedCount: 0 });
  expect(await listed()).toMatchObject([
    { name: 'a.com', source: ['Adsy'], cost: '$50' },
    { name: 'b.net', source: ['Legiit', 'Adsy'], cost: '$60' },
  ]);
  await expect.poll(files).toEqual([]);
});

test('a text file without a header gets the default source and its kind', async () => {
  const options = { fileName: 'list.txt', defaultSource: ' Price list, May ', defaultKind: 'inventory' };
  expect((await send('# May\na.com\nb.net\n', options)).json()).toMatchObject({ imported: 2, failedCount: 0 });
  expect((await listed()).map(({ source }) => source)).toEqual([
    ['Price list', 'May'],
    ['Price list', 'May'],
  ]);
  expect(await listSources()).toEqual([
    { name: 'May', kind: 'inventory' },
    { name: 'Price list', kind: 'inventory' },
  ]);
});

test('the message names at most 20 of the columns that are not read', async () => {
  const numbers = Array.from({ length: 25 }, (_, i) => i + 1);
  const rows = [numbers.map((i) => `Site ${i}`), ...['a', 'b', 'c'].map((row) => numbers.map((i) => `${row}${i}.com`))];
  const content = ['domain,source', 'a.com,x', 'b.com,x', 'c.com,x']
    .map((line, i) => [line, ...(rows[i] ?? [])].join(','))
    .join('\n');
  const mapping = { headerLine: 1, columns: { domain: 0, source: 1 } };
  const { jobId } = (await send(content, { mapping })).json();
  const { message } = await waitForImport(server, admin.cookie, jobId);
  expect(message).toMatch(/“Site 1”, .*“Site 20”, and 5 more\./);
});

test.each([
  ['no column of domains', { mapping: { headerLine: 0, columns: { source: 0 } } }, 'mapping'],
  ['neither a source nor a default', { mapping: { headerLine: 0, columns: { domain: 0 } } }, 'defaultSource'],
  ['one column read as two fields', { mapping: { headerLine: 0, columns: { domain: 0, source: 0 } } }, 'mapping'],
  ['a negative column', { mapping: { headerLine: 0, columns: { domain: -1 } }, defaultSource: 'x' }, 'mapping'],
  ['an unknown kind', { defaultSource: 'x', defaultKind: 'unknown' }, 'defaultKind'],
  ['a default source that is too long', { defaultSource: 'x'.repeat(101) }, 'defaultSource'],
])('an upload with %s is refused and leaves nothing behind', async (_, options, field) => {
  const response = await send('a.com\n', options);
  expect(response.statusCode).toBe(400);
  expect(Object.keys(response.json().fields)).toEqual([field]);
  await expect.poll(files).toEqual([]);
});

test('a mapping that is not JSON is refused', async () => {
  const response = await uploadImport(server, admin.cookie, 'a.com\n', { fields: { mapping: '{' } });
  expect([response.statusCode, response.json().error]).toEqual([400, 'The field mapping is invalid.']);
});

test('a preview of a file that cannot be read says why and leaves nothing behind', async () => {
  const response = await send('<!doctype html><html><body></body></html>', { path: 'upload/preview' });
  expect(response.statusCode).toBe(400);
  expect(response.json().error).toMatch(/^[A-Z].*web page.*\.$/);
  expect(await files()).toEqual([]);
});

/** Lists two domains and rejects a held one, then returns a file with every kind of row. */
async function prepareCheck(): Promise<string> {
  await send('domain,source\nsame.com,Adsy\nchanged.com,Adsy\nrejected.edu,Adsy\n');
  const held = await call('GET', '/api/admin/held', { as: admin.cookie });
  const rejection = { as: admin.cookie, body: { decision: 'reject' } };
  await call('POST', `/api/admin/held/${held.json().held[0].id}`, rejection);
  return (
    'domain,source,sourceKind\nnew.com,Adsy,\nnewer.com,New source,inventory\nsame.com,ADSY,\n' +
    'changed.com,Other,\nrejected.edu,Adsy,\nwaiting.edu,Other,\nnot a name,Adsy,\nnew.com,adsy,\n'
  );
}

test('a check reports what an import does, and changes nothing', async () => {
  const content = await prepareCheck();
  const before = [await listed(), await listSources()];
  const check = await send(content, { path: 'upload/check' });
  expect(check.statusCode).toBe(200);
  const counts = { processedCount: 8, imported: 2, updated: 1, unchangedCount: 1, heldCount: 1, failedCount: 1 };
  expect(check.json()).toMatchObject({ status: 'completed', dryRun: true, ...counts });
  // rejected.edu is not held again.
  expect(check.json().held).toEqual([{ line: 7, value: 'waiting.edu', reason: expect.stringContaining('.edu') }]);
  expect([await listed(), await listSources()]).toEqual(before);
  expect((await call('GET', '/api/admin/held', { as: admin.cookie })).json().held).toEqual([]);
  const csv = await call('GET', `/api/domains/import-status/${check.json().jobId}/failures.csv`, { as: admin.cookie });
  expect(csv.body).toContain('8,not a name,');
  expect(csv.body).not.toContain('waiting.edu');

  const { failures, message, ...imported } = (await send(content)).json();
  expect(imported).toMatchObject({ dryRun: false, ...counts, held: [] });
  expect(check.json()).toMatchObject({ failures, message });
  expect((await listed()).map(({ name }) => name)).toEqual(['changed.com', 'new.com', 'newer.com', 'same.com']);
  await expect.poll(files).toEqual([]);
});

test('a check is audited as a check', async () => {
  const { jobId } = (await send('domain,source\na.com,Adsy\n', { path: 'upload/check' })).json();
  const { rows } = await sql<{ event: string }>`
    select event from audit_events where details ->> 'jobId' = ${jobId}
  `.execute(context.db);
  expect(rows).toEqual([{ event: 'Checked an import file' }]);
});

test('a running import can be canceled, and a finished one cannot', async () => {
  server.context.runWork = runInProcess;
  const rows = Array.from({ length: 200_000 }, (_, i) => `name-${i}.example,Adsy`).join('\n');
  const running = send(`domain,source\n${rows}\n`);
  const findRunning = () =>
    context.db.selectFrom('imports').select('id').where('status', 'in', ['queued', 'running']).executeTakeFirst();
  await expect.poll(findRunning).toBeDefined();
  const jobId = (await findRunning())?.id ?? '';
  const cancel = () => call('DELETE', `/api/domains/import-status/${jobId}`, { as: admin.cookie });
  expect((await cancel()).statusCode).toBe(204);
  expect((await running).json()).toMatchObject({
    jobId,
    status: 'cancelled',
    message: 'Canceled. Nothing was imported.',
  });
  await expect.poll(files, { timeout: 10_000 }).toEqual([]);
  expect(await listed()).toEqual([]);
  expect((await cancel()).statusCode).toBe(409);
  expect(await waitForImport(server, admin.cookie, jobId)).toMatchObject({ status: 'cancelled', imported: 0 });
});
