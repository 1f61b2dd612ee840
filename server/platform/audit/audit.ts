import type { Context } from '../../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import type { AuditEvent } from '../http/scope.ts';
import { type AuditFilter, insertAuditEvent, listEventsBefore } from './store.ts';

/** Adds an event to the audit log, for an API call. */
export async function recordAuditEvent(db: Db, { user, ...event }: AuditEvent, now: Date): Promise<void> {
  await insertAuditEvent(db, { ...event, userId: user.id, username: user.username }, now);
}

/** Adds an event to the audit log, for a command on the server's command line. */
export async function auditCommand(
  { db, now }: Pick<Context, 'db' | 'now'>,
  event: string,
  details: Record<string, unknown>,
): Promise<void> {
  await insertAuditEvent(
    db,
    { userId: undefined, username: 'command line', event, details, address: undefined },
    now(),
  );
}

/** Adds an event to the audit log, for a run that a user started. */
export async function recordRunEvent(
  db: Db,
  { userId, username }: { userId: number | null; username: string },
  { event, details, now }: { event: string; details: Record<string, unknown>; now: Date },
): Promise<void> {
  await insertAuditEvent(db, { userId: userId ?? undefined, username, event, details, address: undefined }, now);
}

const csvHeader = ['date', 'username', 'event', 'details', 'address'] as const;
const batchRows = 1000;

/** Writes the events that match a filter as CSV, newest first. */
export const writeEvents = (db: Db, filter: AuditFilter, signal: AbortSignal) =>
  writeCsv(csvHeader, csvRows(db, filter, signal));

/** The rows of the CSV file, newest first. Reads them in batches to limit memory. */
async function* csvRows(db: Db, filter: AuditFilter, signal: AbortSignal): AsyncGenerator<readonly CsvValue[]> {
  for (let before: number | undefined; ; ) {
    signal.throwIfAborted();
    const batch = await listEventsBefore(db, filter, before, batchRows);
    for (const { createdAt, username, event, details, address } of batch) {
      yield [createdAt, username, event, JSON.stringify(details), address];
    }
    if (batch.length < batchRows) return;
    before = batch.at(-1)?.id;
  }
}
