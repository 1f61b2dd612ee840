import { setTimeout as wait } from 'node:timers/promises';
import { type Database, openDatabase } from '../platform/db/database.ts';

export interface FailingDatabase extends Database {
  /** Makes the n-th query from now on fail, counted from 1. With 0, no query fails. */
  failAt(number: number): void;
  /** The number of queries since `failAt`, including the failed one. */
  count(): number;
  /** The text of the failed query. */
  failedText(): string;
  /** Waits until no query runs: one that was sent together with the failed one can still be waiting. */
  waitForIdle(): Promise<void>;
}

/**
 * Opens a pool in which a chosen query fails as if its connection broke. That query does nothing; later queries work.
 */
export function startFailingDatabase(url: string): FailingDatabase {
  const database = openDatabase(url, () => undefined, { size: 4 });
  let [number, failing] = [0, 0];
  let failedText = '';
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const counted = (...parameters: unknown[]): unknown => {
      number += 1;
      if (number !== failing) return query(...parameters);
      const [statement] = parameters;
      failedText = typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
      const lost = Object.assign(new Error('The connection broke.'), { code: '08006' });
      const callback = parameters.at(-1);
      if (typeof callback !== 'function') return Promise.reject(lost);
      setImmediate(() => callback(lost));
      return undefined;
    };
    client.query = counted as typeof client.query;
  });
  return {
    ...database,
    failAt(next) {
      number = 0;
      failing = next;
    },
    count: () => number,
    failedText: () => failedText,
    async waitForIdle() {
      const { pool } = database;
      while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await wait(5);
    },
  };
}
