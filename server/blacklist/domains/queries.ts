import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { listForUpdate } from './store.ts';

/** Whether no domain is listed yet, so that a check cannot give a verdict. */
export async function isBlacklistEmpty(db: Db): Promise<boolean> {
  const row = await db.selectFrom('domains').select('id').limit(1).executeTakeFirst();
  return row === undefined;
}

/** Returns up to `limit` listed names after a name, in the order of the index. */
export async function listNamesAfter(db: Db, name: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('name', '>', name)
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map((row) => row.name);
}

/** Returns the rows of those of the names that are listed, and locks them until the transaction ends. */
export function lockListedDomains(trx: Db, names: readonly string[]) {
  return listForUpdate(trx, sql<boolean>`name = any(${names}::text[])`);
}

/** Returns how many subdomains of a name are listed. */
export async function countListedBelow(db: Db, name: string): Promise<number> {
  const pattern = `%.${name.replaceAll('_', '\\_')}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from domains where name like ${pattern}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** For the rest of the transaction, waiting longer than this for a lock fails with the database's lock timeout. */
export async function setLockTimeout(trx: Db, seconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${seconds}s`}, true)`.execute(trx);
}

/** Flushes the pending list of the index of searches. Until then every search reads through all pending entries. */
export async function flushSearchIndex(db: Db): Promise<void> {
  await sql`select gin_clean_pending_list('domains_search')`.execute(db);
}
