import { sql } from 'kysely';
import { communitySource } from '#shared/blacklist/submissions.ts';
import type { Db } from '../../platform/db/database.ts';
import { riskBySourceCount } from './risk.ts';

/** A source whose name in the texts of domains is replaced by the source's current name. */
export interface ReplacedName {
  from: string;
  /** The source that the name belongs to now. */
  sourceId: number;
}

/**
 * Locks domains until the transaction ends. Transactions lock domains first, then listings, then sources, so that they
 * never wait for each other in a circle.
 */
export async function lockDomains(trx: Db, names: readonly string[]): Promise<void> {
  await sql`select from domains where name = any(${names}::text[]) order by name for update`.execute(trx);
}

/**
 * Computes everything that domains store about their active listings: the text of sources, the number of copies (as
 * `countCopies` does), the proof and the risk level. A level set by hand stays. Sources that were in the text keep their places, and the others
 * follow in the order in which they first listed the domain. Domains that do not change are not written, and those
 * without an active listing stay as they are. `updated_at` changes with the risk level only.
 */
export async function refreshDomains(
  trx: Db,
  names: readonly string[],
  now: Date,
  replaced: ReplacedName = { from: '', sourceId: 0 },
): Promise<void> {
  await lockDomains(trx, names);
  const steps = riskBySourceCount.length;
  await sql`
    with place as materialized (
      select domains.id, sources.name, case when lower(sources.name) <> ${communitySource} then coalesce(-sources.family_id, sources.id) end as independent,
        case when sources.kind not in ('inventory', 'submission') then 0
          when listings.price is not null or listings.evidence_url is not null then 2 else 1 end as proof,
        coalesce(
          array_position(parts, sources.name),
          case when sources.id = ${replaced.sourceId}::integer then array_position(parts, ${replaced.from}::text collate "C") end
        ) as place,
        listings.first_seen_at, sources.id as source_id
      from domains
      cross join lateral string_to_array(domains.source, ', ') as parts
      join listings on listings.name = domains.name and listings.withdrawn_at is null
      join sources on sources.id = listings.source_id
      where domains.name = any(${names}::text[])
    ),
    derived as (
      select id, string_agg(name, ', ' order by place, first_seen_at, source_id) as source,
        greatest(count(distinct independent), 1) as independent,
        count(*) - greatest(count(distinct independent), 1) as copies, max(proof) as proof
      from place group by id
    ),
    target as (
      select derived.id, derived.source, derived.copies, derived.proof,
        case when domains.risk_given then domains.risk_level
          else (${riskBySourceCount}::smallint[])[least(independent, ${steps}::bigint)] end as risk_level
      from derived join domains using (id)
    )
    update domains set source = target.source, copies = target.copies, proof = target.proof, risk_level = target.risk_level,
      updated_at = case when domains.risk_level = target.risk_level then domains.updated_at else ${now}::timestamptz end
    from target
    where domains.id = target.id and (
      domains.source <> target.source or domains.copies <> target.copies or domains.proof <> target.proof
      or domains.risk_level <> target.risk_level
    )
  `.execute(trx);
}

/**
 * Moves the listings of these domains from one source to another. If both listed a domain, the earliest and latest dates
 * stay, the listing is active if either was, and the evidence of the second source wins. Lock the domains first.
 */
export async function moveListings(trx: Db, names: readonly string[], fromId: number, intoId: number): Promise<void> {
  await sql`
    with moved as (
      delete from listings where source_id = ${fromId} and name = any(${names}::text[]) returning *
    )
    insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at, evidence_url, price, note)
    select name, ${intoId}, first_seen_at, last_seen_at, withdrawn_at, evidence_url, price, note from moved order by name
    on conflict (name, source_id) do update set
      first_seen_at = least(listings.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(listings.last_seen_at, excluded.last_seen_at),
      withdrawn_at = case when listings.withdrawn_at is not null and excluded.withdrawn_at is not null
        then greatest(listings.withdrawn_at, excluded.withdrawn_at) end,
      evidence_url = coalesce(listings.evidence_url, excluded.evidence_url),
      price = coalesce(listings.price, excluded.price),
      note = coalesce(listings.note, excluded.note)
  `.execute(trx);
}
