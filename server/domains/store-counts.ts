import { sql } from 'kysely';
import { type Db, likePattern } from '../db/database.ts';
import type { Matches } from './matches.ts';

/** The exact number of domains with one key of a facet. */
export async function countFacet(db: Db, facet: string, key: string): Promise<number> {
  const { count } = await db
    .selectFrom('domain_counts')
    .select(sql<number>`coalesce(sum(delta), 0)::bigint`.as('count'))
    .where('facet', '=', facet)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return count;
}

/** The exact number of domains added on a day (ISO date, UTC) or later. */
export async function countSince(db: Db, day: string): Promise<number> {
  const { count } = await db
    .selectFrom('domain_counts')
    .select(sql<number>`coalesce(sum(delta), 0)::bigint`.as('count'))
    .where('facet', '=', 'added')
    .where('key', '>=', day)
    .executeTakeFirstOrThrow();
  return count;
}

/** The exact number of domains with several of risk level, ending and niche. Keys read `1 com Travel`. */
export async function countCombination(db: Db, { riskLevel, tld, niche }: Matches): Promise<number> {
  const rest = sql`substr(key, 3)`;
  let query = db
    .selectFrom('domain_counts')
    .select(sql<number>`coalesce(sum(delta), 0)::bigint`.as('count'))
    .where('facet', '=', 'combination');
  if (riskLevel !== undefined) query = query.where('key', '>=', `${riskLevel} `).where('key', '<', `${riskLevel}!`);
  if (tld !== undefined) query = query.where(sql<boolean>`split_part(${rest}, ' ', 1) = ${tld}`);
  if (niche !== undefined) query = query.where(sql<boolean>`substr(${rest}, strpos(${rest}, ' ') + 1) = ${niche}`);
  return (await query.executeTakeFirstOrThrow()).count;
}

/** Keys of a facet with their exact counts, those that occur, in the order of the keys. */
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
 * What is kept of a text: the number of names that contain it (`counted`, null when it is not kept) and each of its pieces, before
 * names that came and went lately; by how much these change it, and how many of them came.
 */
export async function countPieces(
  db: Db,
  text: string,
  pieces: readonly string[],
): Promise<{ counted: number | null; counts: number[]; change: number; came: number }> {
  const { rows } = await sql<{ counted: number | null; counts: number[]; change: number; came: number }>`
    select
      (select count from domain_grams where gram = ${text}) as counted,
      array(
        select coalesce(count, 0) from unnest(${pieces}::text[]) with ordinality as part (piece, place)
        left join domain_grams on gram = piece collate "C" order by place
      ) as counts,
      coalesce(sum(sign), 0)::integer as change,
      coalesce(sum(sign) filter (where sign > 0), 0)::integer as came
    from domain_gram_changes where name like ${likePattern(text)}
  `.execute(db);
  return rows[0] ?? { counted: null, counts: [], change: 0, came: 0 };
}

/**
 * For a place far from the begin of an order: the key of `facet` that the row at `offset` has, and how many rows come before that
 * key. Unknown keys ('') do not count.
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
