import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { locks } from '../db/locks.ts';
import { countFacet } from './store-counts.ts';

/** Held to the end of the transaction. */
export async function tryCountsLock(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${locks.counts}) as locked`.execute(
    trx,
  );
  return rows[0]?.locked === true;
}

/** Takes up to `most` names out of the queue. */
export async function takeGramChanges(trx: Db, most: number): Promise<{ name: string; sign: number }[]> {
  const { rows } = await sql<{ name: string; sign: number }>`
    delete from domain_gram_changes
    where ctid = any(array(select ctid from domain_gram_changes limit ${most}))
    returning name, sign
  `.execute(trx);
  return rows;
}

/** The pieces longer than `length` that are counted. */
export async function listLongGrams(db: Db, length: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domain_grams')
    .select('gram')
    .where(sql<boolean>`length(gram) > ${length}`)
    .execute();
  return rows.map(({ gram }) => gram);
}

export async function addGramCounts(trx: Db, counts: readonly [string, number][]): Promise<void> {
  const grams = counts.map(([gram]) => gram);
  const changes = counts.map(([, count]) => count);
  await sql`
    insert into domain_grams (gram, count)
    select * from unnest(${grams}::text[], ${changes}::integer[])
    on conflict (gram) do update set count = domain_grams.count + excluded.count
  `.execute(trx);
}

/** Makes one delta of those of each key. */
export async function compactCounts(trx: Db): Promise<void> {
  await sql`
    with gone as (
      delete from domain_counts
      where (facet, key) in (select facet, key from domain_counts group by facet, key having count(*) > 1)
      returning facet, key, delta
    )
    insert into domain_counts (facet, key, delta)
    select facet, key, sum(delta) from gone group by facet, key having sum(delta) <> 0
  `.execute(trx);
}

/** Sorts new entries into the search indexes, and clears what folding left behind: every search would read through both. */
export async function cleanPending(db: Db): Promise<void> {
  await sql`vacuum (analyze) domain_gram_changes, domain_grams, domain_counts`.execute(db);
  await sql`select gin_clean_pending_list('domains_name_trgm'), gin_clean_pending_list('domains_sources')`.execute(db);
}

/** Number of names now, and when the long pieces were chosen. */
export async function countNames(db: Db): Promise<{ now: number; before: number }> {
  const row = await db.selectFrom('domain_grams').select('count').where('gram', '=', '').executeTakeFirst();
  return { now: await countFacet(db, 'all', ''), before: row?.count ?? 0 };
}
