import { sql } from 'kysely';
import type { HeldCells } from '#shared/blacklist/held.ts';
import { countRows, type Db, toLikePattern } from '../../platform/db/database.ts';

export interface NewRow {
  /** Rows with the same position belong together. */
  position: number;
  domain: string;
  sourceId: number;
  reason: string;
  cells: HeldCells;
}

/**
 * Reads rows from one parameter. They are sorted, so that two transactions that insert the same rows do not deadlock.
 */
const given = (rows: readonly NewRow[]) => sql`
  jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as given (position integer, domain text, "sourceId" integer, reason text, cells jsonb)
`;

/**
 * Inserts rows. A row with the domain and source of a stored one changes nothing.
 * @returns the number of positions with a row that waits for a decision
 */
export async function insertHeld(trx: Db, rows: readonly NewRow[], now: Date): Promise<number> {
  await sql`
    insert into held_listings (domain, source_id, reason, cells, held_at)
    select domain, "sourceId", reason, cells, ${now}::timestamptz from ${given(rows)}
    order by domain, "sourceId"
    on conflict do nothing
  `.execute(trx);
  const { rows: counts } = await sql<{ waiting: number }>`
    select count(distinct position) as waiting
    from ${given(rows)}
    join held_listings on held_listings.domain = given.domain and source_id = "sourceId"
    where rejected_at is null
  `.execute(trx);
  return counts[0]?.waiting ?? 0;
}

/** Returns the positions all of whose rows an admin rejected earlier. */
export async function findRejected(db: Db, rows: readonly NewRow[]): Promise<ReadonlySet<number>> {
  const { rows: rejected } = await sql<{ position: number }>`
    select position from ${given(rows)}
    left join held_listings on held_listings.domain = given.domain and source_id = "sourceId"
    group by position having bool_and(rejected_at is not null)
  `.execute(db);
  return new Set(rejected.map(({ position }) => position));
}

/** Inserts rows with different domains or sources. A row replaces a stored one and waits for a decision again. */
export async function replaceHeld(trx: Db, rows: readonly NewRow[], now: Date): Promise<void> {
  await sql`
    insert into held_listings (domain, source_id, reason, cells, held_at)
    select domain, "sourceId", reason, cells, ${now}::timestamptz from ${given(rows)}
    order by domain, "sourceId"
    on conflict (domain, source_id) do update set
      reason = excluded.reason, cells = excluded.cells, held_at = excluded.held_at, rejected_at = null
  `.execute(trx);
}

export type HeldRow = Awaited<ReturnType<typeof listHeld>>['rows'][number];

/** A page of the rows that wait for a decision, newest first, and the number of all that match. */
export async function listHeld(
  db: Db,
  { search, page, pageSize }: { search?: string | undefined; page: number; pageSize: number },
) {
  const waiting = db
    .selectFrom('held_listings')
    .innerJoin('sources', 'sources.id', 'held_listings.source_id')
    .where('rejected_at', 'is', null)
    .$if(Boolean(search), (query) => {
      const pattern = toLikePattern(search ?? '');
      return query.where(sql<boolean>`(domain ilike ${pattern} or sources.name ilike ${pattern})`);
    });
  const rows = await waiting
    .select(['held_listings.id', 'domain', 'sources.name as source', 'reason', 'held_at as heldAt'])
    .orderBy('held_at', 'desc')
    .orderBy('held_listings.id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();
  return { rows, total: await countRows(waiting) };
}

export type LockedRow = Awaited<ReturnType<typeof lockHeld>>[number];

/** Locks those of the rows that wait for a decision until the transaction ends. */
export async function lockHeld(trx: Db, ids: readonly number[]) {
  const waiting = trx
    .selectFrom('held_listings')
    .where(sql<boolean>`held_listings.id = any(${ids}::bigint[])`)
    .where('rejected_at', 'is', null)
    .orderBy('domain')
    .orderBy('held_listings.id');
  // A merge of sources that has to end first changes the source of the rows.
  await waiting.select('held_listings.id').forUpdate().execute();
  return await waiting
    .innerJoin('sources', 'sources.id', 'held_listings.source_id')
    .select(['held_listings.id', 'domain', 'sources.name as source', 'reason', 'cells'])
    .execute();
}

/** Locks the rows of domains until the transaction ends, rejected ones too. */
export async function lockHeldOfDomains(trx: Db, domains: readonly string[]): Promise<void> {
  await trx
    .selectFrom('held_listings')
    .select('id')
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .orderBy('domain')
    .orderBy('id')
    .forUpdate()
    .execute();
}

export async function rejectHeld(trx: Db, ids: readonly number[], now: Date): Promise<void> {
  await trx
    .updateTable('held_listings')
    .set({ rejected_at: now })
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

export async function deleteHeld(trx: Db, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('held_listings').where(sql<boolean>`id = any(${ids}::bigint[])`).execute();
}
