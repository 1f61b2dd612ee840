import { type RawBuilder, sql } from 'kysely';
import { type DomainFilter, riskLevels, toRiskNumber } from '#shared/blacklist/domains.ts';
import { type Db, toLikePattern } from '../../../platform/db/database.ts';
import { toConfidenceNumber } from '../store.ts';

// Triggers record every change of domains. `domain_counts` has rows of facet, key and delta: a count is the sum of its
// deltas, so writers only append and never wait for each other. `domain_grams` has the number of names that contain a
// gram; changed names that are not included yet wait in `domain_gram_changes`. Large merges count the names they insert
// themselves instead.

/** Returns the exact number of domains with one key of a facet. */
export async function countFacet(db: Db, facet: string, key: string): Promise<number> {
  return (await sumDeltas(db, facet).where('key', '=', key).executeTakeFirstOrThrow()).count;
}

/** Returns the exact number of domains added on a day (ISO date, UTC) or later. */
export async function countSince(db: Db, day: string): Promise<number> {
  return (await sumDeltas(db, 'added').where('key', '>=', day).executeTakeFirstOrThrow()).count;
}

/**
 * Returns the exact number of domains with a combination of risk level, confidence, TLD and niche. Keys look like
 * `1 2 com Travel`.
 */
export async function countCombination(db: Db, filter: DomainFilter): Promise<number> {
  return (await selectCombination(db, filter).select(sumOfDeltas).executeTakeFirstOrThrow()).count;
}

function selectCombination(db: Db, { riskLevel, confidence, tld, niche }: DomainFilter) {
  const rest = sql`substr(key, 5)`;
  let query = selectDeltas(db, 'combination');
  if (riskLevel !== undefined) {
    const level = toRiskNumber(riskLevel);
    query = query.where('key', '>=', `${level} `).where('key', '<', `${level}!`);
  }
  if (confidence !== undefined) {
    query = query.where(sql<boolean>`substr(key, 3, 1) = ${String(toConfidenceNumber(confidence))}`);
  }
  if (tld !== undefined) query = query.where(sql<boolean>`split_part(${rest}, ' ', 1) = ${tld}`);
  if (niche !== undefined) query = query.where(sql<boolean>`substr(${rest}, strpos(${rest}, ' ') + 1) = ${niche}`);
  return query;
}

/**
 * Returns the exact number of matches for each stored level, 1 to 4, that occurs among them; undefined if the filter
 * has no stored counts by level. A level in the filter is ignored.
 */
export async function countStoredLevels(db: Db, filter: DomainFilter): Promise<Map<number, number> | undefined> {
  const { search, source, dateAdded, tld, niche, confidence } = filter;
  if (search !== undefined) return undefined;
  if (source === undefined && dateAdded === undefined) {
    return await sumByLevel(selectCombination(db, { tld, niche, confidence }), sql`left(key, 1)`);
  }
  if (tld !== undefined || niche !== undefined || confidence !== undefined) return undefined;
  if (source !== undefined && dateAdded === undefined) {
    const keys = riskLevels.map((_, i) => `${i + 1} ${source}`);
    return await sumByLevel(selectDeltas(db, 'sourceRisk').where('key', 'in', keys), sql`left(key, 1)`);
  }
  if (source === undefined && dateAdded !== undefined) {
    return await sumByLevel(selectDeltas(db, 'addedRisk').where('key', '>=', dateAdded), sql`right(key, 1)`);
  }
  return undefined;
}

async function sumByLevel(query: ReturnType<typeof selectDeltas>, level: RawBuilder<unknown>) {
  const rows = await query
    .select([sql<number>`${level}::integer`.as('level'), sumOfDeltas])
    .groupBy('level')
    .execute();
  return new Map(rows.map((row) => [row.level, row.count]));
}

const sumOfDeltas = sql<number>`coalesce(sum(delta), 0)::bigint`.as('count');

const selectDeltas = (db: Db, facet: string) => db.selectFrom('domain_counts').where('facet', '=', facet);

const sumDeltas = (db: Db, facet: string) => selectDeltas(db, facet).select(sumOfDeltas);

/** Returns the keys of a facet that occur, with their exact counts, in key order. */
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

/** Keys of unknown values start with it, so that they follow the known ones. */
const unknownKey = '~';

