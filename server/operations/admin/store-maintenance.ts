import { sql } from 'kysely';
import type { MaintenanceRun } from '#shared/operations/admin.ts';
import type { Db } from '../../platform/db/database.ts';
import { completeRun, toPublicMessage, toPublicStatus, unfinished } from '../../platform/jobs/runs.ts';

const columns = [
  'id',
  toPublicStatus<MaintenanceRun['status']>().as('status'),
  'progress',
  toPublicMessage().as('message'),
  'started_by as startedBy',
  'bytes_before as bytesBefore',
  'bytes_after as bytesAfter',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

export type MaintenanceRow = Awaited<ReturnType<typeof listRuns>>[number];

/** Newest first. */
export function listRuns(db: Db, limit: number) {
  return db.selectFrom('maintenance_runs').select(columns).orderBy('id', 'desc').limit(limit).execute();
}

export function findUnfinished(db: Db) {
  return db.selectFrom('maintenance_runs').select(columns).where('status', 'in', unfinished).executeTakeFirst();
}

/** Returns who started a run. */
export function findRunStarter(db: Db, id: number) {
  return db
    .selectFrom('maintenance_runs')
    .select(['id', 'user_id as userId', 'started_by as username'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** @returns undefined if another run is unfinished */
export function insertRun(db: Db, { userId, username }: { userId: number; username: string }, message: string) {
  return db
    .insertInto('maintenance_runs')
    .values({ user_id: userId, started_by: username, message })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Saves the size of the database before the run. A later attempt does not overwrite it. */
export async function saveInitialSize(db: Db, id: number): Promise<void> {
  await db
    .updateTable('maintenance_runs')
    .set({ bytes_before: sql`coalesce(bytes_before, ${databaseSize})` })
    .where('id', '=', id)
    .execute();
}

/** @throws if the run has already finished */
export function completeMaintenance(db: Db, id: number, message: string): Promise<void> {
  return completeRun(db, 'maintenance_runs', id, { message, bytes_after: databaseSize });
}

const databaseSize = sql<number>`pg_database_size(current_database())`;

/** Lists the product's tables, the largest last. */
export async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by pg_total_relation_size(oid), relname
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Reclaims the space of deleted rows and updates the planner's statistics. Cannot run in a transaction. */
export async function vacuumTable(db: Db, name: string): Promise<void> {
  await sql`vacuum (analyze) ${sql.table(name)}`.execute(db);
}

export async function updateMaintenanceStarter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('maintenance_runs').set({ started_by: username }).where('user_id', '=', userId).execute();
}
