import { setTimeout as delay } from 'node:timers/promises';
import { type Generated, type RawBuilder, sql, type UpdateObject } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Created, Tables } from '../db/tables.ts';

// The lifecycle of a run: queued → running → completed, failed or cancelled. A run that needs an answer of the user
// goes from running to waiting, and with the answer back to queued. Each kind of run has a table with one row per run.

/** The columns shared by all tables of long work. Each row is a run. */
export interface RunColumns {
  /** Only analyses and feed runs can be waiting. */
  status: Generated<'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'>;
  /** 0 to 100. */
  progress: Generated<number>;
  message: Generated<string>;
  refused: Generated<boolean>;
  attempts: Generated<number>;
  created_at: Created;
  finished_at: Date | null;
  /** When the progress of a running run was last written. */
  progress_at: Date | null;
}

/** The tables whose rows are runs. */
export type RunTable = { [Name in keyof Tables]: Tables[Name] extends RunColumns ? Name : never }[keyof Tables];
export type RunId = string | number;
/** Changes to a row, by column. */
export type RunChanges = UpdateObject<Tables, RunTable>;

/** The statuses of a run that a worker will finish. */
export const unfinished = ['queued', 'running'] as const;
/** The statuses of a run that has not finished. */
export const open = [...unfinished, 'waiting'] as const;

/** The statuses of a run that has ended. */
export const finished = ['completed', 'failed', 'cancelled'] as const;

/** SQL for a run's status in the API, which is `processing` while the run is queued or running. */
export function toPublicStatus<Status>(): RawBuilder<Status | 'processing'> {
  return sql`case when status in ('queued', 'running') then 'processing' else status end`;
}

/** Seconds without progress after which the process of a running run counts as killed. */
const interruptedSeconds = 10;

/** SQL for whether no living process runs a run. */
const withoutProcess = sql<boolean>`(status <> 'running'
  or abs(extract(epoch from clock_timestamp() - progress_at)) > ${sql.lit(interruptedSeconds)})`;

/** SQL for a run's message in the API. The message of a killed process no longer says what happens. */
export function toPublicMessage(): RawBuilder<string> {
  return sql<string>`case when status = 'running' and ${withoutProcess}
    then 'Interrupted. Continues in a moment.' else message end`;
}

/** Whether no living process runs this run: it is queued, has finished, is gone, or its process was killed. */
export async function isInterrupted(db: Db, table: RunTable, id: RunId): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select(withoutProcess.as('isInterrupted'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.isInterrupted ?? true;
}

/** Returns how often an unfinished run was started; undefined if the run has finished or is gone. */
export async function findAttempts(db: Db, table: RunTable, id: RunId): Promise<number | undefined> {
  const row = await db
    .selectFrom(table)
    .select('attempts')
    .where('id', '=', id)
    .where('status', 'in', unfinished)
    .executeTakeFirst();
  return row?.attempts;
}

/**
 * Marks a run as running. Can be repeated if its response was lost.
 * @param attempts the number of attempts, with this one
 * @returns false if the run has finished or is gone
 */
export async function startRun(
  db: Db,
  table: RunTable,
  id: RunId,
  { attempts, changes }: { attempts: number; changes: RunChanges },
): Promise<boolean> {
  return await changeRun(db, table, id, { ...changes, status: 'running', progress: 0, attempts, progress_at: clock });
}

/**
 * Returns a run to the queue, with a message that says what it waits for.
 * @param attempts the number of attempts, without an interrupted one that does not count
 */
export async function requeueRun(
  db: Db,
  table: RunTable,
  id: RunId,
  { attempts, message }: { attempts: number; message: string },
): Promise<void> {
  await changeRun(db, table, id, { status: 'queued', message, attempts });
}

/** Ends an attempt of a run that needs an answer of the user. The attempt does not count. */
export async function pauseRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<void> {
  await changeRun(db, table, id, { ...changes, status: 'waiting', attempts: sql<number>`attempts - 1` });
}

/**
 * Returns a waiting run to the queue. Send its job in the same transaction.
 * @returns false if the run was not waiting
 */
export async function resumeRun(trx: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable(table)
    .set({ ...changes, status: 'queued', progress: 0 })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @returns false if the run was cancelled or deleted */
export async function updateRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<boolean> {
  if (await changeRun(db, table, id, { ...changes, status: 'running', progress_at: clock })) return true;
  const status = await findStatus(db, table, id);
  return status !== undefined && status !== 'cancelled';
}

/**
 * Completes a run. Call it in the transaction of the run's effect: it throws if the run has finished, so no effect
 * happens twice.
 */
export async function completeRun(trx: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<void> {
  const isCompleted = await changeRun(trx, table, id, {
    ...changes,
    status: 'completed',
    progress: 100,
    finished_at: clock,
  });
  if (!isCompleted) throw new Error(`The run ${id} of ${table} has already finished.`);
}

/** `changes` contain the message for the user who started the run. @returns false if the run had already finished */
export async function failRun(db: Db, table: RunTable, id: RunId, changes: RunChanges): Promise<boolean> {
  return await changeRun(db, table, id, { ...changes, status: 'failed', finished_at: clock });
}

/** @returns false if the run had already finished */
export async function cancelRun(db: Db, table: RunTable, id: RunId, message = 'Cancelled'): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(table)
    .set({ status: 'cancelled', message, finished_at: clock })
    .where('id', '=', id)
    .where('status', 'in', open)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isUnfinished(db: Db, table: RunTable, id: RunId): Promise<boolean> {
  const status = await findStatus(db, table, id);
  return unfinished.some((one) => one === status);
}

const pollIntervalMs = 50;

/**
 * Reads a run until it has finished or waits, `timeoutMs` have passed or `signal` aborts.
 * @returns the run as last read
 */
export async function waitForRun<Run extends { status: string }>(
  read: () => Promise<Run>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Run> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const run = await read();
    if (run.status !== 'processing' || performance.now() >= until || signal.aborted) return run;
    await delay(pollIntervalMs);
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

/** `now()` would be the start of the transaction, which may be long ago. */
const clock = sql<Date>`clock_timestamp()`;
