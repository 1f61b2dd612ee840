import { sql } from 'kysely';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';
import { unfinished } from '../../platform/jobs/runs.ts';

/** A source, as far as its listings need it. */
export interface Source {
  id: number;
  name: string;
  kind: SourceKind;
  familyId: number | null;
}

/** A moment in the history of changes of sources. */
export interface SourceVersion {
  lastRunId: number;
  /** Merges that have not finished. */
  openMerges: number[];
}

/** A source whose name in the texts of domains is replaced by the source's current name. */
export interface ReplacedName {
  from: string;
  /** The source that the name belongs to now. */
  sourceId: number;
}

/**
 * Computes everything that domains store about their active listings: the sources, the number of copies, the proof and
 * the risk level. A level set by hand stays. Sources that were among them keep their places, and the others
 * follow in the order in which they first listed the domain. Domains that do not change are not written, and those
 * without an active listing stay as they are. `updated_at` changes with the risk level only, and in an edit with
 * anything.
 */
export async function refreshDomains(
  trx: Db,
  names: readonly string[],
  now: Date,
  { replaced, isEdit = false }: { replaced?: ReplacedName | undefined; isEdit?: boolean } = {},
): Promise<void> {
  await lockDomains(trx, names);
  await sql`
    with listed as materialized (
      select domains.id, sources.name, independent_source(sources.name, sources.family_id) as independent,
        listing_proof(sources.kind, listings.price, listings.evidence_url, gone.name is not null) as proof,
        coalesce(
          array_position(domains.source, sources.name),
          case when sources.id = ${replaced?.sourceId ?? 0}::integer then array_position(domains.source, ${replaced?.from ?? ''}::text) end
        ) as place,
        listings.first_seen_at, sources.id as source_id
      from domains
      join listings on listings.name = domains.name and listings.withdrawn_at is null
      join sources on sources.id = listings.source_id
      left join evidence_proofs as gone on gone.is_gone and gone.name = listings.name
        and gone.source_id = listings.source_id and gone.url = listings.evidence_url
      where domains.name = any(${names}::text[])
    ),
    counted as (
      select id, array_agg(name order by place, first_seen_at, source_id) as source, count(*) as sources,
        count_independent(count(distinct independent)) as independent, max(proof) as proof
      from listed group by id
    ),
    target as (
      select counted.id, counted.source, sources - independent as copies, counted.proof,
        case when domains.risk_given then domains.risk_level else counted_risk(independent) end as risk_level
      from counted join domains using (id)
    )
    update domains set source = target.source, copies = target.copies, proof = target.proof, risk_level = target.risk_level,
      updated_at = case when domains.risk_level <> target.risk_level or ${isEdit} then ${now} else domains.updated_at end
    from target
    where domains.id = target.id and (
      domains.source <> target.source or domains.copies <> target.copies or domains.proof <> target.proof
      or domains.risk_level <> target.risk_level
    )
  `.execute(trx);
}

/**
 * Returns how many of the sources of each list are independent, and the risk level that follows, 1 to 4, in the order
 * of the lists. A name without a source counts as a source of its own.
 */
export async function countIndependent(
  db: Db,
  lists: readonly (readonly string[])[],
): Promise<{ independent: number; risk: number }[]> {
  const listed = lists.flatMap((names, list) => names.map((name) => ({ list, name })));
  const { rows } = await sql<{ independent: number; risk: number }>`
    select independent, counted_risk(independent) as risk
    from (
      select list, count_independent(count(distinct independent_source(listed.name, family_id))) as independent
      from unnest(${listed.map(({ list }) => list)}::integer[], ${listed.map(({ name }) => name)}::text[]) as listed (list, name)
      left join sources on sources.name = listed.name
      group by list
    ) as counted
    order by list
  `.execute(db);
  return rows;
}

/**
 * Locks domains until the transaction ends. Transactions lock domains first, then listings, then sources, so that they
 * never wait for each other in a circle.
 */
export async function lockDomains(trx: Db, names: readonly string[]): Promise<void> {
  await sql`select from domains where name = any(${names}::text[]) order by name for update`.execute(trx);
}

/** Returns the current version, to compare later with `haveSourcesChanged`. */
export async function getSourceVersion(db: Db): Promise<SourceVersion> {
  const { rows } = await sql<SourceVersion>`
    select coalesce(max(id), 0)::bigint as "lastRunId",
      coalesce(array_agg(id::integer) filter (where into_id is not null and status in (${sql.join(unfinished)})), '{}') as "openMerges"
    from source_runs
  `.execute(db);
  return rows[0] ?? { lastRunId: 0, openMerges: [] };
}

