import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const columns = [
  'id',
  'status',
  'progress',
  'message',
  'started_by as startedBy',
  'bytes_before as bytesBefore',
  'bytes_after as bytesAfter',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

export type MaintenanceRow = Awaited<ReturnType<typeof listRuns>>[number];

/** The newest runs, newest first. */
export function listRuns(db: Db, limit: number) {
  return db.selectFrom('maintenance_runs').select(columns).orderBy('id', 'desc').limit(limit).execute();
}

export function findRunning(db: Db) {
  return db.selectFrom('maintenance_runs').select(columns).where('status', '=', 'processing').executeTakeFirst();
}

/** @returns undefined while another run is under way */
export function insertRun(db: Db, { userId, username }: { userId: number; username: string }) {
  return db
    .insertInto('maintenance_runs')
    .values({ user_id: userId, started_by: username, message: 'Waiting for its turn' })
    .onConflict((conflict) => conflict.column('status').where('status', '=', 'processing').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Counts a start of the work. @returns undefined when the run is gone or has ended */
export function beginRun(db: Db, id: number) {
  return db
    .updateTable('maintenance_runs')
    .set({
      attempts: sql`attempts + 1`,
      bytes_before: sql`coalesce(bytes_before, pg_database_size(current_database()))`,
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .returning(['attempts'])
    .executeTakeFirst();
}

/** Takes back a start that ended because the process stopped. */
export async function giveBackRun(db: Db, id: number): Promise<void> {
  await db.updateTable('maintenance_runs').set({ attempts: sql`attempts - 1` }).where('id', '=', id).execute();
}

export async function updateRun(db: Db, id: number, progress: number, message: string): Promise<void> {
  await db.updateTable('maintenance_runs').set({ progress, message }).where('id', '=', id).execute();
}

export async function endRun(db: Db, id: number, status: 'completed' | 'failed', message: string): Promise<void> {
  await db
    .updateTable('maintenance_runs')
    .set({
      status,
      message,
      finished_at: sql`now()`,
      ...(status === 'completed' && { progress: 100, bytes_after: sql<number>`pg_database_size(current_database())` }),
    })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

/** The product's own tables, the largest last. */
export async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
    order by pg_total_relation_size(oid), relname
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Clears what deleted rows left behind in a table, and learns anew how its values lie. Not within a transaction. */
export async function vacuumTable(db: Db, name: string): Promise<void> {
  await sql`vacuum (analyze) ${sql.table(name)}`.execute(db);
}

export async function updateStarter(db: Db, userId: number, username: string): Promise<void> {
  await db.updateTable('maintenance_runs').set({ started_by: username }).where('user_id', '=', userId).execute();
}
