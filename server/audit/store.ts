import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewAuditEvent {
  /** Undefined at the command line of the server. */
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

const stored = [
  'admin_acts.id',
  'admin_acts.username',
  'act',
  'address',
  'admin_acts.created_at as createdAt',
] as const;

/** An import is audited before it starts: its event is shown with the import's present status and counts. */
const shown = [
  ...stored,
  sql<Record<string, unknown>>`details || coalesce(
    (select jsonb_build_object('status', status, 'imported', imported_count, 'updated', updated_count, 'failed', failed_count)
    from imports where imports.id = (details ->> 'jobId')::uuid and status not in ('queued', 'running')), '{}')`.as(
    'details',
  ),
] as const;

/** A page of events, newest first, and how many there are in all. */
export async function listEvents(db: Db, filter: AuditFilter, offset: number, limit: number) {
  const [rows, { total }] = await Promise.all([
    matching(db, filter).select(shown).orderBy('admin_acts.id', 'desc').offset(offset).limit(limit).execute(),
    matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** The newest events before the one with this id. */
export function listEventsBefore(db: Db, filter: AuditFilter, before: number | undefined, limit: number) {
  return matching(db, filter)
    .select(shown)
    .$if(before !== undefined, (query) => query.where('admin_acts.id', '<', before ?? 0))
    .orderBy('admin_acts.id', 'desc')
    .limit(limit)
    .execute();
}

/** The user's events as an admin with ids above `after`, oldest first. */
export function listEventsOfUser(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('admin_acts')
    .select([...stored, 'details'])
    .where('admin_acts.user_id', '=', userId)
    .where('admin_acts.id', '>', after)
    .orderBy('admin_acts.id')
    .limit(limit)
    .execute();
}

function matching(db: Db, { act, person }: AuditFilter) {
  return db
    .selectFrom('admin_acts')
    .$if(act !== undefined, (query) => query.where('act', '=', act ?? ''))
    .$if(person !== undefined, (query) => query.where('username', '=', person ?? ''));
}

/** All acts and all people in the log, by name. */
export async function listEventKinds(db: Db): Promise<{ acts: string[]; people: string[] }> {
  const [acts, people] = await Promise.all([
    db.selectFrom('admin_acts').select('act').distinct().orderBy('act').execute(),
    db.selectFrom('admin_acts').select('username').distinct().orderBy('username').execute(),
  ]);
  return { acts: acts.map(({ act }) => act), people: people.map(({ username }) => username) };
}
