import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RawBuilder, sql } from 'kysely';
import { formatCopyRow } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { deleteReview, type RefreshedFeed } from './store-runs.ts';

// The tables of a transaction that applies a copy of a list: feed_copy: the names of the copy. new_names: those of them
// that the source does not list, or that are not protected yet. withdrawn_names: those that two copies in a row do not
// have.

interface ListedName {
  name: string;
  tld: string;
}

const tldOf = sql`split_part(name, '.', -1)`;

const isListedBy = (sourceId: number, name: RawBuilder<unknown>) => sql<boolean>`exists (
  select from listings where listings.name = ${name} and source_id = ${sourceId} and withdrawn_at is null
)`;

/** Creates the table `feed_copy` from batches of names, which may be repeated. */
export async function stageCopy(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  batches: AsyncIterable<readonly ListedName[]>,
): Promise<void> {
  await sql`create temporary table feed_lines (name text collate "C" not null, tld text collate "C" not null) on commit drop`.execute(
    trx,
  );
  async function* lines() {
    for await (const names of batches) yield names.map(({ name, tld }) => formatCopyRow([name, tld])).join('');
  }
  await pipeline(lines, copyFrom('copy feed_lines (name, tld) from stdin'));
  await createCopy(trx, sql`select distinct name, tld from feed_lines`);
}

/** Creates the table `feed_copy` from the last good copy. */
export function stageLastCopy(trx: Db, feedId: number): Promise<void> {
  return createCopy(trx, sql`select name, ${tldOf} as tld from feed_names where feed_id = ${feedId} and not missed`);
}

/** Creates the table `feed_copy` from the copy of a run that waited for a review. */
export function stageReviewedCopy(trx: Db, runId: number): Promise<void> {
  return createCopy(trx, sql`select name, ${tldOf} as tld from feed_copies where run_id = ${runId}`);
}

async function createCopy(trx: Db, names: ReturnType<typeof sql>): Promise<void> {
  await sql`set local work_mem = '64MB'`.execute(trx);
  await sql`set local jit = off`.execute(trx);
  await sql`create temporary table feed_copy on commit drop as ${names}`.execute(trx);
  await sql`create unique index on feed_copy (name)`.execute(trx);
  await sql`analyze feed_copy`.execute(trx);
}

/**
 * Returns the number of names in the copy, in the last good copy, and in the last good copy but not in this one.
 */
export async function compareCopies(
  trx: Db,
  feedId: number,
): Promise<{ size: number; lastSize: number; missing: number }> {
  const { rows } = await sql<{ size: number; lastSize: number; missing: number }>`
    select (select count(*) from feed_copy) as size, count(*) as "lastSize",
      count(*) filter (where not exists (select from feed_copy where feed_copy.name = feed_names.name)) as missing
    from feed_names where feed_id = ${feedId} and not missed
  `.execute(trx);
  return rows[0] ?? { size: 0, lastSize: 0, missing: 0 };
}

/**
 * Saves the copy for a review, with the names that it would add and remove. Names in the review queue are not removed,
 * because they are not listed.
 * @returns the numbers of these names, and whether an earlier attempt of the run had saved its copy
 */
export async function saveForReview(
  trx: Db,
  runId: number,
  { id: feedId, source }: Pick<RefreshedFeed, 'id' | 'source'>,
): Promise<{ added: number; removed: number; isRepeated: boolean }> {
  const isRepeated = await deleteReview(trx, runId);
  await sql`insert into feed_copies (run_id, name) select ${runId}, name from feed_copy`.execute(trx);
  const added = await sql`
    insert into feed_changes (run_id, is_removed, name)
    select ${runId}, false, name from feed_copy
    where not exists (select from feed_names where feed_id = ${feedId} and feed_names.name = feed_copy.name)
  `.execute(trx);
  const removed = await sql`
    insert into feed_changes (run_id, is_removed, name)
    select ${runId}, true, name from feed_names
    where feed_id = ${feedId} and not exists (select from feed_copy where feed_copy.name = feed_names.name)
      ${source ? sql`and ${isListedBy(source.id, sql.ref('feed_names.name'))}` : sql``}
  `.execute(trx);
  return { added: Number(added.numAffectedRows), removed: Number(removed.numAffectedRows), isRepeated };
}

/**
 * Makes the copy the last good one. Names that it does not have are marked as missed; those that were marked before, or
 * all of them with `isAccepted`, become the table `withdrawn_names`.
 * @returns the number of withdrawn names
 */
