import { parentPort, workerData } from 'node:worker_threads';
import { connectionTimeoutMs, openDatabase } from '../db/database.ts';
import type { FromThread, ThreadContext, ThreadStart } from './run-in-thread.ts';

/** One for a transaction, and one for what is read or written beside it. */
const connections = 2;

// The program of a thread that runInThread started. An error ends it: Node.js passes it on to that thread.
if (!parentPort) throw new Error('thread.ts runs in a thread of runInThread only.');
const port = parentPort;
const tell = (message: FromThread) => port.postMessage(message);
const { module, name, task, databaseUrl, applicationName } = workerData as ThreadStart;
const functions: Record<string, (context: ThreadContext<unknown>, task: unknown) => Promise<unknown>> = await import(
  module
);
const work = functions[name];
if (!work) throw new Error(`${module} exports no ${name}.`);
// The address wins over the name that is passed beside it, and an abort finds the thread's connections by that name.
const url = databaseUrl.replace(/(?<=[?&])application_name=[^&]*/g, '');
// A connection that dies fails the query that it was at.
const { db, pool, close } = openDatabase(url, () => undefined, connections, connectionTimeoutMs, applicationName);
const result = await work({ db, pool, onProgress: (progress) => tell({ progress }) }, task);
await close();
tell({ result });
