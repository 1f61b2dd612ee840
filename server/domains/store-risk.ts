import { type RawBuilder, sql } from 'kysely';

/** `riskOfSources` in SQL. */
export function riskOfCount(count: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case ${count} when 1 then 1 when 2 then 2 when 3 then 2 when 4 then 3 else 4 end::smallint`;
}
