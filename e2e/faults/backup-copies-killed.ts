import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { AdminStatus, BackgroundJob } from '#shared/operations/admin.ts';
import { findRunningEmbedded } from '../../server/platform/db/embedded.ts';
import { startStorage } from '../../server/platform/files/bucket.fixtures.ts';
import { startIntervalSeconds } from '../../server/worker.ts';
import type { SeparateServer } from '../separate-server.ts';
import { uploadDomains } from './backup-under-writes.ts';
import type { Trial } from './trial.ts';
import { signIn, withServer } from './with-server.ts';

const imported = 200_000;

/** A killed copy leaves nothing in the bucket, a killed test restore leaves no database, and both are repeated. */
export const backupCopiesKilledTrial: Trial = {
  name: 'backup-copies-killed',
  fault: 'SIGKILL while a backup is copied to the bucket, and while it is restored as a test',
  promise: 'The bucket never has a part of a backup, the next attempts succeed, and no database of a test remains',
  async run() {
    const storage = await startStorage();
    const folder = await mkdtemp(join(tmpdir(), 'linksieve-trial-'));
    const backups = join(folder, 'backups');
    const { endpoint, region, name, credentials } = storage.bucket;
    const settings = {
      // It does not exist yet, so that the first backup comes after the import.
      BACKUP_DIR: backups,
      BACKUP_S3_BUCKET: name,
      BACKUP_S3_REGION: region,
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    try {
      return await withServer((server) => runTrial(server, storage, backups), settings);
    } finally {
      await storage.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function runTrial(
  server: SeparateServer,
  storage: Awaited<ReturnType<typeof startStorage>>,
  backups: string,
): Promise<string> {
  const started = performance.now();
  const cookie = await signIn(server);
  const get = async <Body>(path: string): Promise<Body> =>
    (await fetch(`${server.address}${path}`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).json();
  const readBackup = async () => (await get<AdminStatus>('/api/admin/status')).backup;
  await uploadDomains(server, cookie);
  await waitFor(async () => (await get<{ total: number }>('/api/stats/count')).total === imported);
  await server.end();
  await mkdir(backups);
  // Of two starts within this time, only the first looks whether a backup is due.
  await wait(Math.max(0, startIntervalSeconds * 1000 - (performance.now() - started)));
  storage.cause(({ method }) => (method === 'PUT' ? 'hang' : 'none'));
  await server.start();
  await waitFor(async () => storage.requests.includes('PUT'));
  await server.end('SIGKILL');
  const partial = await storage.list();
  if (partial.length > 0) throw new Error(`The bucket contains ${partial.join(', ')} after a killed copy.`);
  storage.cause('none');
  await server.start();
  await waitFor(async () => (await storage.list()).length > 0);
  const [file] = await readdir(backups);
  if (!(await storage.list()).includes(`backups/${file}`))
    throw new Error('The copy has another name than the backup.');

  const jobsPath = '/api/admin/jobs?kind=housekeeping&pageSize=100';
  await waitFor(async () => {
    const { jobs } = await get<{ jobs: BackgroundJob[] }>(jobsPath);
    return jobs.some(({ message }) => message?.startsWith('Test restore: Building'));
  });
  await server.end('SIGKILL');
  await server.start();
  const client = new pg.Client({ connectionString: await findRunningEmbedded(join(server.dataDir, 'postgres')) });
  await client.connect();
  const countTests = async () =>
    (await client.query("select from pg_database where datname like 'linksieve_test_restore_of_%'")).rowCount;
  const leftBehind = await countTests();
  const restarted = performance.now();
  await waitFor(async () => (await readBackup())?.test.dateLast !== null);
  const seconds = (performance.now() - restarted) / 1000;
  await waitFor(async () => (await countTests()) === 0);
  await client.end();
  const backup = await readBackup();
  if (!backup || backup.error || backup.copy?.error || backup.test.error) throw new Error(JSON.stringify(backup));
  if ((backup.test.rows ?? 0) < imported) throw new Error(`The test restored ${backup.test.rows} rows.`);
  return `${leftBehind} database of the killed test dropped; the next one compared ${backup.test.rows} rows in ${backup.test.seconds?.toFixed(1)} s, ${seconds.toFixed(1)} s after the start`;
}

/** @throws after five minutes */
async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 300_000; !(await isDone()); ) {
    if (Date.now() > until) throw new Error(`Waited five minutes for: ${isDone}`);
    await wait(50);
  }
}
