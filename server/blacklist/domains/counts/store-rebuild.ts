import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { locks } from '../../../platform/db/locks.ts';

/** Table pages read by one query: about ten thousand names. */
const pagesPerQuery = 200;

/**
 * Runs `work` on a connection with one snapshot of the database, while holding the lock of the counts. Commits at the
 * end.
 */
export async function inOneSnapshot(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [locks.counts]);
    await client.query('begin isolation level repeatable read');
    await work(client);
    await client.query('commit');
    await client.query('select pg_advisory_unlock($1)', [locks.counts]);
  } catch (error) {
    // Closing the connection rolls the transaction back and releases the lock.
    client.release(true);
    throw error;
  }
  client.release();
}

/** Replaces the counts by facet and key with a fresh count of all domains. */
export async function replaceCounts(client: pg.PoolClient): Promise<void> {
  await client.query('delete from domain_counts');
  await client.query("do $do$ begin execute domain_counts_statement('select 1 as sign, * from domains'); end $do$");
}

export async function deleteGrams(client: pg.PoolClient): Promise<void> {
  await client.query('delete from domain_gram_changes');
  await client.query('delete from domain_grams');
}

/**
 * Yields all names in batches, each from a range of table pages. Each batch is one text value, because one row per name
 * is far slower.
 * @param onProgress receives the share of the table that has been read, 0 to 1
 */
export async function* readNames(client: pg.PoolClient, onProgress: (share: number) => void): AsyncGenerator<string[]> {
  const { rows } = await client.query<{ pages: number }>(
    "select (pg_relation_size('domains') / current_setting('block_size')::integer)::integer as pages",
  );
  const pages = rows[0]?.pages ?? 0;
  for (let first = 0; first < pages; first += pagesPerQuery) {
    const { rows: found } = await client.query<{ names: string | null }>(
      "select string_agg(name, ' ') as names from domains where ctid >= $1::tid and ctid < $2::tid",
      [`(${first},0)`, `(${first + pagesPerQuery},0)`],
    );
    yield found[0]?.names?.split(' ') ?? [];
    onProgress(Math.min(1, (first + pagesPerQuery) / pages));
  }
}

/** Inserts grams with their counts. `text` has one gram per line: the gram, a tab and its count. */
export async function copyGrams(client: pg.PoolClient, text: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(text), client.query(copyFrom('copy domain_grams (gram, count) from stdin')));
}

/** Vacuums the count tables after a rebuild, which leaves as many dead rows as live ones. */
export async function vacuumCounts(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum (analyze) domain_counts, domain_grams, domain_gram_changes');
}
