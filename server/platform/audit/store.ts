import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewAuditEvent {
  /** Undefined for commands on the server's command line. */
  userId: number | undefined;
  username: string;
  event: string;
  details: Record<string, unknown>;
  /** Undefined for commands and runs. */
  address: string | undefined;
}

export async function insertAuditEvent(
  db: Db,
  { userId, username, event, details, address }: NewAuditEvent,
  now: Date,
): Promise<void> {
  await db
    .insertInto('audit_events')
    .values({
      user_id: userId ?? null,
      username,
      event,
      details: JSON.stringify(details),
      address: address ?? null,
      created_at: now,
    })
    .execute();
}

export interface AuditFilter {
  event?: string | undefined;
  /** A username. */
  user?: string | undefined;
}

const columns = [
  'audit_events.id',
  'audit_events.username',
  'event',
  'address',
  'audit_events.created_at as createdAt',
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
      .orderBy('audit_events.id', 'desc')
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
    .$if(before !== undefined, (query) => query.where('audit_events.id', '<', before ?? 0))
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .execute();
}

/** The events that the user caused, with ids above `after`, oldest first. */
export function listEventsOfUser(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('audit_events')
    .select([...columns, 'details'])
    .where('audit_events.user_id', '=', userId)
    .where('audit_events.id', '>', after)
    .orderBy('audit_events.id')
    .limit(limit)
    .execute();
}

function filtered(db: Db, { event, user }: AuditFilter) {
  return db
    .selectFrom('audit_events')
    .$if(event !== undefined, (query) => query.where('event', '=', event ?? ''))
    .$if(user !== undefined, (query) => query.where('username', '=', user ?? ''));
}

/** Usernames that the filter of the log offers. Everyone who appeals a listing is in the log. */
const maxUsernames = 100;

/** All event kinds in the log, and the usernames that were active last, in alphabetical order. */
export async function listEventKinds(db: Db): Promise<{ events: string[]; usernames: string[] }> {
  const [events, usernames] = await Promise.all([
    db.selectFrom('audit_events').select('event').distinct().orderBy('event').execute(),
    db
      .selectFrom('audit_events')
      .select('username')
      .groupBy('username')
      .orderBy(({ fn }) => fn.max('id'), 'desc')
      .limit(maxUsernames)
      .execute(),
  ]);
  return {
    events: events.map(({ event }) => event),
    usernames: usernames.map(({ username }) => username).toSorted((a, b) => a.localeCompare(b, 'en')),
  };
}
