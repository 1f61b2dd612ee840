import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';

/** What a function that runs in a thread gets there. */
export interface ThreadContext<Progress> {
  /** A small pool of the thread's own, and the queries on it. */
  db: Db;
  pool: pg.Pool;
  /** Tells the thread that started it how far the work is. */
  onProgress(now: Progress): void;
}

/** The task, the progress and the result cross the boundary between threads as structured clones. */
type ThreadFunction = (context: ThreadContext<never>, task: never) => Promise<unknown>;

/** What the thread is started with. */
export interface ThreadStart {
  module: string;
  name: string;
  task: unknown;
  databaseUrl: string;
  applicationName: string;
}

export type FromThread = { progress: unknown } | { result: unknown };

export interface ThreadOptions<Progress> {
  signal: AbortSignal;
  onProgress?(now: Progress): void;
  /** Megabytes for the thread's objects; the default of Node.js is a share of the machine's memory. */
  maxMemoryMb?: number;
}

/**
 * Runs the exported function `name` of a module in a thread of its own, so that this thread can answer requests. An abort ends
 * the thread and its connections at once, so that open transactions are rolled back. Throws the signal's reason, what the
 * function throws (as an Error with its name, message and code, without its class), and ERR_WORKER_OUT_OF_MEMORY.
 */
export async function runInThread<Work extends ThreadFunction>(
  { pool, databaseUrl }: Pick<Context, 'pool' | 'databaseUrl'>,
  { module, name }: { module: URL; name: string },
  task: Parameters<Work>[1],
  options: ThreadOptions<Parameters<Parameters<Work>[0]['onProgress']>[0]>,
): Promise<Awaited<ReturnType<Work>>> {
  const { signal, onProgress, maxMemoryMb } = options;
  signal.throwIfAborted();
  const applicationName = `linksieve-thread-${randomUUID()}`;
  const start: ThreadStart = { module: module.href, name, task, databaseUrl, applicationName };
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: start,
    execArgv: [],
    ...(maxMemoryMb && { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 16 } }),
  });
  let isDone = false;
  try {
    for await (const [message] of on(thread, 'message', { signal, close: ['exit'] })) {
      const sent = message as FromThread;
      isDone = 'result' in sent;
      if ('result' in sent) return sent.result as Awaited<ReturnType<Work>>;
      onProgress?.(sent.progress as never);
    }
    throw new Error('The thread ended before its work was done.');
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await thread.terminate();
    if (!isDone) await endConnections(pool, applicationName);
  }
}

/** PostgreSQL would finish a long statement before it notices that nobody waits for it. If it does not answer, nothing runs. */
async function endConnections(pool: pg.Pool, applicationName: string): Promise<void> {
  const statement = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
  await pool.query(statement, [applicationName]).catch(() => undefined);
}
