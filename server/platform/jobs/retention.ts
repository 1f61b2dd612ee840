import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { finished } from './runs.ts';

/** How long the rows of a table are kept. One job deletes those of all tables (server/retention.ts). */
export interface Retention {
  table: keyof Tables;
  /**
   * SQL for whether a row is no longer needed, or a function that deletes such rows, if more than the rows must change.
   * Rows that refer to it go with it.
   */
  expired: ((now: Date) => RawBuilder<boolean>) | { delete(db: Db, now: Date): Promise<void> };
}

const dayMs = 86_400_000;

/** The time this many days before `now`. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs);

/** How long finished runs and similar records are kept, in days: more than a year, so that years can be compared. */
export const recordDays = 400;

/** How long what people have sent to the admins is kept after it is settled, in days. */
export const messageDays = 2 * 365;

/** A table of runs: finished ones are kept for `recordDays`. */
export const runRetention = (table: Retention['table']): Retention => ({
  table,
  expired: (now) => sql`status in (${sql.join(finished)}) and created_at < ${daysBefore(now, recordDays)}`,
});

/** Maximum rows per transaction. */
const batchRows = 5000;

/** Deletes what is no longer needed, in small transactions. An abort ends it after one of them. */
export async function deleteExpiredRows(
  { db, now }: Pick<Context, 'db' | 'now'>,
  retentions: readonly Retention[],
  signal: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  const tables: string[] = [];
  for (const retention of retentions) {
    try {
      await deleteExpired(db, retention, now(), signal);
    } catch (error) {
      signal.throwIfAborted();
      // One locked table must not keep the rows of the others.
      errors.push(error);
      tables.push(retention.table);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `Old rows of ${tables.join(', ')} could not be deleted.`);
}

async function deleteExpired(db: Db, { table, expired }: Retention, now: Date, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (typeof expired !== 'function') return await expired.delete(db, now);
  for (let deleted = batchRows; deleted === batchRows; ) {
    signal.throwIfAborted();
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} where ${expired(now)} limit ${sql.lit(batchRows)}))
    `.execute(db);
    deleted = Number(numAffectedRows);
  }
}
