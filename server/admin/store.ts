import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The database's own version, '18.4', and its size in bytes. */
export async function readDatabaseFacts(db: Db): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database()) as bytes
  `.execute(db);
  return rows[0] ?? { version: '', bytes: 0 };
}
