import { isAbsolute, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { analyzeStoredFiles } from '#server/backlinks/backlinks.ts';
import { openDatabase } from '#server/db/database.ts';
import { openFiles } from '#server/files/files.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { openDuckDb } from './duckdb.ts';
import { writeBacklinks } from './generate-backlinks.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row } from './measurement.ts';
import { median } from './median.ts';
import { samplePeak } from './sample-peak.ts';

const site = 'linked-site.example';
const maxRatio = 3;
const maxMemoryMb = 400;
const rounds = 3;

/** Analyzes backlink exports against the large blacklist. Peer: DuckDB reads the file and counts distinct hosts. */
export const analyzeMeasurement: Measurement = { name: 'analyze', run };

async function run({ domains, database, folder }: BenchOptions): Promise<Row[]> {
  const target = await database(domains, 'analyze');
  const large = { path: join(folder, 'backlinks-1000000.csv'), rows: 1_000_000, hosts: 200_000 };
  const upload = { path: join(folder, 'backlinks-600000.csv'), rows: 600_000, hosts: 120_000 };
  // One host in twenty is listed.
  const listed = await sampleNames(target.pool, domains, large.hosts / 20);
  for (const file of [large, upload]) {
    await writeBacklinks(file.path, { ...file, listed: listed.slice(0, file.hosts / 20), site });
  }
  const peer = await openPeer(folder);
  const rows = [await measureFunction(target, large, peer, folder)];
  const server = await startBenchSite(target.url, folder);
  try {
    rows.push(await measureUpload(server, upload, peer));
  } finally {
    await server.close();
    peer.close();
  }
  return rows;
}

interface BenchFile {
  path: string;
  rows: number;
}

type Peer = Awaited<ReturnType<typeof openPeer>>;

/** Calls the analysis in this process. */
async function measureFunction({ url }: BenchDatabase, file: BenchFile, peer: Peer, folder: string): Promise<Row> {
  const { db, pool, close } = openDatabase(url, (error) => console.error(error.message));
  const { rows } = await pool.query<{ userId: number; profileId: number }>(`
    with owner as (insert into users (username, email) values ('analyst', 'analyst@mail.example') returning id)
    insert into profiles (user_id, domain) select id, '${site}' from owner returning user_id as "userId", id as "profileId"
  `);
  const [owner] = rows;
  if (!owner) throw new Error('The profile was not inserted.');
  // The analysis must not delete the file, which the next round needs.
  const store = await openFiles(folder);
  const files = {
    ...store,
    locate: (path: string) => (isAbsolute(path) ? path : store.locate(path)),
    remove: async () => undefined,
  };
  const context = { db, pool, databaseUrl: url, files, log: pino({ level: 'error' }) };
  const analysis = { ...owner, files: [{ path: file.path, name: 'bench.csv', bytes: 0 }] };
  const result = await compare(
    peer,
    file,
    () => process.pid,
    async () => {
      await analyzeStoredFiles(context, analysis);
    },
  );
  await close();
  return toRow('analyze 1,000,000 backlinks', result);
}

/** Uploads the file to a server, and measures its slowest other response in the meantime. */
async function measureUpload(server: BenchSite, file: BenchFile, peer: Peer): Promise<Row> {
  const { profileId } = await server.createProfile(`upload.${site}`);
  let slowestMs = 0;
  const result = await compare(
    peer,
    file,
    () => server.pid,
    async () => {
      const uploading = server.analyze(profileId, file.path);
      let isDone = false;
      const done = uploading.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        const start = performance.now();
        await server.sendRequest();
        slowestMs = Math.max(slowestMs, performance.now() - start);
        await wait(10);
      }
      await done;
    },
  );
  return toRow(`analyze 600,000 backlinks by upload (slowest other response ${slowestMs.toFixed(0)} ms)`, result);
}

/** Alternates with the peer. @returns medians in seconds, and the peak memory of the process above idle in MB */
async function compare(peer: Peer, file: BenchFile, pid: () => number, work: () => Promise<void>) {
  const ours: number[] = [];
  const peers: number[] = [];
  let peak = 0;
  for (let i = 0; i < rounds; i++) {
    const sampled = samplePeak(pid());
    ours.push(await measureSeconds(work));
    peak = Math.max(peak, sampled.stop());
    peers.push(await measureSeconds(() => peer.count(file)));
  }
  return { ours: median(ours), peer: median(peers), peak };
}

function toRow(work: string, { ours, peer, peak }: { ours: number; peer: number; peak: number }): Row {
  const ratio = ours / peer;
  return {
    work: `${work} (peak memory +${peak} MB of ${maxMemoryMb})`,
    ours: `${ours.toFixed(1)} s`,
    peer: `DuckDB ${peer.toFixed(1)} s`,
    ratio: ratio.toFixed(2),
    budget: `≤ ${maxRatio}`,
    passed: ratio <= maxRatio && peak <= maxMemoryMb,
  };
}

async function openPeer(folder: string) {
  const connection = await openDuckDb(folder);
  return {
    async count({ path, rows }: BenchFile): Promise<void> {
      const host = String.raw`regexp_extract("Referring page URL", '^(?:https?://)?(?:www\.)?([^/?#:]+)', 1)`;
      const read = `read_csv('${path}', header = true, all_varchar = true)`;
      const result = await connection.runAndReadAll(`select count(*), count(distinct ${host}) from ${read}`);
      const count = Number(result.getRows()[0]?.[0]);
      if (count !== rows) throw new Error(`DuckDB read ${count} rows instead of ${rows}.`);
    },
    close: () => connection.closeSync(),
  };
}

/** Returns names spread evenly over the blacklist. */
async function sampleNames(pool: pg.Pool, domains: number, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from generate_series(1, $1::bigint, $2::bigint) as wanted (id) join domains using (id)',
    [domains, Math.max(1, Math.floor(domains / count))],
  );
  return rows.map((row) => row.name);
}

async function measureSeconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
