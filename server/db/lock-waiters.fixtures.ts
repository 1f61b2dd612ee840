import type pg from 'pg';

/** The processes of this database that wait for somebody to let go of a lock; with `statement` (LIKE) only those of one kind. */
export async function listLockWaiters(pool: pg.Pool, statement = '%'): Promise<number[]> {
  const { rows } = await pool.query(
    `select pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [statement],
  );
  return rows.map(({ pid }) => pid);
}
