import type pg from 'pg';

/** Ends a connection of the pool's user by its process id. Where the database cannot be asked, nothing runs in it any more. */
export async function endConnection(pool: pg.Pool, pid: number): Promise<void> {
  await pool.query('select pg_terminate_backend($1)', [pid]).catch(() => undefined);
}
