import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import type pg from 'pg';
import { compactCountsQueue } from '#server/blacklist/domains/domains.ts';
import { importQueue } from '#server/blacklist/imports/jobs.ts';
import { writeExport } from './analyze.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { writeImportFile } from './import.ts';
import { buildRequest, createLoadProfile, type LoadProfile } from './load-profile.ts';
import type { BenchDatabase, BenchOptions, Measurement, Row, Unit } from './measurement.ts';
import { type LoadResult, type LoadTimes, type OpenLoop, startOpenLoop, toKey } from './open-loop.ts';
import { residentMegabytes } from './sample-peak.ts';
import { median, quantile, slope } from './statistics.ts';

const connections = 500;
/** Different requests of each connection. Not a multiple of ten, so that connections start with different ones. */
const requestsPerConnection = 41;
/** Above the numbers of the steady load, because each address may look at only a few domains. */
const firstNumber = 8_000_000;
const maxRatio = 3;
const noErrors = { value: { max: 0 } };
const phases = { alone: 'no other work', import: 'an import', both: 'an import and an analysis' };
/** Not measured: the counts after an import, and the rest of an analysis that runs when the second import ends. */
const unmeasured = 'other work';

/**
 * The server beside work: a steady load of pages and checks, first alone, then while a large file is imported, and then
 * while another one is imported and large exports are analyzed. Also the memory of the server, its behavior with many
 * connections, and its start. The server runs in a separate process and shares the processors with client and database.
 */
export const loadMeasurement: Measurement = {
  name: 'load',
  async run(options) {
    const { domains, sizes, database, folder } = options;
    const target = await database(domains, 'load');
    // The first start on a database creates the queues and the admin.
    await (await startBenchSite(target.url, folder)).close();
    const starts: number[] = [];
    for (let round = 1; round < sizes.rounds; round++) {
      const site = await startBenchSite(target.url, folder);
      starts.push(site.startSeconds);
      await site.close();
    }
    const site = await startBenchSite(target.url, folder);
    starts.push(site.startSeconds);
    try {
      const [cookieName = ''] = site.cookie.split('=');
      const profile = await createLoadProfile(target, domains, cookieName);
      return [
        { work: 'start the server, until its first page', unit: 's', ours: { median: median(starts) } },
        // Before the import of the steady load, after which the server and the database are busy for a while.
        ...(await measureConnections(site, profile, sizes.load.connectedSeconds)),
        ...(await measureSteadyLoad(site, target, profile, options)),
      ];
    } finally {
      await site.close();
    }
  },
};

async function measureSteadyLoad(
  site: BenchSite,
  { pool }: BenchDatabase,
  profile: LoadProfile,
  { domains, sizes: { load }, folder }: BenchOptions,
): Promise<Row[]> {
  const importPaths = [join(folder, 'load.csv'), join(folder, 'load-2.csv')] as const;
  // About a quarter of the generated names cannot be listed, so a file takes less than twice as many.
  for (const [i, path] of importPaths.entries()) {
    await writeImportFile(path, domains + 2 * i * load.imported, load.imported);
  }
  const { path: exportPath } = await writeExport(pool, domains, folder, load.analyzed);
  const loop = startOpenLoop({ address: site.address, perSecond: load.rate, profile });
  const memory: Row[] = [];
  let result: LoadResult;
  try {
    loop.setPhase('warm-up');
    await wait(load.warmUpSeconds * 1000);
    loop.setPhase(phases.alone);
    memory.push(...(await watchMemory(site.pid, load.minutes)));
    loop.setPhase(phases.import);
    const imported = [await site.import(importPaths[0])];
    loop.setPhase(unmeasured);
    await waitForCounts(pool);
    loop.setPhase(phases.both);
    imported.push(await importAndAnalyze(site, loop, { importPath: importPaths[1], exportPath }));
    // The guard holds a few names.
    if (Math.min(...imported) < 0.99 * load.imported) {
      throw new Error(`${imported.join(' and ')} of ${load.imported} domains were imported.`);
    }
  } finally {
    result = await loop.stop();
  }
  return [
    ...['pages', 'checks'].flatMap((kind) => toTimeRows(result.times, kind, load.rate)),
    {
      work: `${load.rate} requests per second: refused as busy`,
      unit: '%',
      ours: { value: result.refused },
      budget: noErrors,
    },
    ...memory,
  ];
}

