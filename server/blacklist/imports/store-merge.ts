import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RawBuilder, sql } from 'kysely';
import { toRiskNumber } from '#shared/blacklist/domains.ts';
import { formatCopyRow } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import type { StagedRow } from './file-row.ts';

/** Columns of the staged rows that do not depend on each other, in the order of `toStagedLine`. */
const commonColumns =
  'line, name, tld, source, source_ids, risk_level, description, source_details, notes, niche, domain_rating, outbound_links, cost, evidence_url';

/** Creates an empty table for staged rows. It exists until the transaction ends. */
export async function prepareMerge(trx: Db): Promise<void> {
  // For the rest of the transaction: sort in memory, skip JIT compilation, and let the backend notice when its client
  // has died.
  await sql`set local work_mem = '64MB'`.execute(trx);
  await sql`set local jit = off`.execute(trx);
  await sql`set local client_connection_check_interval = '2s'`.execute(trx);
  await sql`
    create temporary table staged_rows (
      line bigint not null,
      name text collate "C" not null,
      tld text collate "C" not null,
      source text[] collate "C" not null,
      source_ids integer[] not null,
      kind text not null,
      risk_level smallint,
      description text,
      source_details text,
      notes text,
      niche text collate "C",
      domain_rating smallint,
      outbound_links integer,
      cost text,
      evidence_url text
    ) on commit drop
  `.execute(trx);
}

/** Stages rows in the order in which they come. */
export async function stageRows(
  copyFrom: (statement: string) => Writable,
  batches: AsyncIterable<readonly StagedRow[]>,
): Promise<void> {
  async function* lines() {
    for await (const rows of batches) yield rows.map(toStagedLine).join('');
  }
  await pipeline(lines, copyFrom(`copy staged_rows (kind, ${commonColumns}) from stdin`));
}

function toStagedLine({ row, source, sourceIds, kind }: StagedRow): string {
  return formatCopyRow([
    kind,
    row.line,
    row.name,
    row.tld,
    source,
    sourceIds,
    row.riskLevel && toRiskNumber(row.riskLevel),
    row.description,
    row.sourceDetails,
    row.notes,
    row.niche,
    row.domainRating,
    row.outboundLinks,
    row.cost,
    row.evidenceUrl,
  ]);
}

/**
 * Creates the table `staged_domains` from the staged rows, sorted by name, so that a slice changes few pages of the
 * indexes by name. Rows with the same name become one row: all their sources in the order of first mention, and the
 * last known value of every other field. `insertRepeatedListings` needs the original rows, because each source has the
 * evidence of its own row.
 * @returns whether names are repeated
 */
export async function sortStagedRows(trx: Db): Promise<boolean> {
  await sql`
    create temporary table repeated_names on commit drop as
    select name from staged_rows group by name having count(*) > 1
  `.execute(trx);
  const { rows } = await sql`select from repeated_names limit 1`.execute(trx);
  const hasRepeatedNames = rows.length > 0;
  if (hasRepeatedNames) await sql`analyze repeated_names`.execute(trx);
  await sql`
    create temporary table staged_domains on commit drop as
    ${hasRepeatedNames ? unitedRows : sql`select ${sql.raw(commonColumns)}, ${proof} as proof from staged_rows`}
    order by name
  `.execute(trx);
  // Frees its disk space at once, because this transaction has created it.
  if (!hasRepeatedNames) await sql`truncate staged_rows`.execute(trx);
  return hasRepeatedNames;
}

/** What a row with one source pays for a link is the price of its listing. */
const price = sql`case when cardinality(source_ids) = 1 then cost end`;
const proof = sql`listing_proof(kind, ${price}, evidence_url)`;

const lastKnown = (column: string) =>
  sql`(array_agg(${sql.ref(column)} order by line desc) filter (where ${sql.ref(column)} is not null))[1]`;

/** Selects the staged rows, with one row for each repeated name. */
const unitedRows = sql`
  with repeated as materialized (select * from staged_rows where name in (select name from repeated_names)),
  sources as (
    select name, array_agg(one order by line, place) as source
    from (
      select distinct on (name, one) name, one, line, place
      from repeated, unnest(source) with ordinality as part (one, place)
      order by name, one, line, place
    ) as firsts
    group by name
  ),
  cells as (
    select min(line) as line, name, min(tld) as tld, '{}'::integer[] as source_ids, max(${proof}) as proof,
      ${lastKnown('evidence_url')} as evidence_url, ${lastKnown('risk_level')} as risk_level,
      ${lastKnown('description')} as description, ${lastKnown('source_details')} as source_details,
      ${lastKnown('notes')} as notes, ${lastKnown('niche')} as niche, ${lastKnown('domain_rating')} as domain_rating,
      ${lastKnown('outbound_links')} as outbound_links, ${lastKnown('cost')} as cost
    from repeated
    group by name
  )
  select ${sql.raw(commonColumns)}, proof from cells join sources using (name)
  union all
  select ${sql.raw(commonColumns)}, ${proof} from staged_rows as s
  where not exists (select from repeated_names as r where r.name = s.name)
`;