/** Returns the exact number of domains whose value of a facet is unknown. For the facets 'rating' and 'cost'. */
export async function countUnknown(db: Db, facet: string): Promise<number> {
  return (await sumDeltas(db, facet).where('key', '>=', unknownKey).executeTakeFirstOrThrow()).count;
}

/** The rows of a sort order whose sort key is known or unknown (null). Unknown keys come last in both directions. */
export type Segment = 'all' | 'known' | 'unknown';

/** A facet key, the number of its rows, and the number of rows before it. */
export interface KeyPlace {
  key: string;
  size: number;
  before: number;
}

/**
 * Finds the facet key at an offset far into a segment, so that the index scan can start there instead of reading all
 * rows before it.
 */
export async function findKeyAtOffset(
  db: Db,
  facet: string,
  segment: Segment,
  { offset, descending }: { offset: number; descending: boolean },
): Promise<KeyPlace | undefined> {
  const direction = descending ? sql`desc` : sql`asc`;
  const keys = { all: sql`true`, known: sql`key < ${unknownKey}`, unknown: sql`key >= ${unknownKey}` }[segment];
  const { rows } = await sql<KeyPlace>`
    select key, here::bigint as size, (upto - here)::bigint as before
    from (
      select key, sum(delta) as here, sum(sum(delta)) over (order by key ${direction}) as upto
      from domain_counts where facet = ${facet} and ${keys} group by key
    ) as place
    where upto > ${offset} order by upto limit 1
  `.execute(db);
  return rows[0];
}

interface GramCounts {
  /** Stored number of names that contain the text; null if the text is not counted. */
  counted: number | null;
  /** Stored number of names that contain each gram. */
  counts: number[];
  /** Names with the text added, minus names with it deleted, since the stored counts. */
  change: number;
  /** Names with the text added since the stored counts. */
  added: number;
}

/** Returns the stored counts of a text and of its grams, and the queued changes that they do not include yet. */
export async function getGramCounts(db: Db, text: string, grams: readonly string[]): Promise<GramCounts> {
  const { rows } = await sql<GramCounts>`
    select
      (select count from domain_grams where gram = ${text}) as counted,
      array(
        select coalesce(count, 0) from unnest(${grams}::text[]) with ordinality as part (piece, place)
        left join domain_grams on gram = piece collate "C" order by place
      ) as counts,
      coalesce(sum(sign), 0)::integer as change,
      coalesce(sum(sign) filter (where sign > 0), 0)::integer as added
    from domain_gram_changes where name like ${toLikePattern(text)}
  `.execute(db);
  return rows[0] ?? { counted: null, counts: [], change: 0, added: 0 };
}

/** Returns the number of names now, and when the long grams were chosen. */
export async function countNames(db: Db): Promise<{ now: number; before: number }> {
  const row = await db.selectFrom('domain_grams').select('count').where('gram', '=', '').executeTakeFirst();
  return { now: await countFacet(db, 'all', ''), before: row?.count ?? 0 };
}

/**
 * Removes up to `max` changed names from the queue and returns them. `sign` is 1 for an added name, -1 for a deleted
 * one.
 */
export async function takeGramChanges(trx: Db, max: number): Promise<{ name: string; sign: number }[]> {
  const { rows } = await sql<{ name: string; sign: number }>`
    delete from domain_gram_changes
    where ctid = any(array(select ctid from domain_gram_changes limit ${max}))
    returning name, sign
  `.execute(trx);
  return rows;
}

/** Sets whether the names that the transaction inserts are queued. */
export async function setQueueing(trx: Db, isOn: boolean): Promise<void> {
  await sql`select set_config('linksieve.queue_names', ${isOn ? 'on' : 'off'}, true)`.execute(trx);
}

/** Returns the counted grams longer than `length`. */
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

/** Replaces the deltas of each facet key by one row with their sum. @returns the number of replaced deltas */
export async function mergeCountDeltas(trx: Db): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with gone as (
      delete from domain_counts
      where (facet, key) in (select facet, key from domain_counts group by facet, key having count(*) > 1)
      returning facet, key, delta
    ),
    merged as (
      insert into domain_counts (facet, key, delta)
      select facet, key, sum(delta) from gone group by facet, key having sum(delta) <> 0
    )
    select count(*)::integer as gone from gone
  `.execute(trx);
  return rows[0]?.gone ?? 0;
}
