import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { connectionTimeoutMs, openDatabase } from '../db/database.ts';
import type { FromThread, ThreadContext, ThreadStart } from './run-in-thread.ts';

/** One for a transaction, and one for queries next to it. */
const maxConnections = 2;

// The entry point of a thread started by runInThread. Node.js passes an uncaught error to the parent thread.
if (!parentPort) throw new Error('thread.ts only runs in a thread started by runInThread.');
const port = parentPort;
// Requests come first. Only on Linux does a thread have its own priority; elsewhere, this would slow the whole process.
const lowPriority = constants.priority.PRIORITY_BELOW_NORMAL;
if (process.platform === 'linux' && getPriority() < lowPriority) setPriority(lowPriority);
const send = (message: FromThread) => port.postMessage(message);
const { module, name, task, databaseUrl, applicationName } = workerData as ThreadStart;
const functions: Record<string, (context: ThreadContext<unknown>, task: unknown) => Promise<unknown>> = await import(
  module
);
const work = functions[name];
if (!work) throw new Error(`${module} exports no ${name}.`);
// A name in the URL would override applicationName, which is needed to end the thread's connections after an abort.
const url = databaseUrl.replace(/(?<=[?&])application_name=[^&]*/g, '');
// A broken connection fails its query, so the pool needs no error handler.
const { db, pool, close } = openDatabase(url, () => undefined, maxConnections, connectionTimeoutMs, applicationName);
const result = await work({ db, pool, onProgress: (progress) => send({ progress }) }, task);
await close();
send({ result });