/** @returns the number of staged rows, and of the table pages that contain them */
export async function measureStaging(trx: Db): Promise<{ rows: number; pages: number }> {
  await sql`analyze staged_domains`.execute(trx);
  const { rows } = await sql<{ rows: number; pages: number }>`
    select (select count(*) from staged_domains) as rows,
      pg_relation_size('staged_domains') / current_setting('block_size')::int as pages
  `.execute(trx);
  return rows[0] ?? { rows: 0, pages: 0 };
}

/** A range of pages of `staged_domains`: from `first` up to, but not including, `end`. */
export interface Slice {
  first: number;
  end: number;
}

/**
 * How many domains a slice updates and inserts. `isComplete` is false if other transactions changed some of them
 * meanwhile, so that they were not written. A dry run writes nothing and is always complete.
 */
interface MergedSlice {
  updated: number;
  inserted: number;
  /** The inserted names. */
  names: string[];
  isComplete: boolean;
}

interface WriteOptions {
  addedBy: string | null;
  now: Date;
  dryRun: boolean;
}

/** Columns whose value a row replaces if it has one. */
const cells = ['description', 'source_details', 'notes', 'niche', 'domain_rating', 'outbound_links', 'cost'];

/**
 * Updates listed domains with the staged rows of a slice, and inserts those that are not listed. Domains that would not
 * change are not written. A domain whose name or sources change while this waits for it is not written either, because
 * its new sources are not known yet.
 */
export async function mergeSlice(trx: Db, slice: Slice, { addedBy, now, dryRun }: WriteOptions): Promise<MergedSlice> {
  const given = sql`(d.risk_given or s.risk_level is not null)`;
  const risk = sql`coalesce(s.risk_level, case when d.risk_given then d.risk_level else s.merged_risk end)`;
  const update = sql`
    update domains as d set
      source = s.merged, copies = s.copies, proof = greatest(d.proof, s.proof), risk_level = ${risk}, risk_given = ${given},
      ${sql.join(cells.map((cell) => sql`${sql.ref(cell)} = coalesce(s.${sql.ref(cell)}, d.${sql.ref(cell)})`))},
      updated_at = ${now}
    from changed as s
    where d.id = s.id and d.name = s.name and d.source = s.listed_source
    returning 1`;
  const insert = sql`
    insert into domains (
      name, tld, source, copies, proof, risk_level, risk_given, ${sql.join(cells.map((cell) => sql.ref(cell)))},
      added_by, added_at, updated_at
    )
    select name, tld, source, copies, proof, coalesce(risk_level, merged_risk), risk_level is not null,
      ${sql.join(cells.map((cell) => sql.ref(cell)))}, ${addedBy}, ${now}::timestamptz, ${now}::timestamptz
    from unlisted
    order by name
    on conflict (name) do nothing
    returning name`;
  const count = (rows: RawBuilder<unknown>) => sql`(select count(*) from ${rows})`;
  const [wantedUpdates, wantedInserts] = [count(sql`changed`), count(sql`unlisted`)];
  const [updated, inserted] = dryRun ? [wantedUpdates, wantedInserts] : [count(sql`updated`), count(sql`inserted`)];
  const { rows } = await sql<Omit<MergedSlice, 'names'> & { names: string | null }>`
    with rows as materialized (
      select s.*, d.id, d.source as listed_source, d.copies as listed_copies,
        case when d.id is null then s.source else ${mergedSources('d.source', 's.source')} end as merged,
        d.proof < s.proof or ${given} <> d.risk_given
          or coalesce(s.risk_level, d.risk_level) <> d.risk_level
          or ${sql.join(
            cells.map(
              (cell) => sql`s.${sql.ref(cell)} <> d.${sql.ref(cell)} is not false and s.${sql.ref(cell)} is not null`,
            ),
            sql` or `,
          )} as has_new_cells,
        case when d.risk_given then null else d.risk_level end as counted_risk
      from staged_domains as s left join domains as d on d.name = s.name
      where ${inSlice(slice)}
    ),
    lists as materialized (
      select merged, count(*) as sources, count_independent(count(distinct independent_source(one, family_id))) as independent
      from (select distinct merged from rows) as lists
      cross join unnest(merged) as one
      left join sources on sources.name = one
      group by merged
    ),
    counted as materialized (
      select rows.*, sources - independent as copies, counted_risk(independent) as merged_risk
      from rows join lists using (merged)
    ),
    changed as materialized (
      select * from counted
      where id is not null and (
        has_new_cells or listed_source <> merged or listed_copies <> copies
          or (risk_level is null and counted_risk <> merged_risk)
      )
    ),
    unlisted as materialized (select * from counted where id is null)
    ${dryRun ? sql`` : sql`, updated as (${update}), inserted as (${insert})`}
    select ${updated} as updated, ${inserted} as inserted,
      ${dryRun ? sql`null` : sql`(select string_agg(name, ' ') from inserted)`} as names,
      ${updated} + ${inserted} = ${wantedUpdates} + ${wantedInserts} as "isComplete"
  `.execute(trx);
  const [merged] = rows;
  if (!merged) throw new Error('A slice was merged without a result.');
  // One text is read faster than a row for each name.
  return { ...merged, names: merged.names?.split(' ') ?? [] };
}

