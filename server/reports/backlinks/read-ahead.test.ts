import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { type RunFunction, runInProcess } from '../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls, buildForm, type WebsiteOwner } from './analyses.fixtures.ts';
import { analysisJob, analysisJobs } from './jobs.ts';

/** For each process that analyzed something: whether it had read the file ahead. */
const analyzing: boolean[] = [];
const runWork: RunFunction = (access, entry, task, options) => {
  analyzing.push(options.own !== undefined);
  return runInProcess(access, entry, task, options);
};
const testApp = await startTestApp({}, { work: analysisJobs, runWork });
const { app, call, context } = testApp;
const { createDomains, createOwner, analyze, lockBlacklist, waitForAnalysis } = buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test', risk: 3 });
await app.listen({ port: 0, host: '127.0.0.1' });
afterEach(async () => {
  analyzing.length = 0;
  await expect.poll(() => readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
  await expect.poll(countProcesses).toBe(0);
});

/** An export of more than 4 MB, with text outside ASCII only at its end. */
const links = Array.from({ length: 90_000 }, (_, i) => `https://site${i % 5000}.example/an-article-about-${i}.html`);
const exported = ['Source url', ...links, 'https://listed.test/a', 'https://müller.example/ü', ''].join('\n');

/** The processes of runs that are connected to the database. */
async function countProcesses(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and application_name like 'linksieve-process-%'
  `.execute(context.db);
  return rows[0]?.count ?? 0;
}

/** Sends a form up to its last bytes. `finish` sends the rest, and returns the status and the body. */
async function openUpload(
  owner: WebsiteOwner,
  fields: Record<string, string>,
  files: readonly (readonly [name: string, content: string | Buffer])[],
  { server = app, heldBytes = 1000 }: { server?: FastifyInstance; heldBytes?: number } = {},
) {
  const { payload, headers } = await buildForm(fields, files);
  const { port } = server.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const head = [
    'POST /api/backlinks/analyze HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `cookie: ${owner.cookie}`,
    'sec-fetch-site: same-origin',
    `content-type: ${headers['content-type']}`,
    `content-length: ${payload.length}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(payload.subarray(0, -heldBytes));
  return {
    socket,
    sendHalf: () => socket.write(payload.subarray(-heldBytes, -heldBytes / 2)),
    async finish(sent = heldBytes) {
      socket.write(payload.subarray(-sent));
      const response = await text(socket);
      const [head = '', body = ''] = response.split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
    },
  };
}

const toCounts = ({
  totalBacklinks,
  totalDomains,
  toxicDomains,
  harmfulBacklinks,
  formats,
}: Record<string, unknown>) => ({
  totalBacklinks,
  totalDomains,
  toxicDomains,
  harmfulBacklinks,
  formats,
});

test('an export is read while it arrives, with the result of one that is read from disk', async () => {
  const owner = await createOwner();
  const { finish } = await openUpload(owner, { profileId: String(owner.site.id) }, [['export.csv', exported]]);
  await expect.poll(countProcesses).toBeGreaterThan(0);
  const { status, body } = await finish();
  expect(status).toBe(200);
  expect(body).toMatchObject({ totalBacklinks: 90_002, toxicDomains: 1, harmfulBacklinks: 1 });
  expect(analyzing).toEqual([true]);
  expect(toCounts(body)).toEqual(toCounts(await analyzeFromDisk()));
});

/** Analyzes the export with the fields after the file, so that it cannot be read before it is stored. */
async function analyzeFromDisk() {
  const owner = await createOwner();
  const form = new FormData();
  form.append('backlinkFile', new File([exported], 'export.csv'));
  form.append('profileId', String(owner.site.id));
  const encoded = new Response(form);
  const response = await call('POST', '/api/backlinks/analyze', {
    as: owner.cookie,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  return response.json();
}

test('an upload with a second file, or an archive, is read once it is complete', async () => {
  const owner = await createOwner();
  const second = 'Source url\nhttps://listed.test/another\n';
  const fields = { profileId: String(owner.site.id) };
  const two = await openUpload(owner, fields, [
    ['export.csv', exported],
    ['more.csv', second],
  ]);
  expect(await two.finish()).toMatchObject({ status: 200, body: { totalBacklinks: 90_003, harmfulBacklinks: 2 } });
  expect(analyzing).toEqual([false]);
  expect(await analyze(owner.cookie, owner.site.id, gzipSync(exported, { level: 0 }), 'export.csv.gz')).toMatchObject({
    totalBacklinks: 90_002,
  });
});

test('reading ends when a second file starts to arrive', async () => {
  const owner = await createOwner();
  const files = [
    ['export.csv', exported],
    ['more.csv', `Source url\n${'https://listed.test/another\n'.repeat(2000)}`],
  ] as const;
  const heldBytes = 60_000;
  const { sendHalf, finish } = await openUpload(owner, { profileId: String(owner.site.id) }, files, { heldBytes });
  await expect.poll(countProcesses).toBeGreaterThan(0);
  sendHalf();
  // A process that is idle for ten seconds closes its connection.
  await expect.poll(countProcesses, { timeout: 8000 }).toBe(0);
  expect(await finish(heldBytes / 2)).toMatchObject({ status: 200, body: { totalDomains: 5002 } });
  expect(analyzing).toEqual([false]);
});

test('a file that cannot be analyzed is refused with the reason', async () => {
  const owner = await createOwner();
  const rows = Array.from({ length: 200_000 }, () => 'not an address,and no link either');
  const { finish } = await openUpload(owner, { profileId: String(owner.site.id) }, [
    ['export.csv', ['Source url,Title', ...rows].join('\n')],
  ]);
  await expect.poll(countProcesses).toBeGreaterThan(0);
  const { status, body } = await finish();
  expect([status, body.error]).toEqual([400, expect.stringContaining('No row of this file is usable')]);
});

test('an upload for a website that is deleted meanwhile leaves nothing behind', async () => {
  const owner = await createOwner();
  const { finish } = await openUpload(owner, { profileId: String(owner.site.id) }, [['export.csv', exported]]);
  await expect.poll(countProcesses).toBeGreaterThan(0);
  await call('DELETE', `/api/profiles/${owner.site.id}`, { as: owner.cookie });
  expect((await finish()).status).toBe(404);
});

test('a lost connection ends the reading', async () => {
  const owner = await createOwner();
  const { socket } = await openUpload(owner, { profileId: String(owner.site.id) }, [['export.csv', exported]]);
  await expect.poll(countProcesses).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(countProcesses).toBe(0);
});

test('a cancelled analysis ends the reading', async () => {
  const owner = await createOwner();
  const release = await lockBlacklist();
  const { finish } = await openUpload(owner, { profileId: String(owner.site.id) }, [['export.csv', exported]]);
  const finished = finish();
  const id = await findRunning(owner);
  expect((await call('DELETE', `/api/backlinks/analyses/${id}`, { as: owner.cookie })).statusCode).toBe(204);
  await expect.poll(countProcesses).toBe(0);
  await release();
  expect((await finished).body).toMatchObject({ status: 'cancelled' });
});

/** Waits until the owner has a running analysis. @returns its id */
async function findRunning(owner: WebsiteOwner): Promise<string> {
  const list = async () => (await call('GET', '/api/backlinks/analyses', { as: owner.cookie })).json();
  await expect.poll(list).toHaveLength(1);
  return (await list())[0].analysisId;
}

test('another process continues the analysis of one that stops, and not before', async () => {
  const stopping = new AbortController();
  const other = buildApp({ ...context, background: stopping.signal, respondWithinMs: 0 });
  await other.listen({ port: 0, host: '127.0.0.1' });
  const owner = await createOwner();
  const release = await lockBlacklist();
  const { finish } = await openUpload(owner, { profileId: String(owner.site.id) }, [['export.csv', exported]], {
    server: other,
  });
  const { status, body } = await finish();
  expect(status).toBe(202);
  const { analysisId } = body;
  const readStatus = async () =>
    (await context.db.selectFrom('analyses').select('status').where('id', '=', analysisId).executeTakeFirst())?.status;
  await expect.poll(readStatus).toBe('running');
  // The spare job finds that the analysis runs.
  await analysisJob.run(context, { analysisId, filePaths: [], isSpare: true }, new AbortController().signal);
  expect(await readStatus()).toBe('running');
  stopping.abort();
  await expect.poll(readStatus).toBe('queued');
  await release();
  await sql`update pgboss.job set start_after = now() where name = ${analysisJob.queue.name}`.execute(context.db);
  expect(await waitForAnalysis(owner.cookie, analysisId)).toMatchObject({
    status: 'completed',
    result: { totalBacklinks: 90_002 },
  });
  await other.close();
});
