import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { createOwner, listDomain, openUpload, uploadExport, waitForAnalysis } from './uploads.ts';
import { signIn, withServer } from './with-server.ts';

const seconds = 60;
const rows = 200_000;
const host = 'listed.example';

/** A fault of the database must not fail work that has begun. */
export const databaseCutTrial: Trial = {
  name: 'database-cut',
  fault: `All connections to the database are cut for ${seconds} s during an import and an analysis`,
  promise: 'Both complete afterwards, with all rows, and no attempt counts',
  run: () =>
    withServer(async (server) => {
      await listDomain(server, host);
      const owner = await createOwner(server);
      const admin = { cookie: await signIn(server), websiteId: 0 };
      const lines = Array.from({ length: rows }, (_, n) => `name-${n}.example,Fiverr\n`);
      const content = `domain,source\n${lines.join('')}`;
      const importing = openUpload(server, admin, content.length, { path: '/api/domains/upload', field: 'file' });
      await importing.write(content);
      importing.finish();
      const { jobId } = JSON.parse((await importing.answer).body);
      const { analysisId, body } = await uploadExport(server, owner, host, 40 * 1024 * 1024);
      if (!analysisId) throw new Error(`The analysis did not start: ${body}`);
      const client = await connect(server);
      const cuts = await cutConnections(client);
      const start = performance.now();
      const analysis = await waitForAnalysis(server, owner, analysisId);
      const imported = await waitForImport(server, admin.cookie, jobId);
      const resumed = (performance.now() - start) / 1000;
      const { rows: attempts } = await client.query<{ imports: number; analyses: number }>(
        'select (select max(attempts) from imports) as imports, (select max(attempts) from analyses) as analyses',
      );
      await client.end();
      const figures =
        `${cuts} connections cut; import ${imported.status} with ${imported.imported} rows, analysis ${analysis.status} ` +
        `${resumed.toFixed(0)} s later; attempts ${JSON.stringify(attempts[0])}`;
      if (
        imported.status !== 'completed' ||
        imported.imported !== rows ||
        analysis.status !== 'completed' ||
        attempts[0]?.imports !== 1 ||
        attempts[0].analyses !== 1
      ) {
        throw new Error(`${figures} (${imported.message} ${analysis.message})`);
      }
      return figures;
    }),
};

async function connect({ dataDir }: SeparateServer): Promise<pg.Client> {
  const [, , , port] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const client = new pg.Client(`postgres://linksieve:${password}@127.0.0.1:${port}/postgres`);
  await client.connect();
  return client;
}

/** Cuts every connection four times a second, except those that lock the data folder. @returns their number */
async function cutConnections(client: pg.Client): Promise<number> {
  let cuts = 0;
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await delay(250)) {
    const { rowCount } = await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name not in ('linksieve-owner')
    `);
    cuts += rowCount ?? 0;
  }
  return cuts;
}

async function waitForImport({ address }: SeparateServer, cookie: string, jobId: string) {
  for (;;) {
    const response = await fetch(`${address}/api/domains/import-status/${jobId}`, { headers: { cookie } });
    const run: { status: string; imported: number; message: string } = await response.json();
    if (response.ok && run.status !== 'processing') return run;
    await delay(500);
  }
}
