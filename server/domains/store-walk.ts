import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Matches } from './matches.ts';
import type { SortKey, SortOrder } from './sort-orders.ts';
import { conditions, direction, keys, type Segment, segmentCondition } from './store-conditions.ts';
import { choosePlans } from './store-pages.ts';
import { type DomainRow, rowColumns } from './store-rows.ts';

/** The row that a batch ended with: its key as PostgreSQL writes it, and its id. */
export interface Mark {
  key: string | null;
  id: number;
}

const types: Record<SortKey, RawBuilder<unknown>> = {
  name: sql`text collate "C"`,
  added: sql`timestamptz`,
  updated: sql`timestamptz`,
  risk: sql`smallint`,
  rating: sql`smallint`,
  cost: sql`double precision`,
  source: sql`text collate "C"`,
};

/** The next rows of an order after a mark. `last` is undefined when there are no more. */
export async function walkOn(
  trx: Trx,
  matches: Matches,
  { by, descending }: SortOrder,
  segment: Segment,
  after: Mark | undefined,
  limit: number,
): Promise<{ rows: DomainRow[]; last: Mark | undefined }> {
  await choosePlans(trx, { scan: 'off', bitmap: 'off', index: 'on', sort: 'off', parallel: '0' });
  const beyond = descending ? sql`<` : sql`>`;
  const key = keys[by];
  const past =
    after &&
    (after.key === null
      ? sql`id ${beyond} ${after.id}`
      : by === 'name'
        ? sql`name ${beyond} ${after.key}`
        : sql`(${key}, id) ${beyond} (${after.key}::${types[by]}, ${after.id}::bigint)`);
  const found = await trx
    .selectFrom('domains')
    .select([...rowColumns, sql<string | null>`${key}::text`.as('key')])
    .where(sql<boolean>`${conditions(matches, { segment: segmentCondition(segment, by), place: past })}`)
    .orderBy(sql`${key} ${direction(descending)} ${by === 'name' ? sql`` : sql`, id ${direction(descending)}`}`)
    .limit(limit)
    .execute();
  const end = found.at(-1);
  return {
    rows: found.map(({ key: _, ...row }) => row),
    last: end && found.length === limit ? { key: end.key, id: end.id } : undefined,
  };
}