/** Waits for what follows an import: the counts are compacted, and rebuilt if the blacklist has grown much. */
async function waitForCounts(pool: pg.Pool): Promise<void> {
  const unfinished = "select from pgboss.job where name = any($1) and state in ('created', 'retry', 'active')";
  const queues = [importQueue.name, compactCountsQueue.name];
  while ((await pool.query(unfinished, [queues])).rowCount) await wait(100);
}

/** Imports the file, and meanwhile analyzes the export repeatedly. */
async function importAndAnalyze(
  site: BenchSite,
  loop: Pick<OpenLoop, 'setPhase'>,
  { importPath, exportPath }: { importPath: string; exportPath: string },
): Promise<number> {
  const { websiteId } = await site.createWebsite('load.example');
  let isImporting = true;
  const importing = site.import(importPath).finally(() => {
    isImporting = false;
    loop.setPhase(unmeasured);
  });
  // A failure is thrown after the analysis that runs then.
  importing.catch(() => undefined);
  while (isImporting) await site.analyze(websiteId, exportPath);
  return await importing;
}

function toTimeRows(times: LoadTimes, kind: string, rate: number): Row[] {
  const inPhase = (phase: string) => times.get(toKey(phase, kind)) ?? [];
  const p99 = (phase: string) => quantile(inPhase(phase), 0.99);
  return Object.values(phases).map((phase): Row => {
    const isAlone = phase === phases.alone;
    return {
      work: `${kind} beside ${phase}, ${rate} requests per second`,
      unit: 'ms',
      ours: { p99: p99(phase), median: median(inPhase(phase)) },
      ...(!isAlone && { peer: { name: 'alone', value: p99(phases.alone) }, budget: { ratio: { max: maxRatio } } }),
    };
  });
}

/** Samples the memory of the server each second. */
async function watchMemory(pid: number, minutes: number): Promise<Row[]> {
  const samples: { x: number; y: number }[] = [];
  const start = performance.now();
  const elapsedMinutes = () => (performance.now() - start) / 60_000;
  while (elapsedMinutes() < minutes || samples.length < 2) {
    samples.push({ x: elapsedMinutes() / 60, y: residentMegabytes(pid) });
    await wait(1000);
  }
  const toRow = (work: string, unit: Unit, value: number): Row => ({ work, unit, ours: { value } });
  return [
    toRow('memory of the server at the start of this load', 'MB', samples[0]?.y ?? Number.NaN),
    toRow(`memory of the server after ${minutes} minutes`, 'MB', samples.at(-1)?.y ?? Number.NaN),
    toRow(`growth of the memory in ${minutes} minutes`, 'MB per hour', slope(samples)),
  ];
}

/** Sends the same mix on many connections, each of which sends its next request as soon as it has a response. */
async function measureConnections({ address }: BenchSite, profile: LoadProfile, seconds: number): Promise<Row[]> {
  let connection = 0;
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    setupClient(client) {
      const first = firstNumber + connection++ * requestsPerConnection;
      client.setRequests(
        Array.from({ length: requestsPerConnection }, (_, i) => {
          const { path, headers } = buildRequest(profile, first + i);
          return { method: 'GET', path, headers };
        }),
      );
    },
  });
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (statuses.some((status) => !['200', '503'].includes(status))) {
    throw new Error(`Some responses have an unexpected status: ${statuses.join(', ')}.`);
  }
  const failed = result.non2xx + result.errors;
  const work = `the same mix on ${connections} connections`;
  return [
    { work: `${work}: responses`, unit: 'per second', ours: { value: result['2xx'] / result.duration } },
    { work: `${work}: time`, unit: 'ms', ours: { p99: result.latency.p99, median: result.latency.p50 } },
    {
      work: `${work}: refused as busy, or without a response`,
      unit: '%',
      ours: { value: (100 * failed) / (failed + result['2xx']) },
      budget: noErrors,
    },
  ];
}
