import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../db/database.ts';
import { rebuildCounts, rebuildGrams } from './rebuild-counts.ts';
import type { FromThread, RebuildTask } from './thread-messages.ts';

/** Often enough for people, seldom enough for the thread that hears it. */
const progressEvery = 250;

/** The thread's program: counts anew on its one connection, whose process it names first. */
async function main({ databaseUrl, part }: RebuildTask): Promise<void> {
  if (!parentPort) throw new Error('This program runs in a thread.');
  const port = parentPort;
  const tell = (message: FromThread) => port.postMessage(message);
  // A connection that dies fails the query that it was at.
  const { pool, close } = openDatabase(databaseUrl, () => undefined, 1);
  try {
    const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
    tell({ kind: 'began', pid: rows[0]?.pid ?? 0 });
    let toldAt = performance.now();
    const onProgress = (share: number) => {
      if (performance.now() < toldAt + progressEvery) return;
      toldAt = performance.now();
      tell({ kind: 'progress', share });
    };
    await (part === 'all' ? rebuildCounts(pool, onProgress) : rebuildGrams(pool, onProgress));
    tell({ kind: 'done' });
  } finally {
    await close();
  }
}

await main(workerData);
