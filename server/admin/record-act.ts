import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Act } from '../http/scope.ts';
import { insertAct } from './store.ts';

/** Writes what an admin did through the web to the audit log. */
export async function recordAct(db: Db, { user, ...act }: Act, now: Date): Promise<void> {
  await insertAct(db, { ...act, userId: user.id, username: user.username }, now);
}

/** Writes what somebody did at the command line of the server to the audit log. */
export async function recordCommand(
  { db, now }: Pick<Context, 'db' | 'now'>,
  act: string,
  details: Record<string, unknown>,
): Promise<void> {
  await insertAct(db, { userId: undefined, username: 'command line', act, details, address: undefined }, now());
}
