import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { importJob } from '../../blacklist/imports/jobs.ts';
import { buildAnalysisCalls, buildForm } from '../../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { getUsage } from '../usage/usage.ts';
import { deleteExpiredUploads } from './interrupted.ts';

const testApp = await startTestApp({}, { work: [...analysisJobs, importJob] });
const { app, call, context, signUp } = testApp;
const { createDomains, createOwner, lockBlacklist } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test', risk: 3 });
await app.listen({ port: 0, host: '127.0.0.1' });
const listFiles = () => readdir(join(context.config.dataDir, 'uploads'));
/** The size of all uploaded files together. */
async function countBytes(): Promise<number> {
  const sizes = (await listFiles()).map(async (name) => (await stat(context.files.locate(name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
afterEach(async () => {
  await context.db.deleteFrom('uploads').execute();
  await expect.poll(listFiles).toEqual([]);
});

const links = Array.from({ length: 3000 }, (_, i) => `https://site${i}.example/page`);
const content = ['url', ...links, 'https://listed.test/a', ''].join('\n');
type File = readonly [name: string, content: string];

interface Sent {
  as: string;
  id: string;
  websiteId: number;
  files: readonly File[];
  /** The bytes of each file that the server already has. */
  received?: readonly number[];
}

/** Builds the form with the rest of each file. */
function buildRest({ websiteId, files, received = [] }: Sent) {
  const rest = files.map(([name, text], i) => [name, Buffer.from(text).subarray(received[i] ?? 0)] as const);
  return buildForm({ profileId: String(websiteId) }, rest);
}

/** Sends the rest of an upload. */
async function send(sent: Sent, offset = (sent.received ?? []).reduce((sum, bytes) => sum + bytes, 0)) {
  const { payload, headers } = await buildRest(sent);
  return call('POST', '/api/backlinks/analyze', {
    as: sent.as,
    payload,
    headers: { ...headers, 'upload-id': sent.id, 'upload-offset': String(offset) },
  });
}

/** Opens a connection that sends only the first bytes of an upload. */
async function sendStart(sent: Sent, bytes: number) {
  const { payload, headers } = await buildRest(sent);
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const received = (sent.received ?? []).reduce((sum, one) => sum + one, 0);
  const head = [
    'POST /api/backlinks/analyze HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `cookie: ${sent.as}`,
    'sec-fetch-site: same-origin',
    `content-type: ${headers['content-type']}`,
    `content-length: ${payload.length}`,
    `upload-id: ${sent.id}`,
    `upload-offset: ${received}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(payload.subarray(0, bytes));
  return socket;
}

const readReceived = (as: string, id: string) => call('GET', `/api/uploads/${id}`, { as });
const listParts = () => context.db.selectFrom('uploads').select(['id', 'parts']).execute();

/** Loses the connection of an upload after some bytes. @returns how many bytes of each file have arrived */
async function loseConnection(sent: Sent, bytes: number): Promise<number[]> {
  const before = await countBytes();
  const socket = await sendStart(sent, bytes);
  // The form's fields and headers take a few hundred bytes.
  await expect.poll(countBytes).toBeGreaterThan(before + bytes - 1000);
  socket.destroy();
  await expect.poll(async () => (await readReceived(sent.as, sent.id)).statusCode).toBe(200);
  return (await readReceived(sent.as, sent.id)).json().received;
}

test('an upload continues where its connection broke, as often as it breaks', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  const first = await loseConnection(sent, 20_000);
  expect(first[0]).toBeGreaterThan(15_000);
  const second = await loseConnection({ ...sent, received: first }, 40_000);
  expect(second[0]).toBeGreaterThan((first[0] ?? 0) + 35_000);
  const response = await send({ ...sent, received: second });
  expect([response.statusCode, response.json()]).toEqual([
    200,
    expect.objectContaining({
      totalBacklinks: 3001,
      harmfulBacklinks: 1,
      formats: [expect.objectContaining({ file: 'links.csv' })],
    }),
  ]);
  expect(await listParts()).toEqual([]);
  const analysis = await call('GET', `/api/backlinks/analyses/${sent.id}`, { as });
  expect(analysis.json()).toMatchObject({ status: 'completed', result: { totalBacklinks: 3001 } });
});

test('of several files, those that have arrived are not sent again', async () => {
  const { cookie: as, site } = await createOwner();
  const more = ['url', ...links.map((link) => `${link}/more`), ''].join('\n');
  const files: File[] = [
    ['links.csv', content],
    ['links.csv', more],
  ];
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files };
  const received = await loseConnection(sent, content.length + 30_000);
  expect(received).toEqual([content.length, expect.any(Number)]);
  expect((await send({ ...sent, received })).json()).toMatchObject({ totalBacklinks: 6001 });
});

test('a client that has lost a connection which the server still has open takes the upload over', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  const socket = await sendStart(sent, 20_000);
  const closed = once(socket, 'close');
  await expect.poll(listFiles).toHaveLength(1);
  const { received } = (await readReceived(as, sent.id)).json();
  await closed;
  expect((await send({ ...sent, received })).json()).toMatchObject({ totalBacklinks: 3001 });
});

test('while another process receives an upload, it can neither be read, continued nor deleted', async () => {
  const { cookie: as, site, id: userId } = await createOwner();
  const id = randomUUID();
  await sql`
    insert into uploads (id, user_id, bytes, bytes_left, expires_at) values (${id}, ${userId}, 1, 1, now() + interval '1 minute')
  `.execute(context.db);
  const sent: Sent = { as, id, websiteId: site.id, files: [['links.csv', content]] };
  expect((await readReceived(as, id)).statusCode).toBe(409);
  expect((await send(sent)).statusCode).toBe(409);
  expect((await call('DELETE', `/api/uploads/${id}`, { as })).statusCode).toBe(404);
});

test('a request that does not continue where the files end is refused, and loses nothing', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  const received = await loseConnection(sent, 20_000);
  const refused = await send({ ...sent, received }, (received[0] ?? 0) - 1);
  expect([refused.statusCode, refused.json().error]).toEqual([409, 'Ask again where to continue this upload.']);
  expect((await send({ ...sent, received })).json()).toMatchObject({ totalBacklinks: 3001 });
});

test('only its owner can read, continue and delete an interrupted upload', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  const received = await loseConnection(sent, 20_000);
  const other = await createOwner();
  expect((await readReceived(other.cookie, sent.id)).statusCode).toBe(404);
  expect((await call('DELETE', `/api/uploads/${sent.id}`, { as: other.cookie })).statusCode).toBe(404);
  const taken = await send({ ...sent, as: other.cookie, websiteId: other.site.id });
  expect([taken.statusCode, taken.json().error]).toEqual([409, 'There is already an upload with this id.']);
  expect((await readReceived(as, sent.id)).json()).toEqual({ received });
  expect((await call('DELETE', `/api/uploads/${sent.id}`, { as })).statusCode).toBe(204);
  expect((await readReceived(as, sent.id)).statusCode).toBe(404);
  expect(await listFiles()).toEqual([]);
});

test('an upload that was complete is not analyzed again', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  expect((await send(sent)).statusCode).toBe(200);
  expect((await readReceived(as, sent.id)).statusCode).toBe(404);
  expect((await send(sent)).statusCode).toBe(409);
});

test('interrupted uploads count toward the storage, but not as unfinished, and five of them are kept', async () => {
  const { cookie: as, site, id: userId } = await createOwner();
  const ids = Array.from({ length: 6 }, () => randomUUID());
  for (const id of ids) await loseConnection({ as, id, websiteId: site.id, files: [['links.csv', content]] }, 20_000);
  expect((await listParts()).map(({ id }) => id).sort()).toEqual(ids.slice(1).sort());
  expect(await listFiles()).toHaveLength(5);
  expect((await getUsage(context.db, context.config, { id: userId, isAdmin: false })).usedBytes).toBeGreaterThan(
    5 * 20_000,
  );
  const other = await send({ as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] });
  expect(other.statusCode).toBe(200);
  for (const id of ids.slice(1)) await call('DELETE', `/api/uploads/${id}`, { as });
});

test('interrupted uploads that nobody continues are deleted with their files', async () => {
  const { cookie: as, site } = await createOwner();
  await loseConnection({ as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] }, 20_000);
  await deleteExpiredUploads(context);
  expect(await listFiles()).toHaveLength(1);
  await context.db.updateTable('uploads').set({ expires_at: sql<Date>`now() - interval '1 second'` }).execute();
  await deleteExpiredUploads(context);
  expect([await listFiles(), await listParts()]).toEqual([[], []]);
});

test('the import of an interrupted upload gets its id', async () => {
  const admin = await signUp({ admin: true });
  const id = randomUUID();
  const form = new FormData();
  form.append('file', new File(['domain,source\nimported.test,A list\n'], 'list.csv'));
  const encoded = new Response(form);
  const response = await call('POST', '/api/domains/upload', {
    as: admin.cookie,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'upload-id': id },
  });
  expect([response.statusCode, response.json().jobId]).toEqual([200, id]);
});

test('an upload that was kept too long, or whose process was killed, starts again with its id', async () => {
  const { cookie: as, site, id: userId } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  await loseConnection(sent, 20_000);
  await context.db.updateTable('uploads').set({ expires_at: sql<Date>`now()` }).execute();
  expect((await readReceived(as, sent.id)).statusCode).toBe(404);
  expect((await send(sent)).json()).toMatchObject({ totalBacklinks: 3001 });
  const id = randomUUID();
  await sql`
    insert into uploads (id, user_id, bytes, bytes_left, expires_at) values (${id}, ${userId}, 1, 1, now())
  `.execute(context.db);
  expect((await send({ ...sent, id })).json()).toMatchObject({ totalBacklinks: 3001 });
});

test('an upload whose first part is on another machine starts again with its id', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  await loseConnection(sent, 20_000);
  // The row is in the database, but this machine does not have the file.
  for (const name of await listFiles()) await context.files.remove(name);
  expect((await readReceived(as, sent.id)).statusCode).toBe(404);
  expect((await send(sent)).json()).toMatchObject({ totalBacklinks: 3001, harmfulBacklinks: 1 });
  expect(await listParts()).toEqual([]);
});

test('a large upload that continues is read while it arrives, with progress up to its end', async () => {
  const { cookie: as, site } = await createOwner();
  const lines = Array.from({ length: 150_000 }, (_, i) => `https://site${i % 3000}.example/a-page-with-a-link/${i}`);
  const files: File[] = [['links.csv', ['url', ...lines, ''].join('\n')]];
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files };
  const received = await loseConnection(sent, 6_000_000);
  const release = await lockBlacklist();
  const sending = send({ ...sent, received });
  const readRun = () =>
    context.db
      .selectFrom('analyses')
      .select([sql<boolean>`progress_at > now() - interval '2 seconds'`.as('isFresh'), 'progress', 'attempts'])
      .where('id', '=', sent.id)
      .executeTakeFirst();
  await expect.poll(async () => (await readRun())?.progress).toBeGreaterThan(0);
  await expect.poll(async () => (await readRun())?.isFresh).toBe(true);
  await release();
  expect((await sending).json()).toMatchObject({ totalBacklinks: 150_000 });
  expect((await readRun())?.attempts).toBe(1);
});

test('an upload cannot grow above the limit by continuing', async () => {
  const { cookie: as, site } = await createOwner();
  const sent: Sent = { as, id: randomUUID(), websiteId: site.id, files: [['links.csv', content]] };
  expect((await send(sent, 200 * 1024 * 1024 + 1)).statusCode).toBe(413);
});

test('an id that is not a UUID is refused', async () => {
  const { cookie: as, site } = await createOwner();
  const refused = await send({ as, id: 'abc', websiteId: site.id, files: [['links.csv', content]] });
  expect([refused.statusCode, refused.json().error]).toEqual([400, 'The header upload-id must be a UUID.']);
});
