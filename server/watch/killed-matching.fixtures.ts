import pg from 'pg';
import { openDatabase } from '../db/database.ts';
import { matchChanges } from './match-changes.ts';

// A process that matches changes and kills itself before it sends its query number MOMENT. It ends normally if it sends
// fewer queries.

const [, , url = '', moment = ''] = process.argv;

const original = pg.Client.prototype.query as (...parameters: unknown[]) => unknown;
let queries = 0;
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...parameters: unknown[]) {
    queries += 1;
    if (queries === Number(moment)) process.kill(process.pid, 'SIGKILL');
    return original.apply(this, parameters);
  },
});

const { pool, close } = openDatabase(url, (error) => {
  throw error;
});
await matchChanges({ pool }, { now: new Date() });
await close();
