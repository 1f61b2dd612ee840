import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { AuditEvent } from '../http/scope.ts';
import { insertAuditEvent, listEventsOf } from './store.ts';

/** Writes what an admin did on the web to the audit log. */
export async function recordAuditEvent(db: Db, { user, ...event }: AuditEvent, now: Date): Promise<void> {
  await insertAuditEvent(db, { ...event, userId: user.id, username: user.username }, now);
}

/** Writes what somebody did at the command line of the server to the audit log. */
export async function auditCommand(
  { db, now }: Pick<Context, 'db' | 'now'>,
  act: string,
  details: Record<string, unknown>,
): Promise<void> {
  await insertAuditEvent(db, { userId: undefined, username: 'command line', act, details, address: undefined }, now());
}

/** A page of what the user did as an admin, oldest first, with ids above `after`. */
export function listAuditEventsOf(db: Db, userId: number, after: number, limit: number) {
  return listEventsOf(db, userId, after, limit);
}
