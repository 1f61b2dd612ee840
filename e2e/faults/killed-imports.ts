import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImportStatus } from '../../shared/blacklist/imports.ts';
import type { Pagination } from '../../shared/platform/page.ts';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { findPostmasterPid, get, signIn, upload, waitFor, withServer } from './with-server.ts';

const kills = 20;
const rows = 100_000;

interface DomainPage {
  pagination: Pagination;
}

/** What is killed, in turn. */
const targets = ['the server', 'the server and PostgreSQL', 'PostgreSQL'] as const;

export const killedImportsTrial: Trial = {
  name: 'killed-imports',
  fault: `kill -9 of the server, of PostgreSQL and of both, at ${kills} moments of an import of ${rows} rows`,
  promise: 'Each import takes effect exactly once, without help, and leaves no file',
  run: () =>
    withServer(async (server) => {
      const cookie = await signIn(server);
      const first = Date.now();
      await waitForImport(server, cookie, (await startImport(server, cookie, 0)).jobId);
      const usualMs = Date.now() - first;
      const seconds: number[] = [];
      for (let i = 1; i <= kills; i += 1) {
        const started = await startImport(server, cookie, i);
        await delay((usualMs * i) / (kills + 1));
        const killedAt = Date.now();
        await kill(server, targets[i % targets.length] ?? 'the server');
        const status = await waitForImport(server, cookie, started.jobId);
        seconds.push((Date.now() - killedAt) / 1000);
        // The import can have ended just before the kill of PostgreSQL, which takes a moment to come back.
        const { total } = await waitFor(async () => {
          const page = await get<DomainPage>(server, '/api/domains?page=0&pageSize=1', cookie);
          return page.pagination;
        });
        if (status.imported !== rows || total !== rows * (i + 1))
          throw new Error(`After kill ${i}, the import has ${status.imported} rows and the blacklist ${total}.`);
      }
      const left = await waitFor(async () => {
        const files = await readdir(join(server.dataDir, 'uploads'));
        return files.length === 0 ? files : undefined;
      }, 30_000).catch(() => readdir(join(server.dataDir, 'uploads')));
      if (left.length > 0) throw new Error(`${left.length} uploaded files were left.`);
      const sorted = seconds.toSorted((a, b) => a - b);
      return `${kills} of ${kills} exact; completed ${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} s after the kill`;
    }),
};

async function startImport(server: SeparateServer, cookie: string, number: number): Promise<ImportStatus> {
  const lines = Array.from({ length: rows }, (_, row) => `trial${number}-${row}.example,Trial ${number},${row % 90}`);
  const content = ['domain,source,domainRating', ...lines].join('\n');
  return await upload(server, '/api/domains/upload', {
    field: 'file',
    file: { name: `trial-${number}.csv`, content },
    cookie,
  });
}

/** Kills what was chosen. A killed server is started again; a killed PostgreSQL must come back without help. */
async function kill(server: SeparateServer, target: (typeof targets)[number]): Promise<void> {
  const postmaster = await findPostmasterPid(server);
  if (target !== 'PostgreSQL') await server.end('SIGKILL');
  if (target !== 'the server') process.kill(postmaster, 'SIGKILL');
  if (target !== 'PostgreSQL') await server.start();
}

async function waitForImport(server: SeparateServer, cookie: string, jobId: string): Promise<ImportStatus> {
  const status = await waitFor(async () => {
    const now = await get<ImportStatus>(server, `/api/domains/import-status/${jobId}`, cookie);
    return now.status === 'processing' ? undefined : now;
  });
  if (status.status !== 'completed') throw new Error(`The import is ${status.status}: ${status.message}`);
  return status;
}