/**
 * Makes the listings of the staged rows of a slice active. Rows with repeated names are left to
 * `insertRepeatedListings`.
 */
export async function upsertListings(trx: Db, slice: Slice, now: Date): Promise<void> {
  await sql`
    insert into listings (name, source_id, first_seen_at, last_seen_at, price, evidence_url)
    select s.name, source_id, ${now}::timestamptz, ${now}::timestamptz,
      ${price}, s.evidence_url
    from staged_domains as s, unnest(s.source_ids) as source_id
    where ${inSlice(slice)}
    order by s.name
    ${onListed}
  `.execute(trx);
}

/** Makes the listings of rows with repeated names active, each with the evidence of the last row that has some. */
export async function insertRepeatedListings(trx: Db, now: Date): Promise<void> {
  await sql`
    insert into listings (name, source_id, first_seen_at, last_seen_at, price, evidence_url)
    select name, source_id, ${now}::timestamptz, ${now}::timestamptz, ${lastKnown('price')}, ${lastKnown('evidence_url')}
    from (
      select *, ${price} as price
      from staged_rows where name in (select name from repeated_names)
    ) as repeated, unnest(source_ids) as source_id
    group by name, source_id
    order by name
    ${onListed}
  `.execute(trx);
}

/**
 * A listing that is seen again becomes active. The row's evidence replaces that of an active listing where it has some,
 * and all evidence of a withdrawn one, which proves nothing about the new listing.
 */
const onListed = sql`
  on conflict (name, source_id) do update set
    last_seen_at = excluded.last_seen_at,
    withdrawn_at = null,
    price = coalesce(excluded.price, case when listings.withdrawn_at is null then listings.price end),
    evidence_url = coalesce(excluded.evidence_url, case when listings.withdrawn_at is null then listings.evidence_url end),
    note = case when listings.withdrawn_at is null then listings.note end
  where listings.withdrawn_at is not null
    or listings.last_seen_at < excluded.last_seen_at - interval '1 day'
    or coalesce(excluded.price, listings.price) is distinct from listings.price
    or coalesce(excluded.evidence_url, listings.evidence_url) is distinct from listings.evidence_url
`;

/** Updates the planner's statistics of the blacklist and its listings. */
export async function analyzeDomains(db: Db): Promise<void> {
  await sql`analyze domains, listings`.execute(db);
}

const inSlice = ({ first, end }: Slice) => sql`s.ctid >= ${`(${first},0)`}::tid and s.ctid < ${`(${end},0)`}::tid`;

/**
 * Returns SQL that merges two lists of sources without duplicates. The two most frequent cases, that nothing or one
 * source is added, do not unnest them.
 */
function mergedSources(listed: string, added: string): RawBuilder<string[]> {
  const [a, b] = [sql.ref(listed), sql.ref(added)];
  return sql`case
    when ${a} = ${b} or ${a} @> ${b} then ${a}
    when cardinality(${b}) = 1 then ${a} || ${b}
    else (
      select array_agg(one order by place) from (
        select distinct on (one) one, place from unnest(${a} || ${b}) with ordinality as part (one, place)
        order by one, place
      ) as firsts
    )
  end`;
}
