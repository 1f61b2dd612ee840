import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql, type UpdateObject } from 'kysely';
import type { Db } from '../db/database.ts';
import type { RunColumns, Tables } from '../db/tables.ts';

// The lifecycle of long work: queued → running → completed, failed or cancelled. Each run is a row in the table of its kind.

/** The tables whose rows are runs. */
export type RunTable = { [Name in keyof Tables]: Tables[Name] extends RunColumns ? Name : never }[keyof Tables];
export type RunId = string | number;
/** Changes to a row, by column. */
export type RunChanges = UpdateObject<Tables, RunTable>;

/** The statuses of a run that has not ended. */
export const unfinished = ['queued', 'running'] as const;

/** A run's status as the API names it: `processing` until it ends. */
export function toPublicStatus<Status>(): RawBuilder<Status | 'processing'> {
  return sql`case when status in ('queued', 'running') then 'processing' else status end`;
}

/** Counts a start of the work. @returns the starts so far that did not end, undefined when the run has ended or is gone */
export async function startRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<number | undefined> {
  const row = await unfinishedRun(db, table, id)
    .set({ ...changes, status: 'running', progress: 0, attempts: sql<number>`attempts + 1` })
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts;
}

/** Returns a run to the queue and takes its start back, which ended through no fault of the work. */
export async function returnRun(db: Db, table: RunTable, id: RunId, message: string): Promise<void> {
  await changeRun(db, table, id, { status: 'queued', message, attempts: sql<number>`attempts - 1` });
}

/** @returns false when the run was cancelled, or is gone with what it belonged to */
export async function updateRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<boolean> {
  if (await changeRun(db, table, id, { ...changes, status: 'running' })) return true;
  const status = await findStatus(db, table, id);
  return status !== undefined && status !== 'cancelled';
}

/** Completes a run, in the transaction of its effect. Throws when it has ended already: the effect must not count twice. */
export async function completeRun(trx: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<void> {
  const isCompleted = await changeRun(trx, table, id, {
    ...changes,
    status: 'completed',
    progress: 100,
    finished_at: clock,
  });
  if (!isCompleted) throw new Error(`The run ${id} of ${table} has ended already.`);
}

/** `changes` contain the message for the person who started the run. */
export async function failRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<void> {
  await changeRun(db, table, id, { ...changes, status: 'failed', finished_at: clock });
}

/** @returns whether the run had not ended */
export function cancelRun(db: Db, table: RunTable, id: RunId): Promise<boolean> {
  return changeRun(db, table, id, { status: 'cancelled', message: 'Cancelled', finished_at: clock });
}

export async function isUnfinished(db: Db, table: RunTable, id: RunId): Promise<boolean> {
  const status = await findStatus(db, table, id);
  return unfinished.some((one) => one === status);
}

const lookEveryMs = 50;

/** Reads a run until it has ended, at the latest after `waitMs` or when the caller is gone. */
export async function waitForRun<Run extends { status: string }>(
  read: () => Promise<Run>,
  waitMs: number,
  gone: AbortSignal,
): Promise<Run> {
  const until = performance.now() + waitMs;
  for (;;) {
    const run = await read();
    if (run.status !== 'processing' || performance.now() >= until || gone.aborted) return run;
    await delay(lookEveryMs);
  }
}

async function findStatus(db: Db, table: RunTable, id: RunId) {
  const row = await db.selectFrom(table).select('status').where('id', '=', id).executeTakeFirst();
  return row?.status;
}

async function changeRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<boolean> {
  const { numUpdatedRows } = await unfinishedRun(db, table, id).set(changes).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function unfinishedRun(db: Db, table: RunTable, id: RunId) {
  return db.updateTable(table).where('id', '=', id).where('status', 'in', unfinished);
}

/** `now()` is the beginning of the transaction, which may be long ago. */
const clock = sql<Date>`clock_timestamp()`;