export async function replaceNames(trx: Db, feedId: number, isAccepted: boolean): Promise<number> {
  await sql`
    create temporary table withdrawn_names on commit drop as
    select name from feed_names
    where feed_id = ${feedId} and (missed or ${isAccepted})
      and not exists (select from feed_copy where feed_copy.name = feed_names.name)
  `.execute(trx);
  await sql`
    delete from feed_names using withdrawn_names
    where feed_id = ${feedId} and feed_names.name = withdrawn_names.name
  `.execute(trx);
  await sql`
    update feed_names set missed = true
    where feed_id = ${feedId} and not missed and not exists (select from feed_copy where feed_copy.name = feed_names.name)
  `.execute(trx);
  await sql`
    update feed_names set missed = false from feed_copy
    where feed_id = ${feedId} and missed and feed_names.name = feed_copy.name
  `.execute(trx);
  await sql`
    insert into feed_names (feed_id, name) select ${feedId}, name from feed_copy on conflict do nothing
  `.execute(trx);
  await sql`analyze feed_names`.execute(trx);
  return await countRows(trx, 'withdrawn_names');
}

/** Creates the table `new_names` with the names of the copy that the source does not list. @returns their number */
export async function stageNewNames(trx: Db, sourceId: number): Promise<number> {
  await sql`
    create temporary table new_names on commit drop as
    select name, tld from feed_copy
    where not ${isListedBy(sourceId, sql.ref('feed_copy.name'))}
  `.execute(trx);
  await sql`create unique index on new_names (name)`.execute(trx);
  return await countRows(trx, 'new_names');
}

/**
 * Creates the table `new_names` with the names of the copy that a list did not protect before.
 * @returns their number
 */
export async function stageUnprotectedNames(trx: Db, feedId: number): Promise<number> {
  await sql`
    create temporary table new_names on commit drop as
    select name, tld from feed_copy
    where not exists (select from feed_names where feed_id = ${feedId} and feed_names.name = feed_copy.name)
  `.execute(trx);
  return await countRows(trx, 'new_names');
}

async function countRows(trx: Db, table: 'new_names' | 'withdrawn_names'): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Yields the names of a table of the transaction in batches. */
export async function* readNames(
  trx: Db,
  table: 'new_names' | 'withdrawn_names',
  limit: number,
): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(table)} where name > ${after} order by name limit ${limit}
    `.execute(trx);
    if (rows.length === 0) return;
    const names = rows.map(({ name }) => name);
    after = names.at(-1) ?? '';
    yield names;
  }
}

/** Removes names from the table `new_names`. */
export async function removeNewNames(trx: Db, names: readonly string[]): Promise<void> {
  await sql`delete from new_names where name = any(${names}::text[])`.execute(trx);
}

/**
 * Removes listings from the review queue that need no decision any more: those that the guard lets pass now, and those
 * that the list no longer has.
 */
export async function deleteSettledHeld(trx: Db, sourceId: number): Promise<void> {
  await sql`
    delete from held_listings
    where source_id = ${sourceId} and rejected_at is null
      and domain in (select name from new_names union all select name from withdrawn_names)
  `.execute(trx);
}

/** Removes names from the table `withdrawn_names` that the source does not list. */
export async function keepListed(trx: Db, sourceId: number): Promise<void> {
  await sql`
    delete from withdrawn_names
    where not ${isListedBy(sourceId, sql.ref('withdrawn_names.name'))}
  `.execute(trx);
}

/** Updates when the source was last seen listing the names of the copy, at most twice a day. */
export async function updateSeen(trx: Db, sourceId: number, now: Date): Promise<void> {
  await sql`
    update listings set last_seen_at = ${now}
    from feed_copy
    where listings.name = feed_copy.name and source_id = ${sourceId} and withdrawn_at is null
      and last_seen_at not between ${now}::timestamptz - interval '12 hours' and ${now}::timestamptz + interval '12 hours'
  `.execute(trx);
}

/** Records the names of a table as changes of a run. */
export async function insertChanges(
  trx: Db,
  runId: number,
  table: 'new_names' | 'withdrawn_names',
  isRemoved: boolean,
): Promise<void> {
  await sql`
    insert into feed_changes (run_id, is_removed, name)
    select ${runId}, ${isRemoved}, name from ${sql.table(table)}
    on conflict do nothing
  `.execute(trx);
}
