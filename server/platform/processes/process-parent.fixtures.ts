import pg from 'pg';
import type { sleep } from './process-functions.fixtures.ts';
import { runInProcess } from './run-in-process.ts';

// A program for the tests of runInProcess. It runs a function that sleeps, and sends its process id.

const databaseUrl = 'postgres://127.0.0.1:1/none';
const context = { pool: new pg.Pool({ connectionString: databaseUrl }), databaseUrl };
const entry = { module: new URL('./process-functions.fixtures.ts', import.meta.url), name: 'sleep' };
const onProgress = (pid: number) => process.send?.(pid);
await runInProcess<typeof sleep>(context, entry, undefined, { signal: new AbortController().signal, onProgress });
