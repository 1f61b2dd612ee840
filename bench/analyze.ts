import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { normalizeHost } from '#server/hostnames/hosts/hosts.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { openFiles } from '#server/platform/files/files.ts';
import { runInProcess } from '#server/platform/processes/run-in-process.ts';
import { analyzeStoredFiles } from '#server/reports/backlinks/backlinks.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { writeBacklinks } from './generate-backlinks.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row } from './measurement.ts';
import { samplePeak } from './sample-peak.ts';
import { measureSeconds, median } from './statistics.ts';

const site = 'linked-site.example';
const budget = { maxFunctionRatio: 2, maxUploadRatio: 3, maxMemoryMb: 300 };

/** Analyzes backlink exports against the large blacklist. Peer: DuckDB reads the file and counts distinct hosts. */
export const analyzeMeasurement: Measurement = { name: 'analyze', run };

async function run({ domains, sizes, database, folder }: BenchOptions): Promise<Row[]> {
  const target = await database(domains, 'analyze');
  const peer = sizes.duckDb ? await openPeer(folder) : undefined;
  try {
    const analyzed = await writeExport(target.pool, domains, folder, sizes.analyzed);
    const rows = await measureFunction(target, analyzed, { peer, rounds: sizes.rounds }, folder);
    const uploaded = await writeExport(target.pool, domains, folder, sizes.uploaded);
    const server = await startBenchSite(target.url, folder);
    try {
      rows.push(...(await measureUpload(server, target, uploaded, { peer, rounds: sizes.rounds })));
    } finally {
      await server.close();
    }
    return rows;
  } finally {
    peer?.close();
  }
}

interface Export {
  path: string;
  rows: number;
  /** Number of distinct hosts that are listed and that an analysis reads. */
  listed: number;
}

/** Writes an export with five links of each host. One host in twenty is listed. */
export async function writeExport(pool: pg.Pool, domains: number, folder: string, rows: number): Promise<Export> {
  const path = join(folder, `backlinks-${rows}.csv`);
  const hosts = rows / 5;
  const listed = await sampleNames(pool, domains, hosts / 20);
  await writeBacklinks(path, { rows, hosts, listed, site });
  // Analyses skip generated names with made-up endings.
  return { path, rows, listed: listed.filter((name) => normalizeHost(name) !== undefined).length };
}

/** @throws an error unless the newest report has nearly all listed hosts of the file, which are drawn at random */
async function requireToxicDomains(pool: pg.Pool, { listed }: Export): Promise<void> {
  const { rows } = await pool.query<{ found: number }>(
    'select toxic_domains as found from reports order by id desc limit 1',
  );
  const found = rows[0]?.found ?? 0;
  if (found < 0.95 * listed || found > listed) {
    throw new Error(`The report has ${found} toxic domains, and the file has ${listed}.`);
  }
}

interface Comparison {
  peer: Peer | undefined;
  rounds: number;
}

type Peer = Awaited<ReturnType<typeof openPeer>>;

/** Calls the analysis in this process. */
async function measureFunction(
  { url }: BenchDatabase,
  file: Export,
  comparison: Comparison,
  folder: string,
): Promise<Row[]> {
  const { db, pool, close } = openDatabase(url, (error) => console.error(error.message));
  const { rows } = await pool.query<{ userId: number; websiteId: number }>(`
    with owner as (insert into users (username, email) values ('analyst', 'analyst@mail.example') returning id)
    insert into websites (user_id, domain) select id, '${site}' from owner returning user_id as "userId", id as "websiteId"
  `);
  const [owner] = rows;
  if (!owner) throw new Error('The website was not inserted.');
  // The analysis must not delete the file, which the next round needs.
  const store = await openFiles(folder);
  const files = {
    ...store,
    withCopies: <Result>(_: unknown, __: unknown, work: (copies: string[]) => Promise<Result>) => work([file.path]),
    remove: async (path: string) => (path === file.path ? undefined : store.remove(path)),
  };
  const context = { db, pool, databaseUrl: url, runWork: runInProcess, files, log: pino({ level: 'error' }) };
  const analysis = { ...owner, files: [{ path: file.path, name: 'bench.csv', bytes: 0 }] };
  const work = `analyze ${file.rows.toLocaleString('en')} backlinks`;
  try {
    return await compare(work, budget.maxFunctionRatio, comparison, {
      file,
      pid: process.pid,
      run: async () => {
        await analyzeStoredFiles(context, analysis);
        await requireToxicDomains(pool, file);
      },
    });
  } finally {
    await close();
  }
}

