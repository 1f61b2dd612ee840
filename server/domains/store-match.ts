import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../db/database.ts';

// The array stands in a sub-select so that it is no constant for the planner, which takes several times as long to estimate
// thousands of constants as the index takes to find them. PostgreSQL sorts them itself.

/** Those of the names that are listed. Takes and gives one name a line: a list of many thousands stays one parameter and one value. */
export async function selectListedNames(db: Db, lines: string): Promise<string> {
  const { rows } = await sql<{ names: string | null }>`
    select string_agg(name, E'\n') as names from domains where name = any ((select string_to_array(${lines}, E'\n'))::text[])
  `.execute(db);
  return rows[0]?.names ?? '';
}

interface ListingRow {
  id: number;
  domain: string;
  riskLevel: number;
  sourceCount: number;
  niche: string | null;
  dateAdded: Date;
  lastUpdated: Date;
}

/**
 * What anybody may know of those of the names that are listed. The statement has a name: each connection plans it once, which
 * takes longer than to answer it.
 */
export async function selectListings(pool: pg.Pool, names: readonly string[]): Promise<ListingRow[]> {
  const { rows } = await pool.query<ListingRow>({
    name: 'select-listings',
    text: `select id, name as domain, risk_level as "riskLevel", source_count as "sourceCount", niche, added_at as "dateAdded",
      updated_at as "lastUpdated" from domains where name = any ((select $1::text[])::text[])`,
    values: [names],
  });
  return rows;
}
