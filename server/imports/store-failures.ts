import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export async function deleteFailures(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('import_failures').where('import_id', '=', importId).execute();
}

/** `lines`: a failure on each line, as line number, value and reason with tabs between. One parameter, however many. */
export async function insertFailures(db: Db, importId: string, lines: string): Promise<void> {
  await sql`
    insert into import_failures (import_id, line, value, reason)
    select ${importId}, split_part(row, E'\t', 1)::bigint, split_part(row, E'\t', 2), split_part(row, E'\t', 3)
    from string_to_table(${lines}, E'\n') as row
    on conflict do nothing
  `.execute(db);
}

/** In the order of the file, from after a line. */
export function listFailures(db: Db, importId: string, limit: number, afterLine = 0) {
  return db
    .selectFrom('import_failures')
    .select(['line', 'value', 'reason'])
    .where('import_id', '=', importId)
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute();
}
