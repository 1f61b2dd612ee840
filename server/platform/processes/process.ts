import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Database } from '../db/database.ts';
import { type FromProcess, importFunction, type ProcessStart, type SentError } from './run-in-process.ts';

// The entry point of a process started by startProcess.

/** One connection for a transaction, and one for other queries meanwhile. */
const maxConnections = 2;

const send = (message: FromProcess) => process.send?.(message);
let database: Database | undefined;

lowerPriority(Number(process.argv[2]));
// The parent receives these signals too, and ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (message: ProcessStart) => void run(message));

/** Requests come first. If the machine has no memory left, the system ends this process before the others. */
function lowerPriority(priority: number): void {
  if (getPriority() < priority) setPriority(priority);
  if (process.platform !== 'linux') return;
  try {
    writeFileSync('/proc/self/oom_score_adj', '500');
  } catch {
    // Some containers do not allow it. The limits of memory apply all the same.
  }
}

async function run(start: ProcessStart): Promise<void> {
  try {
    const { db, pool, close } = await openOnce(start.database);
    const work = await importFunction(start.module, start.name);
    const onProgress = (progress: unknown) => send({ progress });
    const { beforeWork } = start;
    if (beforeWork) {
      const prepare = await importFunction(beforeWork.module, beforeWork.name);
      await prepare({ db, pool, onProgress: () => undefined }, undefined);
    }
    const result = await work({ db, pool, onProgress }, start.task);
    if (start.isLast) await close();
    send({ result });
  } catch (error) {
    send({ error: toSentError(error) });
  }
}

async function openOnce({ url, applicationName, limits }: ProcessStart['database']): Promise<Database> {
  const { openDatabase } = await import('../db/database.ts');
  // A name in the URL would override applicationName, which is needed to end the connections after an abort.
  const ownUrl = url.replace(/(?<=[?&])application_name=[^&]*/g, '');
  // A broken connection fails its query, so the pool needs no error handler.
  database ??= openDatabase(ownUrl, () => undefined, { size: maxConnections, applicationName, limits });
  return database;
}

/** Leaves out what cannot be copied, such as the client of a database error. */
function toSentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack } = error;
  const fields = Object.fromEntries(Object.entries(error).filter(([, value]) => isCloneable(value)));
  return { name, message, stack, fields };
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