/** Uploads the file to a server, and measures its slowest other response in the meantime. */
async function measureUpload(
  server: BenchSite,
  { pool }: BenchDatabase,
  file: Export,
  comparison: Comparison,
): Promise<Row[]> {
  const { websiteId } = await server.createWebsite(`upload.${site}`);
  let slowestMs = 0;
  const work = `analyze ${file.rows.toLocaleString('en')} backlinks by upload`;
  const rows = await compare(work, budget.maxUploadRatio, comparison, {
    file,
    pid: server.pid,
    run: async () => {
      let isDone = false;
      const done = server.analyze(websiteId, file.path).finally(() => {
        isDone = true;
      });
      while (!isDone) {
        const start = performance.now();
        await server.sendRequest();
        slowestMs = Math.max(slowestMs, performance.now() - start);
        await wait(50);
      }
      await done;
      await requireToxicDomains(pool, file);
    },
  });
  return [...rows, { work: `${work}: other responses`, unit: 'ms', ours: { worst: slowestMs } }];
}

/** Alternates with the peer. @returns a row for the time and one for the memory of the process */
async function compare(
  work: string,
  maxRatio: number,
  { peer, rounds }: Comparison,
  { file, pid, run }: { file: Export; pid: number; run: () => Promise<void> },
): Promise<Row[]> {
  const ours: number[] = [];
  const peers: number[] = [];
  let peak = 0;
  for (let i = 0; i < rounds; i++) {
    const sampled = samplePeak(pid);
    ours.push(await measureSeconds(run));
    peak = Math.max(peak, sampled.stop());
    if (peer) peers.push(await measureSeconds(() => peer.count(file)));
  }
  return [
    {
      work,
      unit: 's',
      ours: { median: median(ours) },
      ...(peer && { peer: { name: 'DuckDB', value: median(peers) }, budget: { ratio: { max: maxRatio } } }),
    },
    {
      work: `${work}: memory above idle`,
      unit: 'MB',
      ours: { worst: peak },
      budget: { worst: { max: budget.maxMemoryMb } },
    },
  ];
}

async function openPeer(folder: string) {
  const connection = await openDuckDb(folder);
  return {
    async count({ path, rows }: Export): Promise<void> {
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
  return rows.slice(0, count).map((row) => row.name);
}

const version = '1.5.6-r.1';

/** The part of DuckDB's interface that the measurements use. */
interface DuckDbConnection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}

/**
 * Opens an in-memory DuckDB and installs it under `folder` if necessary. It is not a dependency of the project, because
 * only benchmarks use it, it takes 70 MB, and its packages are incomplete for some platforms.
 */
async function openDuckDb(folder: string): Promise<DuckDbConnection> {
  const home = join(folder, 'duckdb');
  if (!existsSync(join(home, 'node_modules/@duckdb/node-api'))) {
    mkdirSync(home, { recursive: true });
    execFileSync('npm', ['install', '--prefix', home, '--no-save', `@duckdb/node-api@${version}`], { stdio: 'ignore' });
  }
  const duckDb = createRequire(join(home, 'package.json'))('@duckdb/node-api') as DuckDb;
  return (await duckDb.DuckDBInstance.create(':memory:')).connect();
}
