import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';
import type { AuditEvent } from '../http/scope.ts';
import { insertAuditEvent } from './store.ts';

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
