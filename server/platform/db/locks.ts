import { sql } from 'kysely';
import type { Db } from './database.ts';

/** All advisory locks of the product, in one list because they share a number space within a database. */
export const locks = {
  /** Held by the process that uses an embedded database. Earlier versions know each other only by this lock. */
  owner: 7_243_119_501,
  /** Held while the schema is migrated. */
  migrate: 7_243_119_502,
  /**
   * Held while stored counts are folded, compacted or rebuilt, by a large merge that counts its names, and while all
   * domains are deleted. Writers of domains do not wait for it. The trigger for truncating `domains` uses this number
   * too (migrations/0001_baseline.sql).
   */
  counts: 7_243_119_503,
  /** Held while an import or a list is merged into the blacklist, and while all domains are deleted. */
  merge: 7_243_119_504,
  /** Held while changes are matched with the hosts of websites, and shared while an analysis stores hosts. */
  matching: 7_243_119_506,
  /** Held while rows of deleted reports and websites are deleted. */
  purge: 7_243_119_508,
  /** Held while an upload is admitted, because the free disk space is shared by all. */
  admitUpload: 7_243_119_509,
  /** Held while a backup is restored into a temporary database as a test. */
  testRestore: 7_243_119_510,
  /** Held while the next page with evidence of listings is taken. */
  proofs: 7_243_119_511,
  /** Held while a customer's subscription is fetched from Stripe and saved. */
  syncPayments: 7_243_119_505,
  /**
   * With a user's id: held while a user's unfinished analyses are counted and one is added. Two-part locks have a
   * separate number space.
   */
  startAnalysis: 724_311_951,
  /** With a hash of the limited key: held while its recent uses are counted and one is added. */
  throttle: 724_311_952,
  /** With a hash of the account and its Idempotency-Key: held while the request with the key runs. */
  idempotency: 724_311_953,
} as const;

/** Takes a lock until the transaction ends, without waiting. @returns false if another transaction holds it */
export async function tryLock(trx: Db, lock: number): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${lock}) as locked`.execute(trx);
  return rows[0]?.locked === true;
}

/** Takes a lock until the transaction ends that others can share, but that excludes `takeLock`. */
export async function takeSharedLock(trx: Db, lock: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(trx);
}

/** Takes a lock until the transaction ends. Calls `onWait` if it has to wait for another transaction. */
export async function takeLock(trx: Db, lock: number, onWait?: () => void): Promise<void> {
  if (await tryLock(trx, lock)) return;
  onWait?.();
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx);
}
