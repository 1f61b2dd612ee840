import { sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';

/** Every advisory lock of the product. They share one space of numbers in a database, so they stand in one list. */
export const locks = {
  /** Held while an embedded database has an owner. */
  owner: 7_243_119_501,
  /** Held while the schema is brought up to date. */
  migrate: 7_243_119_502,
  /**
   * Held by whatever rewrites the kept counts: folding, compacting and rebuilding wait for each other, writers of domains do not.
   * The trigger on emptying `domains` names it too (migrations/0002_domains.sql).
   */
  counts: 7_243_119_503,
  /** Held while an import is merged into the blacklist. */
  merge: 7_243_119_504,
  /** Held while what a customer pays for is fetched from Stripe and saved. */
  syncPayments: 7_243_119_505,
  /** Held with a user's id (two numbers are a space of their own) while that user's running analyses are counted and one more begins. */
  startAnalysis: 724_311_951,
  /** Held with a hash of what is counted, while it is decided whether there were too many of it. */
  throttle: 724_311_952,
} as const;

/** Takes a lock until the transaction ends. @returns false while another transaction has it */
export async function tryLock(trx: Db, lock: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lock}) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/**
 * Marks the embedded database as this process's own, through a lock that ends with the process however it ends.
 * @returns a function that gives it up; undefined when another process holds it
 */
export async function lockDatabase(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-owner', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [locks.owner]);
  if (rows[0]?.held) return () => client.end();
  await client.end();
  return undefined;
}
