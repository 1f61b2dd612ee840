import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewAuditEvent {
  /** Undefined for commands on the server's command line. */
  userId: number | undefined;
  username: string;
  act: string;
  details: Record<string, unknown>;
  address: string | undefined;
}

export async function insertAuditEvent(
  db: Db,
  { userId, username, act, details, address }: NewAuditEvent,
  now: Date,
): Promise<void> {
  await db
    .insertInto('admin_acts')
    .values({
      user_id: userId ?? null,
      username,
      act,
      details: JSON.stringify(details),
      address: address ?? null,
      created_at: now,
    })
    .execute();
}

export interface AuditFilter {
  act?: string | undefined;
  person?: string | undefined;
}

const columns = [
  'admin_acts.id',
  'admin_acts.username',
  'act',
  'address',
  'admin_acts.created_at as createdAt',
] as const;

/**
 * Imports are audited when they are queued. Adds the status and counts of finished imports to the details of their
 * events.
 */
const columnsWithImportResult = [
  ...columns,
  sql<Record<string, unknown>>`details || coalesce(
    (select jsonb_build_object('status', status, 'imported', imported_count, 'updated', updated_count, 'failed', failed_count)
    from imports where imports.id = (details ->> 'jobId')::uuid and status not in ('queued', 'running')), '{}')`.as(
    'details',
  ),
] as const;

/** A page of events, newest first, and the number of all that match. */
export async function listEvents(db: Db, filter: AuditFilter, offset: number, limit: number) {
  const [rows, { total }] = await Promise.all([
    filtered(db, filter)
      .select(columnsWithImportResult)
      .orderBy('admin_acts.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    filtered(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Events with ids under `before`, newest first. Without `before`, starts with the newest. */
export function listEventsBefore(db: Db, filter: AuditFilter, before: number | undefined, limit: number) {
  return filtered(db, filter)
    .select(columnsWithImportResult)
    .$if(before !== undefined, (query) => query.where('admin_acts.id', '<', before ?? 0))
    .orderBy('admin_acts.id', 'desc')
    .limit(limit)
    .execute();
}

/** The events that the user caused as an admin, with ids above `after`, oldest first. */
export function listEventsOfUser(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('admin_acts')
    .select([...columns, 'details'])
    .where('admin_acts.user_id', '=', userId)
    .where('admin_acts.id', '>', after)
    .orderBy('admin_acts.id')
    .limit(limit)
    .execute();
}

function filtered(db: Db, { act, person }: AuditFilter) {
  return db
    .selectFrom('admin_acts')
    .$if(act !== undefined, (query) => query.where('act', '=', act ?? ''))
    .$if(person !== undefined, (query) => query.where('username', '=', person ?? ''));
}

/** All event kinds and all usernames in the log, in alphabetical order. */
export async function listEventKinds(db: Db): Promise<{ acts: string[]; people: string[] }> {
  const [acts, people] = await Promise.all([
    db.selectFrom('admin_acts').select('act').distinct().orderBy('act').execute(),
    db.selectFrom('admin_acts').select('username').distinct().orderBy('username').execute(),
  ]);
  return { acts: acts.map(({ act }) => act), people: people.map(({ username }) => username) };
}
