import { type Database, openDatabase } from '../db/database.ts';

export interface FailingDatabase extends Database {
  /** Lets the query with this number fail, counted from 1 and from now on; 0 lets all through. */
  failAt(number: number): void;
  /** Queries since `failAt`, the failed one too. */
  count(): number;
}

/** A pool of its own whose connection breaks before the query of a given number: that one does nothing, those after it work. */
export function openFailingDatabase(url: string): FailingDatabase {
  const database = openDatabase(url, () => undefined, 4);
  let [number, failing] = [0, 0];
  database.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const counted = (...parameters: unknown[]): unknown => {
      number += 1;
      if (number !== failing) return query(...parameters);
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
  };
}
