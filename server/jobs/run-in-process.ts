import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';

/** The context of a function that runs in a thread. */
export interface ThreadContext<Progress> {
  /** A small pool for this thread. `db` runs queries on it. */
  db: Db;
  pool: pg.Pool;
  /** Reports progress to the thread that started this one. */
  onProgress(now: Progress): void;
}

/** The task, the progress and the result are copied between threads by structured clone. */
type ThreadFunction = (context: ThreadContext<never>, task: never) => Promise<unknown>;

/** The worker data of a thread. */
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
  /** Heap limit of the thread; by default, Node.js uses a share of the machine's memory. */
  maxMemoryMb?: number;
}

/**
 * Runs the exported function `name` of a module in a separate thread, so that this thread can keep serving requests. An
 * abort ends the thread and its database connections at once, so that open transactions are rolled back. Throws the
 * signal's reason, errors of the function (as an Error with the same name, message and code), and
 * ERR_WORKER_OUT_OF_MEMORY.
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

/** `runInThread` or `runHere`. */
export type RunFunction = <Work extends ThreadFunction>(
  context: Pick<Context, 'db' | 'pool' | 'databaseUrl'>,
  entry: { module: URL; name: string },
  task: Parameters<Work>[1],
  options: ThreadOptions<Parameters<Parameters<Work>[0]['onProgress']>[0]>,
) => Promise<Awaited<ReturnType<Work>>>;

/**
 * Runs the function like `runInThread`, but in this thread, for a command that serves no requests. An abort does not
 * end it.
 */
export async function runHere<Work extends ThreadFunction>(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  { module, name }: { module: URL; name: string },
  task: Parameters<Work>[1],
  { onProgress = () => undefined }: ThreadOptions<Parameters<Parameters<Work>[0]['onProgress']>[0]>,
): Promise<Awaited<ReturnType<Work>>> {
  const functions: Record<string, (context: ThreadContext<never>, task: unknown) => Promise<unknown>> = await import(
    module.href
  );
  const work = functions[name];
  if (!work) throw new Error(`${module.href} exports no ${name}.`);
  return (await work({ db, pool, onProgress }, task)) as Awaited<ReturnType<Work>>;
}

/**
 * PostgreSQL would finish a long query before it notices the closed connection. Errors are ignored: a dead server runs
 * no queries.
 */
async function endConnections(pool: pg.Pool, applicationName: string): Promise<void> {
  const statement = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
  await pool.query(statement, [applicationName]).catch(() => undefined);
}
