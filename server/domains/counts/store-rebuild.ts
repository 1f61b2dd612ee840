import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { locks } from '../../db/locks.ts';

/** Some ten thousand names. */
const pagesAtOnce = 200;

/** Holds the lock of the counts while `work` runs on a connection that sees one moment of the database. */
export async function inOneSnapshot(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [locks.counts]);
    await client.query('begin isolation level repeatable read');
    // Before anything else, so that emptying the table and this do not wait for each other in a circle.
    await client.query('lock table domains in access share mode');
    await work(client);
    await client.query('commit');
    await client.query('select pg_advisory_unlock($1)', [locks.counts]);
  } catch (error) {
    // Closing the connection ends the transaction and gives the lock back.
    client.release(true);
    throw error;
  }
  client.release();
}

/** Counts all domains by facet and key, in place of what was counted before. */
export async function replaceCounts(client: pg.PoolClient): Promise<void> {
  await client.query('delete from domain_counts');
  await client.query("do $do$ begin execute domain_counts_statement('select 1 as sign, * from domains'); end $do$");
}

export async function deleteGrams(client: pg.PoolClient): Promise<void> {
  await client.query('delete from domain_gram_changes');
  await client.query('delete from domain_grams');
}

/**
 * All names, those of some pages of the table at a time: one text for many names, because a row for each takes far longer.
 * @param onProgress is told the share of the table that was read, 0 to 1
 */
export async function* readNames(client: pg.PoolClient, onProgress: (share: number) => void): AsyncGenerator<string[]> {
  const { rows } = await client.query<{ pages: number }>(
    "select (pg_relation_size('domains') / current_setting('block_size')::integer)::integer as pages",
  );
  const pages = rows[0]?.pages ?? 0;
  for (let first = 0; first < pages; first += pagesAtOnce) {
    const { rows: found } = await client.query<{ names: string | null }>(
      "select string_agg(name, ' ') as names from domains where ctid >= $1::tid and ctid < $2::tid",
      [`(${first},0)`, `(${first + pagesAtOnce},0)`],
    );
    yield found[0]?.names?.split(' ') ?? [];
    onProgress(Math.min(1, (first + pagesAtOnce) / pages));
  }
}

/** Adds pieces with their counts. `text`: one a line, with a tab between. */
export async function copyGrams(client: pg.PoolClient, text: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(text), client.query(copyFrom('copy domain_grams (gram, count) from stdin')));
}

/** Clears away what `replaceCounts` and the pieces left behind. */
export async function vacuumCounts(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum (analyze) domain_counts, domain_grams, domain_gram_changes');
}
