import { type RawBuilder, sql } from 'kysely';
import type { DomainOrder, SortColumn } from '#shared/blacklist/domains.ts';
import type { Segment } from '../counts/store-counts.ts';

interface OrderColumn {
  key: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  /**
   * The facet whose keys ascend with this order. Its counts tell at which key an offset lies. Rows without a sort key
   * have keys of their ids, after all others.
   */
  facet: string;
  nullable?: true;
}

/** The columns to sort by. Each has an index together with the id; names are unique and have an index without it. */
export const columns: Record<SortColumn, OrderColumn> = {
  domain: { key: sql`name`, type: sql`text collate "C"`, facet: 'prefix' },
  date: { key: sql`added_at`, type: sql`timestamptz`, facet: 'added' },
  lastUpdated: { key: sql`updated_at`, type: sql`timestamptz`, facet: 'updated' },
  risk: { key: sql`risk_level`, type: sql`smallint`, facet: 'block' },
  dr: { key: sql`domain_rating`, type: sql`smallint`, facet: 'rating', nullable: true },
  cost: { key: sql`cost_amount`, type: sql`double precision`, facet: 'cost', nullable: true },
  source: { key: sql`source_start`, type: sql`text collate "C"`, facet: 'start' },
};

/** Returns the segments of a sort order, in the order in which a list shows them. */
export function listSegments({ column }: DomainOrder): Segment[] {
  return columns[column].nullable ? ['known', 'unknown'] : ['all'];
}

/** A part of a WHERE condition, if there is one. */
export type Condition = RawBuilder<unknown> | false | undefined;

/** The last row of a batch: its sort key in PostgreSQL's text form, and its id. */
export interface Cursor {
  key: string | null;
  id: number;
}

export function inSegment({ column }: DomainOrder, segment: Segment): Condition {
  if (segment === 'all') return undefined;
  return segment === 'known' ? sql`${columns[column].key} is not null` : sql`${columns[column].key} is null`;
}

export function afterCursor({ column, descending }: DomainOrder, { key, id }: Cursor): Condition {
  const beyond = descending ? sql`<` : sql`>`;
  if (key === null) return sql`id ${beyond} ${id}`;
  if (column === 'domain') return sql`name ${beyond} ${key}`;
  return sql`(${columns[column].key}, id) ${beyond} (${key}::${columns[column].type}, ${id}::bigint)`;
}

/** The ids of a block share all but their last 16 bits. */
const blockSize = 65_536;
/** Higher amounts are counted as this one. */
const maxAmount = 1e9;

/**
 * Builds the condition for all rows of a segment from the given facet key on. Facet keys are prefixes of names or
 * sources, days, ratings, whole amounts, a risk level with a block of ids, or a block alone if the value is unknown.
 */
export function fromKey({ column, descending }: DomainOrder, segment: Segment, key: string): Condition {
  if (segment === 'unknown') {
    const first = Number(key.slice(1)) * blockSize;
    return descending ? sql`id < ${first + blockSize}` : sql`id >= ${first}`;
  }
  switch (column) {
    case 'domain':
      return descending ? sql`name <= ${`${key}~`}` : sql`name >= ${key}`;
    case 'date':
    case 'lastUpdated': {
      const { key: time } = columns[column];
      const day = sql`(${key}::date::timestamp at time zone 'UTC')`;
      return descending ? sql`${time} < ${day} + interval '24 hours'` : sql`${time} >= ${day}`;
    }
    case 'dr':
      return descending ? sql`domain_rating <= ${Number(key)}` : sql`domain_rating >= ${Number(key)}`;
    case 'cost':
      if (descending) return Number(key) < maxAmount && sql`cost_amount < ${Number(key)} + 1`;
      return sql`cost_amount >= ${Number(key)}`;
    case 'risk': {
      const [level = 0, block = 0] = key.split(' ').map(Number);
      const first = block * blockSize;
      return descending
        ? sql`(risk_level, id) <= (${level}::smallint, ${first + blockSize - 1}::bigint)`
        : sql`(risk_level, id) >= (${level}::smallint, ${first}::bigint)`;
    }
    case 'source':
      return descending ? sql`source_start <= ${key}` : sql`source_start >= ${key}`;
  }
}

const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`);

/** ORDER BY as the indexes define it. Names are unique, so their index has no id. */
export const indexOrder = ({ column, descending }: DomainOrder) =>
  sql`${columns[column].key} ${direction(descending)} ${column === 'domain' ? sql`` : sql`, id ${direction(descending)}`}`;

/** ORDER BY for rows with an id and a sort key. */
export const sortedBy = ({ descending }: DomainOrder) =>
  sql`key ${direction(descending)} nulls last, id ${direction(descending)}`;
