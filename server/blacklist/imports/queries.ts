import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Stages names that one source lists, from a table of the transaction with the columns `name` and `tld`. The names
 * differ.
 * @param proof see `getProof`
 */
export async function stageNames(
  trx: Db,
  table: string,
  { source, proof }: { source: { id: number; name: string }; proof: number },
): Promise<void> {
  await sql`
    insert into staged_rows (line, name, tld, source, source_ids, proof)
    select 0, name, tld, ${source.name}, array[${source.id}::integer], ${proof}::smallint from ${sql.table(table)}
  `.execute(trx);
}
