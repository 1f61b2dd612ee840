import { sql } from 'kysely';
import type { DomainFilter } from '#shared/domains.ts';
import { type Db, toLikePattern } from '../../db/database.ts';
import { riskNumber } from '../store.ts';

// Triggers write what every change of domains adds to the counts. `domain_counts` has rows of facet, key and delta: a count is the sum
// of its deltas. `domain_grams` has the number of names that contain a piece of text, without the names in `domain_gram_changes`.

/** The exact number of domains with one key of a facet. */
export async function countFacet(db: Db, facet: string, key: string): Promise<number> {
  return (await sumOf(db, facet).where('key', '=', key).executeTakeFirstOrThrow()).count;
}

/** The exact number of domains added on a day (ISO date, UTC) or later. */
export async function countSince(db: Db, day: string): Promise<number> {
  return (await sumOf(db, 'added').where('key', '>=', day).executeTakeFirstOrThrow()).count;
}

/** The exact number of domains with several of risk level, ending and niche. Keys read `1 com Travel`. */
export async function countCombination(db: Db, { riskLevel, tld, niche }: DomainFilter): Promise<number> {
  const rest = sql`substr(key, 3)`;
  let query = sumOf(db, 'combination');
  if (riskLevel !== undefined) {
    const level = riskNumber(riskLevel);
    query = query.where('key', '>=', `${level} `).where('key', '<', `${level}!`);
  }
  if (tld !== undefined) query = query.where(sql<boolean>`split_part(${rest}, ' ', 1) = ${tld}`);
  if (niche !== undefined) query = query.where(sql<boolean>`substr(${rest}, strpos(${rest}, ' ') + 1) = ${niche}`);
  return (await query.executeTakeFirstOrThrow()).count;
}

function sumOf(db: Db, facet: string) {
  return db
    .selectFrom('domain_counts')
    .select(sql<number>`coalesce(sum(delta), 0)::bigint`.as('count'))
    .where('facet', '=', facet);
}

/** Keys of a facet that occur, with their exact counts, in the order of the keys. */
export function listFacet(db: Db, facet: string) {
  return db
    .selectFrom('domain_counts')
    .select(['key', sql<number>`sum(delta)::bigint`.as('count')])
    .where('facet', '=', facet)
    .where('key', '<>', '')
    .groupBy('key')
    .having(sql<boolean>`sum(delta) > 0`)
    .orderBy('key')
    .execute();
}

/**
 * Where a page far from the start of an order begins: the key of `facet` that the row at `offset` has, and the number of rows before
 * that key. Rows without a key do not count.
 */
export async function findPlace(
  db: Db,
  facet: string,
  offset: number,
  descending: boolean,
): Promise<{ key: string; before: number } | undefined> {
  const direction = descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ key: string; before: number }>`
    select key, (upto - here)::bigint as before
    from (
      select key, sum(delta) as here, sum(sum(delta)) over (order by key ${direction}) as upto
      from domain_counts where facet = ${facet} and key <> '' group by key
    ) as place
    where upto > ${offset} order by upto limit 1
  `.execute(db);
  return rows[0];
}

interface PieceCounts {
  /** Names that contain the text; null when it is not counted. */
  counted: number | null;
  /** Names that contain each of the pieces. */
  counts: number[];
  /** What changes since add to `counted`. */
  change: number;
  /** Names with the text that were added since. */
  added: number;
}

/** The kept counts of a text and of its pieces, and the changes that are not in them yet. */
export async function countPieces(db: Db, text: string, pieces: readonly string[]): Promise<PieceCounts> {
  const { rows } = await sql<PieceCounts>`
    select
      (select count from domain_grams where gram = ${text}) as counted,
      array(
        select coalesce(count, 0) from unnest(${pieces}::text[]) with ordinality as part (piece, place)
        left join domain_grams on gram = piece collate "C" order by place
      ) as counts,
      coalesce(sum(sign), 0)::integer as change,
      coalesce(sum(sign) filter (where sign > 0), 0)::integer as added
    from domain_gram_changes where name like ${toLikePattern(text)}
  `.execute(db);
  return rows[0] ?? { counted: null, counts: [], change: 0, added: 0 };
}

/** The number of names now, and when the long pieces were chosen. */
export async function countNames(db: Db): Promise<{ now: number; before: number }> {
  const row = await db.selectFrom('domain_grams').select('count').where('gram', '=', '').executeTakeFirst();
  return { now: await countFacet(db, 'all', ''), before: row?.count ?? 0 };
}

/** Takes up to `max` names out of the queue. */
export async function takeGramChanges(trx: Db, max: number): Promise<{ name: string; sign: number }[]> {
  const { rows } = await sql<{ name: string; sign: number }>`
    delete from domain_gram_changes
    where ctid = any(array(select ctid from domain_gram_changes limit ${max}))
    returning name, sign
  `.execute(trx);
  return rows;
}

/** The counted pieces longer than `length`. */
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

/** Replaces the deltas of each key by their sum. */
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

/** Vacuums the counts and sorts pending entries into the search indexes, which every search would read through otherwise. */
export async function cleanPending(db: Db): Promise<void> {
  await sql`vacuum (analyze) domain_gram_changes, domain_grams, domain_counts`.execute(db);
  await sql`select gin_clean_pending_list('domains_name_trgm'), gin_clean_pending_list('domains_sources')`.execute(db);
}
