import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { endConnection } from '../db/end-connection.ts';
import type { FromThread, RebuildTask } from './thread-messages.ts';

/**
 * Counts anew in a thread of its own, so that this one keeps answering: `all`, or the pieces of names alone. Throws the signal's
 * reason at once when it aborts, with nothing changed, or what went wrong.
 * @param onProgress is told the share of the work that is done, 0 to 1
 */
export async function rebuildInThread(
  { pool, databaseUrl }: { pool: pg.Pool; databaseUrl: string },
  part: RebuildTask['part'],
  signal: AbortSignal,
  onProgress: (share: number) => Promise<void> | void = () => undefined,
): Promise<void> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./rebuild-thread.ts', import.meta.url), {
    workerData: { databaseUrl, part } satisfies RebuildTask,
    execArgv: [],
  });
  let pid: number | undefined;
  let done = false;
  try {
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] })) {
      const said = message as FromThread;
      if (said.kind === 'began') pid = said.pid;
      if (said.kind === 'progress') await onProgress(said.share);
      done = said.kind === 'done';
      if (done) break;
    }
    if (!done) throw new Error('The thread that counts anew ended early.');
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
    // PostgreSQL would finish a long statement before it sees that nobody waits for it.
    if (!done && pid) await endConnection(pool, pid);
  }
}
