import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Source } from '../sources/queries.ts';

/**
 * Stages names that one source lists, from a table of the transaction with the columns `name` and `tld`. The names
 * differ.
 */
export async function stageNames(
  trx: Db,
  table: string,
  { id, name, kind }: Pick<Source, 'id' | 'name' | 'kind'>,
): Promise<void> {
  await sql`
    insert into staged_rows (line, name, tld, source, source_ids, kind)
    select 0, name, tld, array[${name}::text], array[${id}::integer], ${kind} from ${sql.table(table)}
  `.execute(trx);
}
