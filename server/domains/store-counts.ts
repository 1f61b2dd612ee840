import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { shortGram } from './count-grams.ts';
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
 * How many names contain a text. `exact` is undefined for long texts that few names contained when the counted ones were chosen;
 * `most` is never too small.
 */
export async function countText(db: Db, text: string): Promise<{ exact: number | undefined; most: number }> {
  const pieces = Array.from({ length: Math.max(1, text.length - shortGram + 1) }, (_, i) =>
    text.slice(i, i + shortGram),
  );
  const pattern = likePattern(text);
  const { rows } = await sql<{ counted: number | null; fewest: number; change: number; came: number }>`
    select
      (select count from domain_grams where gram = ${text}) as counted,
      (select min(coalesce(count, 0)) from unnest(${pieces}::text[]) as piece left join domain_grams on gram = piece collate "C")
        as fewest,
      coalesce(sum(sign), 0)::integer as change,
      coalesce(sum(sign) filter (where sign > 0), 0)::integer as came
    from domain_gram_changes where name like ${pattern}
  `.execute(db);
  const { counted, fewest, change, came } = rows[0] ?? { counted: 0, fewest: 0, change: 0, came: 0 };
  const known = counted ?? (text.length <= shortGram ? 0 : undefined);
  const exact = known === undefined ? undefined : known + change;
  return { exact, most: exact ?? fewest + came };
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

/** The endings that contain a text. */
export async function listTldsWith(db: Db, text: string): Promise<string[]> {
  return (await listFacet(db, 'tld')).map(({ key }) => key).filter((key) => key.includes(text));
}

/** A LIKE pattern for names that contain a text, whose wildcards stand for themselves. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