/** Whether a source was renamed or merged, or got another kind or family, since a version. */
export async function haveSourcesChanged(db: Db, { lastRunId, openMerges }: SourceVersion): Promise<boolean> {
  const { rows } = await sql`
    select from source_runs
    where id > ${lastRunId} or id = any(${openMerges}::bigint[]) and status not in (${sql.join(unfinished)})
    limit 1
  `.execute(db);
  return rows.length > 0;
}

/** SQL for the number of domains of a row of `sources`. */
export const domainCount = sql<number>`(
  select coalesce(sum(delta), 0)::bigint from domain_counts
  where facet = 'source' and key in (
    select sources.name
    union select old_name from source_runs
    where status in (${sql.join(unfinished)}) and into_id is null and source_ids = array[sources.id]
  )
)`;

/**
 * Returns the sources with these names, ignoring case, by the given names. An earlier name of a source counts if no
 * source has it now. Names without a source are absent.
 */
export async function findSources(db: Db, names: readonly string[]): Promise<Map<string, Source>> {
  const { rows } = await sql<Source & { given: string }>`
    with named as materialized (
      select given, sources.id as source_id from unnest(${names}::text[]) as given
      join sources on lower(name collate "default") = lower(given collate "default")
    ),
    found as (
      select * from named
      union all
      select given, source_id from unnest(${names}::text[]) as given
      join source_aliases on lower(name collate "default") = lower(given collate "default")
      where given not in (select given from named)
    )
    select given, id, name, kind, family_id as "familyId" from found join sources on id = source_id
  `.execute(db);
  return new Map(rows.map(({ given, ...source }) => [given, source]));
}

/**
 * Inserts sources. Names that exist, ignoring case, are left unchanged. Of several spellings, the first is inserted.
 * Always inserts in the same order, so that two transactions cannot deadlock.
 * @returns the number of new sources
 */
export async function insertSources(db: Db, sources: readonly { name: string; kind: SourceKind }[]): Promise<number> {
  if (sources.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into sources (name, kind)
    select distinct on (lower(name collate "default")) name, kind
    from unnest(${sources.map(({ name }) => name)}::text[], ${sources.map(({ kind }) => kind)}::text[])
      with ordinality as given (name, kind, place)
    order by lower(name collate "default"), place
    on conflict do nothing
  `.execute(db);
  return Number(numAffectedRows);
}

/** Sets the kind of sources that have the default kind, `manual`. @returns the ids of those that changed */
export async function updateManualKinds(db: Db, kinds: readonly { id: number; kind: SourceKind }[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with given as (
      select * from unnest(${kinds.map(({ id }) => id)}::integer[], ${kinds.map(({ kind }) => kind)}::text[]) as given (id, kind)
      where kind <> 'manual'
    ),
    changed as materialized (
      -- A form that lists by one of them has to end first: see lockSourcesForListing.
      select id, given.kind from sources join given using (id) where sources.kind = 'manual' order by id for update of sources
    )
    update sources set kind = changed.kind from changed where sources.id = changed.id returning sources.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Records that sources were seen listing a domain. Leaves out those that another transaction has locked, which is doing
 * the same: waiting for it could deadlock.
 */
export async function updateLastSeen(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update sources set
      first_seen_at = least(first_seen_at, ${now}::timestamptz),
      last_seen_at = greatest(last_seen_at, ${now}::timestamptz)
    where id in (select id from sources where id = any(${ids}::integer[]) for no key update skip locked)
  `.execute(db);
}

/** Withdraws the active listings of names, except those by the sources to keep. They remain as history. */
export async function withdrawListings(
  db: Db,
  names: readonly string[],
  now: Date,
  keep: readonly number[] = [],
): Promise<void> {
  await sql`
    update listings set withdrawn_at = ${now}
    where name = any(${names}::text[]) and withdrawn_at is null and source_id <> all(${keep}::integer[])
  `.execute(db);
}

/**
 * Withdraws the active listings of names by one source. They remain as history.
 * @returns the names of these listings
 */
export async function withdrawListingsOf(
  db: Db,
  sourceId: number,
  names: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update listings set withdrawn_at = ${now}
    where name = any(${names}::text[]) and source_id = ${sourceId} and withdrawn_at is null
    returning name
  `.execute(db);
  return rows.map(({ name }) => name);
}
