import type { ApiKey } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { keyOf } from './key-of.ts';
import { listKeys as listRows } from './store.ts';

/** The user's keys with their values, newest first. */
export async function listKeys(context: Pick<Context, 'db' | 'secretKey' | 'now'>, userId: number): Promise<ApiKey[]> {
  const rows = await listRows(context.db, userId, context.now());
  return rows.map((row) => keyOf(context, userId, row));
}
