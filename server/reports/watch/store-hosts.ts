import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { Block } from './host-blocks.ts';

/** Separates the blocks of a parameter. */
export const blockSeparator = '\u001e';

/**
 * Makes those who change the hosts of the same website do it one after the other.
 * @returns false if the website has no owner
 */
export async function lockOwnedWebsite(trx: Db, websiteId: number): Promise<boolean> {
  const query = trx.selectFrom('websites').select('user_id').where('id', '=', websiteId).forNoKeyUpdate();
  return (await query.executeTakeFirst())?.user_id != null;
}

/** Yields the rows of a query in pages. */
export async function* fetchPages<Row>(
  trx: Db,
  cursor: string,
  query: RawBuilder<Row>,
  pageSize: number,
): AsyncGenerator<Row[]> {
  await sql`declare ${sql.id(cursor)} no scroll cursor for ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(pageSize)} from ${sql.id(cursor)}`.execute(trx);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) break;
  }
  await sql`close ${sql.id(cursor)}`.execute(trx);
}

/** Blocks that are read or written by one statement: about two megabytes. */
export const blocksPerPage = 512;

/** A block, without what follows from its body. */
export interface StoredBlock {
  bucket: number;
  body: string;
}

/** Returns the next blocks of a website. */
export function listBlocks(db: Db, websiteId: number, after: number): Promise<StoredBlock[]> {
  return db
    .selectFrom('website_host_blocks')
    .select(['bucket', 'body'])
    .where('website_id', '=', websiteId)
    .where('bucket', '>', after)
    .orderBy('bucket')
    .limit(blocksPerPage)
    .execute();
}

/** Returns the first bucket of a website; undefined if it has no hosts. */
export async function findFirstBucket(db: Db, websiteId: number): Promise<number | undefined> {
  const query = db.selectFrom('website_host_blocks').select('bucket').where('website_id', '=', websiteId);
  return (await query.orderBy('bucket').limit(1).executeTakeFirst())?.bucket;
}

/** Returns the number of hosts of a website, with those that an earlier version stored. */
export async function countHosts(db: Db, websiteId: number): Promise<number> {
  const { rows } = await sql<{ hosts: number }>`
    select coalesce((select sum(host_count) from website_host_blocks where website_id = ${websiteId}), 0)
      + (select count(*) from website_hosts where website_id = ${websiteId}) as hosts
  `.execute(db);
  return rows[0]?.hosts ?? 0;
}

/** Adds blocks to a website, or replaces them. Each has at least one host. */
export async function upsertBlocks(trx: Db, websiteId: number, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return;
  const buckets = blocks.map(({ bucket }) => bucket);
  const counts = blocks.map(({ hostCount }) => hostCount);
  const oldestDays = blocks.map(({ oldestDay }) => oldestDay);
  const bodies = blocks.map(({ body }) => body).join(blockSeparator);
  await sql`
    insert into website_host_blocks (website_id, bucket, host_count, oldest_day, body)
    select ${websiteId}, bucket, host_count, date '1970-01-01' + oldest_day, body
    from unnest(
      ${buckets}::integer[], ${counts}::integer[], ${oldestDays}::integer[],
      string_to_array(${bodies}, ${blockSeparator})
    ) as block (bucket, host_count, oldest_day, body)
    on conflict (website_id, bucket) do update
    set host_count = excluded.host_count, oldest_day = excluded.oldest_day, body = excluded.body
  `.execute(trx);
}

/** Deletes blocks of a website, by default all of them. */
export async function deleteBlocks(trx: Db, websiteId: number, blocks?: readonly Block[]): Promise<void> {
  const buckets = blocks?.map(({ bucket }) => bucket);
  await trx
    .deleteFrom('website_host_blocks')
    .where('website_id', '=', websiteId)
    .$if(buckets !== undefined, (query) => query.where(sql<boolean>`bucket = any(${buckets}::integer[])`))
    .execute();
}

/** Counts the hosts of a website, and stores the number. @returns the number */
export async function updateHostCount(trx: Db, websiteId: number): Promise<number> {
  const { rows } = await sql<{ hosts: number }>`
    insert into watches (website_id, hosts)
    select ${websiteId}, coalesce(sum(host_count), 0) from website_host_blocks where website_id = ${websiteId}
    on conflict (website_id) do update set hosts = excluded.hosts
    returning hosts
  `.execute(trx);
  return rows[0]?.hosts ?? 0;
}

/** Returns the websites with hosts that no export had since a day. */
export async function listWebsitesWithOldHosts(db: Db, day: number): Promise<number[]> {
  const { rows } = await sql<{ websiteId: number }>`
    select distinct website_id as "websiteId" from website_host_blocks where oldest_day < date '1970-01-01' + ${day}::integer
  `.execute(db);
  return rows.map(({ websiteId }) => websiteId);
}

/** Deletes up to `limit` rows with hosts of a deleted website. @returns how many */
export async function deleteHostRows(
  trx: Db,
  table: 'website_host_blocks' | 'website_hosts',
  websiteId: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where website_id = ${websiteId} limit ${limit}
    ))
  `.execute(trx);
  return Number(numAffectedRows);
}
