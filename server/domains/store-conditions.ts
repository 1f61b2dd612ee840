import { type RawBuilder, sql } from 'kysely';
import { likePattern } from '../db/database.ts';
import type { Matches } from './matches.ts';
import type { SortKey, SortOrder } from './sort-orders.ts';

/** What the orders sort by, each with an index together with the id. */
export const keys: Record<SortKey, RawBuilder<unknown>> = {
  name: sql`name`,
  added: sql`added_at`,
  updated: sql`updated_at`,
  risk: sql`risk_level`,
  rating: sql`domain_rating`,
  cost: sql`cost_amount`,
  source: sql`source_start`,
};

/** Which rows of an order: all, those whose key is known, or the others. */
export type Segment = 'all' | 'known' | 'unknown';

export const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`);

interface Further {
  /** A part of the text to look up in the search index instead of it. */
  rarest?: string | undefined;
  segment?: RawBuilder<unknown> | undefined;
  place?: RawBuilder<unknown> | undefined;
  /** Ask the names what they tell, so that an index of names answers alone. */
  namesOnly?: boolean;
  /** Look a text that the search index does not know well up in the rows. */
  gathering?: boolean;
}

export function conditions(
  matches: Matches,
  { rarest, segment, place, namesOnly = false, gathering = false }: Further = {},
): RawBuilder<unknown> {
  const { text, tld, niche, riskLevel, source, since } = matches;
  const part = rarest ?? (gathering ? undefined : text);
  const all: (RawBuilder<unknown> | undefined)[] = [
    text === undefined || part === undefined ? undefined : sql`name like ${likePattern(part)}`,
    text === undefined || part === text ? undefined : sql`strpos(name, ${text}) > 0`,
    tld === undefined
      ? undefined
      : namesOnly
        ? sql`name like ${likePattern(`.${tld}`).slice(0, -1)}`
        : sql`tld = ${tld}`,
    niche === undefined ? undefined : sql`niche = ${niche}`,
    riskLevel === undefined ? undefined : sql`risk_level = ${riskLevel}`,
    source === undefined ? undefined : sql`string_to_array(source, ', ') @> array[${source}::text collate "C"]`,
    since && sql`added_at >= ${since}`,
    segment,
    place,
  ];
  const present = all.filter((condition) => condition !== undefined);
  return present.length > 0 ? sql.join(present, sql` and `) : sql`true`;
}

export function segmentCondition(segment: Segment, by: SortKey): RawBuilder<unknown> | undefined {
  if (segment === 'all') return undefined;
  return segment === 'known' ? sql`${keys[by]} is not null` : sql`${keys[by]} is null`;
}

/** The row at a place and all after it. The keys are those of the counts: pieces of names, days, whole amounts, blocks of ids. */
export function placeCondition({ by, descending }: SortOrder, key: string): RawBuilder<unknown> {
  switch (by) {
    case 'name':
      return descending ? sql`name <= ${`${key}~`}` : sql`name >= ${key}`;
    case 'added':
    case 'updated': {
      const day = sql`(${key}::date::timestamp at time zone 'UTC')`;
      return descending ? sql`${keys[by]} < ${day} + interval '24 hours'` : sql`${keys[by]} >= ${day}`;
    }
    case 'rating':
      return descending ? sql`domain_rating <= ${Number(key)}` : sql`domain_rating >= ${Number(key)}`;
    case 'cost':
      return descending ? sql`cost_amount < ${Number(key)} + 1` : sql`cost_amount >= ${Number(key)}`;
    case 'risk': {
      const [level = 0, block = 0] = key.split(' ').map(Number);
      const first = block * 65_536;
      return descending
        ? sql`(risk_level, id) <= (${level}::smallint, ${first + 65_535}::bigint)`
        : sql`(risk_level, id) >= (${level}::smallint, ${first}::bigint)`;
    }
    case 'source':
      return descending ? sql`source_start <= ${key}` : sql`source_start >= ${key}`;
  }
}
