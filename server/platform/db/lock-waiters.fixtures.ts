import type pg from 'pg';

/**
 * Lists the process IDs of connections to this database that wait for a lock.
 * @param statement a LIKE pattern for the waiting query
 */
export async function listLockWaiters(pool: pg.Pool, statement = '%'): Promise<number[]> {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [statement],
  );
  return rows.map(({ pid }) => pid);
}
