import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { openSecretKey } from '../../platform/db/secret-key.ts';
import { connectQueues } from '../../worker.ts';
import { matchChanges } from '../watch/match-changes.ts';
import { sendDigests } from './digests.ts';

// A process that matches changes, sends the digests of this day, and kills itself before it sends its query number
// MOMENT. It ends normally if it sends fewer queries.

const [, , url = '', moment = ''] = process.argv;
const throwError = (error: Error) => {
  throw error;
};

const config = readConfig();
const { db, pool, close } = openDatabase(url, throwError);
const jobs = await connectQueues(url, throwError, { migrate: false, supervise: false });

const original = pg.Client.prototype.query as (...parameters: unknown[]) => unknown;
let queries = 0;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...parameters: unknown[]) {
    queries += 1;
    if (queries === Number(moment)) process.kill(process.pid, 'SIGKILL');
    return original.apply(this, parameters);
  },
});

await matchChanges({ pool }, { now: new Date() });
const context = { config, db, jobs, log: pino({ level: 'silent' }), secretKey: await openSecretKey(config) };
await sendDigests({ ...context, now: () => new Date() }, new AbortController().signal, { early: true });
await jobs.stop({ graceful: false });
await close();
