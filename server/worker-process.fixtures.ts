import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from './context.ts';

/**
 * Starts a worker on the database of a test as a separate process, so that it can be killed.
 * @param settings by the names of their environment variables
 */
export function startWorkerProcess(
  { databaseUrl, config }: Pick<Context, 'databaseUrl' | 'config'>,
  settings: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'worker'], {
    env: {
      ...process.env,
      NODE_ENV: '',
      DATABASE_URL: databaseUrl,
      DATA_DIR: config.dataDir,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Sends a signal to a process, and waits until it ends. @returns its exit code */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  child.kill(signal);
  await Promise.race([once(child, 'exit'), delay(30_000)]);
  return child.exitCode;
}

/**
 * Makes the heartbeats of running jobs a minute old and lets pg-boss check them, so that it requeues the jobs of a dead
 * worker.
 */
export async function expireHeartbeats({ db, jobs }: Pick<Context, 'db' | 'jobs'>, queue: string): Promise<void> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`.execute(db);
  await sql`update pgboss.queue set monitor_on = null`.execute(db);
  await jobs.supervise(queue);
}
