import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../server/platform/net/ports.ts';
import type { ImportStatus } from '../../shared/blacklist/imports.ts';
import type { KeyUsage } from '../../shared/checks/key-checks.ts';
import type { Pagination } from '../../shared/platform/page.ts';
import type { Analysis, AnalysisResult } from '../../shared/reports/backlinks.ts';
import type { ReportSummary } from '../../shared/reports/reports.ts';
import { type SeparateServer, startSeparateServer } from '../separate-server.ts';
import { program } from './embedded-database.ts';
import { startPostgresPair } from './postgres-pair.ts';
import type { Trial } from './trial.ts';
import { buildExport } from './uploads.ts';
import { admin, get, post, signIn, upload, waitFor } from './with-server.ts';

const imports = 4;
const rows = 50_000;
const host = 'listed.example';
const exportBytes = 100_000_000;
/** How long clients send requests after the kill. */
const afterKillMs = 10_000;
const pauseMs = 50;

interface Installation {
  web: SeparateServer[];
  workers: ChildProcess[];
}

/** Two web servers and two workers on one database, as on two machines behind a load balancer. */
export const twoMachinesTrial: Trial = {
  name: 'two-machines',
  fault: 'kill -9 of one of two web servers and one of two workers during imports, an analysis, changes and API checks',
  promise: 'Sessions and requests continue on the other, each run takes effect once, and no change or charge is lost',
  async run() {
    const pair = await startPostgresPair();
    const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-shared-'));
    const installation: Installation = { web: [], workers: [] };
    try {
      const settings = {
        DATABASE_URL: pair.url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        ADMIN_USERNAME: admin.username,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
      };
      for (let i = 0; i < 2; i += 1)
        installation.web.push(await startSeparateServer(await findFreePort(), settings, 'web'));
      for (let i = 0; i < 2; i += 1) installation.workers.push(startWorker(settings));
      return await killOne(installation, dataDir);
    } finally {
      for (const worker of installation.workers) worker.kill('SIGKILL');
      for (const server of installation.web) await server.end('SIGKILL');
      await pair.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

const startWorker = (settings: Record<string, string>) =>
  spawn(process.execPath, [program, 'worker'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...settings },
  });

async function killOne({ web, workers }: Installation, dataDir: string): Promise<string> {
  const [killed, other] = web;
  const [worker] = workers;
  if (!killed || !other || !worker) throw new Error('Too few processes were started.');
  const cookie = await signIn(killed);
  const create = async <Body>(path: string, body: object) =>
    (await (await post(killed, path, body, cookie)).json()) as Body;
  await create('/api/domains', { domain: host, source: 'Trial' });
  const { keyValue } = await create<{ keyValue: string }>('/api/api-keys', {});
  const { id: websiteId } = await create<{ id: number }>('/api/profiles', { domain: 'ours.example' });

  const stopping = new AbortController();
  const changes = sendUntil(stopping.signal, web, ({ address }, i) =>
    post({ address }, '/api/domains', { domain: `change-${i}.example`, source: 'Trial' }, cookie),
  );
  const checks = sendUntil(stopping.signal, web, ({ address }) =>
    fetch(`${address}/api/v1/check?domain=${host}`, { headers: { 'x-api-key': keyValue } }),
  );
  const file = new Blob([...buildExport(host, exportBytes)]);
  const analysis = upload<Analysis | AnalysisResult>(other, '/api/backlinks/analyze', {
    field: 'backlinkFile',
    file: { name: 'links.csv', content: file },
    cookie,
    fields: { profileId: String(websiteId) },
  });
  const jobs = await Promise.all(
    Array.from({ length: imports }, (_, i) => startImport(web[i % web.length] ?? other, cookie, i)),
  );
  const readImports = () =>
    Promise.all(jobs.map((id) => get<ImportStatus>(other, `/api/domains/import-status/${id}`, cookie)));
  await waitFor(async () => (await readImports()).some(({ imported }) => imported > 0) || undefined);
  worker.kill('SIGKILL');
  await killed.end('SIGKILL');
  await delay(afterKillMs);
  stopping.abort();
  const [changed, checked] = await Promise.all([changes, checks]);

  const results = await waitFor(async () => {
    const now = await readImports();
    return now.every(({ status }) => status !== 'processing') ? now : undefined;
  });
  const started = await analysis;
  if (!('reportId' in started)) await waitForAnalysis(other, cookie, started.analysisId);
  const reports = await get<ReportSummary[]>(other, `/api/profiles/${websiteId}/reports`, cookie);
  const count = async (query: string) =>
    (await get<{ pagination: Pagination }>(other, `/api/domains?pageSize=1&${query}`, cookie)).pagination.total;
  const inserted = await count('search=change-');
  const imported = await count('search=import-');
  const { dailyUsage } = (await (
    await fetch(`${other.address}/api/v1/usage`, { headers: { 'x-api-key': keyValue } })
  ).json()) as KeyUsage;
  const listFiles = async () =>
    (await readdir(join(dataDir, 'uploads'), { withFileTypes: true })).filter((entry) => entry.isFile());
  // A file is removed soon after its run has ended.
  const left = await waitFor(async () => ((await listFiles()).length === 0 ? [] : undefined), 30_000).catch(listFiles);

  const figures =
    `${changed.succeeded} changes acknowledged, ${inserted} found; ${checked.succeeded} checks answered, ${dailyUsage} ` +
    `charged; ${changed.cut + checked.cut} requests cut; ${imported} of ${imports * rows} rows imported (${[...new Set(results.map(({ status }) => status))]}); ${reports.length} report; ${left.length} files left`;
  const isWithin = (value: number, { succeeded, cut }: Sent) => value >= succeeded && value <= succeeded + cut;
  const isWhole =
    isWithin(inserted, changed) &&
    isWithin(dailyUsage, checked) &&
    imported === imports * rows &&
    results.every(({ status }) => status === 'completed') &&
    reports.length === 1 &&
    left.length === 0;
  if (!isWhole) throw new Error(figures);
  return figures;
}

async function startImport(server: SeparateServer, cookie: string, number: number): Promise<string> {
  const names = Array.from({ length: rows }, (_, row) => `import-${number}-${row}.example,Trial`);
  const file = { name: `trial-${number}.csv`, content: ['domain,source', ...names].join('\n') };
  return (await upload<ImportStatus>(server, '/api/domains/upload', { field: 'file', file, cookie })).jobId;
}

async function waitForAnalysis(server: SeparateServer, cookie: string, id: string): Promise<void> {
  const { status, message } = await waitFor(async () => {
    const now = await get<Analysis>(server, `/api/backlinks/analyses/${id}`, cookie);
    return now.status === 'processing' ? undefined : now;
  });
  if (status !== 'completed') throw new Error(`The analysis is ${status}: ${message}`);
}

interface Sent {
  succeeded: number;
  /** Requests whose connection was cut, so that the client does not know whether they succeeded. */
  cut: number;
}

/**
 * Sends one request after another to the servers in turn, as a load balancer does: if a server refuses the connection,
 * the next one gets the request.
 * @throws if a response is not successful
 */
async function sendUntil(
  signal: AbortSignal,
  servers: SeparateServer[],
  request: (server: SeparateServer, number: number) => Promise<Response>,
): Promise<Sent> {
  const sent: Sent = { succeeded: 0, cut: 0 };
  for (let i = 0; !signal.aborted; i += 1) {
    for (let attempt = 0; attempt < servers.length; attempt += 1) {
      const server = servers[(i + attempt) % servers.length];
      if (!server) continue;
      const outcome = await request(server, i).catch(readConnectionError);
      if (outcome === 'refused') continue;
      if (outcome === 'cut') sent.cut += 1;
      else if (outcome.ok) sent.succeeded += 1;
      else throw new Error(`${outcome.url} returned ${outcome.status}: ${await outcome.text()}`);
      break;
    }
    await delay(pauseMs);
  }
  return sent;
}

function readConnectionError(error: unknown): 'refused' | 'cut' {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  if (!cause || !('code' in cause)) throw error;
  return cause.code === 'ECONNREFUSED' ? 'refused' : 'cut';
}
