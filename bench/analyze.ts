import { execFileSync } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pino } from 'pino';
import { normalizeHost } from '#server/hostnames/hosts/hosts.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { openFiles } from '#server/platform/files/files.ts';
import { runInProcess } from '#server/platform/processes/run-in-process.ts';
import { analyzeStoredFiles } from '#server/reports/backlinks/backlinks.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { writeBacklinks } from './generate-backlinks.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row } from './measurement.ts';
import { findPostmaster, readProcessorSeconds } from './processor-time.ts';
import { samplePeak } from './sample-peak.ts';
import { measureSeconds, median } from './statistics.ts';

const site = 'linked-site.example';
const budget = { maxRatio: 2.5, maxSameJobRatio: 1.2, maxUploadRatio: 4, maxSecondsAfterUpload: 1, maxMemoryMb: 200 };
/** 200 Mbit/s. */
const uploadBytesPerSecond = 25_000_000;

/**
 * Analyzes backlink exports against the large blacklist. Peers: DuckDB reads the file and counts distinct hosts, the
 * least that any analysis does; and DuckDB does the same job, from the file to tables of links and hosts.
 */
export const analyzeMeasurement: Measurement = { name: 'analyze', run };

async function run({ domains, sizes, database, folder }: BenchOptions): Promise<Row[]> {
  const target = await database(domains, 'analyze');
  const peer = sizes.duckDb ? await openPeer(target.pool, folder) : undefined;
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
    return await compare(work, { ratio: budget.maxRatio, sameJobRatio: budget.maxSameJobRatio }, comparison, {
      file,
      pid: process.pid,
      postmaster: await findPostmaster(pool),
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
  const rows = await compare(work, { ratio: budget.maxUploadRatio }, comparison, {
    file,
    pid: server.pid,
    postmaster: await findPostmaster(pool),
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
  const afterUpload: number[] = [];
  for (let i = 0; i < comparison.rounds; i++) {
    afterUpload.push(await server.analyze(websiteId, file.path, { bytesPerSecond: uploadBytesPerSecond }));
  }
  return [
    ...rows,
    { work: `${work}: other responses`, unit: 'ms', ours: { worst: slowestMs } },
    {
      work: `${work} at 200 Mbit/s: after the last byte`,
      unit: 's',
      ours: { median: median(afterUpload), worst: Math.max(...afterUpload) },
      budget: { median: { max: budget.maxSecondsAfterUpload } },
    },
  ];
}

interface Times {
  seconds: number;
  /** Seconds of processors, of all processes that do the work. */
  processor: number;
}

/** Alternates with the peers. @returns rows for the time, the processor time and the memory of the process */
async function compare(
  work: string,
  maxRatios: { ratio: number; sameJobRatio?: number },
  { peer, rounds }: Comparison,
  { file, pid, postmaster, run }: { file: Export; pid: number; postmaster: number; run: () => Promise<void> },
): Promise<Row[]> {
  const [ours, counts, jobs]: [Times[], Times[], Times[]] = [[], [], []];
  let peak = 0;
  for (let i = 0; i < rounds; i++) {
    const sampled = samplePeak(pid);
    ours.push(await measureTimes([pid, postmaster], run));
    peak = Math.max(peak, sampled.stop());
    if (peer) counts.push(await measureTimes([process.pid], () => peer.count(file)));
    if (peer && maxRatios.sameJobRatio) jobs.push(await measureTimes([process.pid], () => peer.doSameJob(file)));
  }
  const toRow = (name: string, times: readonly Times[], maxRatio: number): Row => ({
    work: name,
    unit: 's',
    ours: { median: median(ours.map(({ seconds }) => seconds)) },
    ...(times.length > 0 && {
      peer: { name: 'DuckDB', value: median(times.map(({ seconds }) => seconds)) },
      budget: { ratio: { max: maxRatio } },
    }),
  });
  const toProcessorRow = (name: string, times: readonly Times[]): Row => ({
    work: name,
    unit: 's',
    ours: { median: median(ours.map(({ processor }) => processor)) },
    ...(times.length > 0 && {
      peer: { name: 'DuckDB', value: median(times.map(({ processor }) => processor)) },
    }),
  });
  const { ratio, sameJobRatio } = maxRatios;
  const sameJob = sameJobRatio !== undefined && jobs.length > 0;
  return [
    toRow(work, counts, ratio),
    toProcessorRow(`${work}: processor time`, counts),
    ...(sameJob
      ? [
          toRow(`${work}, against the same job`, jobs, sameJobRatio),
          toProcessorRow(`${work}, against the same job: processor time`, jobs),
        ]
      : []),
    {
      work: `${work}: memory above idle`,
      unit: 'MB',
      ours: { worst: peak },
      budget: { worst: { max: budget.maxMemoryMb } },
    },
  ];
}

async function measureTimes(pids: readonly number[], work: () => Promise<void>): Promise<Times> {
  const before = readProcessorSeconds(pids);
  const seconds = await measureSeconds(work);
  return { seconds, processor: readProcessorSeconds(pids) - before };
}

const host = String.raw`regexp_extract("Referring page URL", '^(?:https?://)?(?:www\.)?([^/?#:]+)', 1)`;

async function openPeer(pool: pg.Pool, folder: string) {
  const connection = await openDuckDb(folder);
  const names = join(folder, 'names.csv');
  const client = await pool.connect();
  await pipeline(client.query(copyTo('copy (select name from domains) to stdout')), createWriteStream(names));
  client.release();
  await connection.runAndReadAll(
    `create table names as select * from read_csv('${names}', header = false, columns = {'name': 'varchar'})`,
  );
  const read = (path: string) => `read_csv('${path}', header = true, all_varchar = true)`;
  return {
    async count({ path, rows }: Export): Promise<void> {
      const result = await connection.runAndReadAll(`select count(*), count(distinct ${host}) from ${read(path)}`);
      const count = Number(result.getRows()[0]?.[0]);
      if (count !== rows) throw new Error(`DuckDB read ${count} rows instead of ${rows}.`);
    },
    /** Reads the file, finds the names that cover each host, and writes the links of these and all hosts to tables. */
    async doSameJob({ path, listed }: Export): Promise<void> {
      await connection.runAndReadAll(`
        create or replace temp table links as
          select lower(${host}) as host, "Referring page URL" as page, "Target URL" as target, "Anchor" as anchor,
            "First seen" as first_seen, "Nofollow" = 'true' as nofollow, "Lost" <> '' as lost
          from ${read(path)};
        create or replace table hosts as
          with counted as (select host, count(*) as backlinks from links group by host),
            parents as (
              select host, unnest(list_transform(range(1, len(string_split(host, '.'))), lambda start:
                array_to_string(string_split(host, '.')[start:], '.'))) as name
              from counted
            ),
            covering as (select host, max(name) as name from parents join names using (name) group by host)
          select counted.*, covering.name from counted left join covering using (host);
        create or replace table toxic_links as
          select links.*, hosts.name from links join hosts using (host) where hosts.name is not null`);
      const result = await connection.runAndReadAll('select count(distinct name) from hosts');
      const found = Number(result.getRows()[0]?.[0]);
      if (found < 0.95 * listed) throw new Error(`DuckDB found ${found} toxic domains, and the file has ${listed}.`);
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
 * Opens a DuckDB with a file, and installs it under `folder` if necessary. It is not a dependency of the project,
 * because only benchmarks use it, it takes 70 MB, and its packages are incomplete for some platforms.
 */
async function openDuckDb(folder: string): Promise<DuckDbConnection> {
  const home = join(folder, 'duckdb');
  if (!existsSync(join(home, 'node_modules/@duckdb/node-api'))) {
    mkdirSync(home, { recursive: true });
    execFileSync('npm', ['install', '--prefix', home, '--no-save', `@duckdb/node-api@${version}`], { stdio: 'ignore' });
  }
  const duckDb = createRequire(join(home, 'package.json'))('@duckdb/node-api') as DuckDb;
  return (await duckDb.DuckDBInstance.create(join(folder, 'peer.duckdb'))).connect();
}
