import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Cancels the statement that a transaction is at when the signal aborts, which makes it throw; `db` is the pool, for a second
 * connection. @returns a function that ends the watch
 */
export async function cancelOnAbort(db: Db, trx: Db, signal: AbortSignal): Promise<() => void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  const cancel = () => void sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
}
