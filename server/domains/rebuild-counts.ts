import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { locks } from '../db/locks.ts';
import { createGramCounter } from './count-grams.ts';
import { findFrequentGrams } from './find-frequent-grams.ts';

/** Longer pieces are counted where at least one name in this many contains them, and at least `fewest` do. */
const share = 10_000;
const fewest = 1000;
/** Some ten thousand names. */
const pagesAtOnce = 200;

/**
 * Counts everything anew, in one snapshot: domains may change meanwhile. For after a load that switched the triggers off, and for
 * maintenance. Ten million domains take about two minutes.
 */
export async function rebuildCounts(pool: pg.Pool): Promise<void> {
  await inOneSnapshot(pool, async (client) => {
    await client.query('delete from domain_counts');
    await client.query("do $do$ begin execute domain_counts_statement('select 1 as sign, * from domains'); end $do$");
    await rebuildGramsIn(client);
  });
  await pool.query('vacuum (analyze) domain_counts, domain_grams, domain_gram_changes');
}

/** Counts the pieces of all names anew, and finds which longer ones are worth counting. */
export async function rebuildGrams(pool: pg.Pool): Promise<void> {
  await inOneSnapshot(pool, rebuildGramsIn);
  await pool.query('vacuum (analyze) domain_grams, domain_gram_changes');
}

async function inOneSnapshot(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
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

async function rebuildGramsIn(client: pg.PoolClient): Promise<void> {
  await client.query('delete from domain_gram_changes');
  await client.query('delete from domain_grams');
  const names = () => namesOf(client);
  const counter = createGramCounter();
  let total = 0;
  for await (const batch of names()) {
    total += batch.length;
    for (const name of batch) counter.add(name, 1);
  }
  const least = Math.max(fewest, Math.floor(total / share));
  const long = total < least ? new Map<string, number>() : await findFrequentGrams(names, counter, least);
  await pipeline(
    Readable.from(linesOf(total, counter.entries(), long)),
    client.query(copyFrom('copy domain_grams (gram, count) from stdin')),
  );
}

/** All names, those of some pages of the table at a time: one text for many names, because a row for each takes far longer. */
async function* namesOf(client: pg.PoolClient): AsyncGenerator<string[]> {
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
  }
}

/** The empty piece says of how many names the longer pieces were chosen. */
function* linesOf(
  total: number,
  short: Iterable<[string, number]>,
  long: Iterable<[string, number]>,
): Generator<string> {
  yield `\t${total}\n`;
  let chunk = '';
  for (const entries of [short, long]) {
    for (const [gram, count] of entries) {
      chunk += `${gram}\t${count}\n`;
      if (chunk.length < 65_536) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}
