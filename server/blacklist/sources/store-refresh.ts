import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/**
 * Moves the listings of these domains from one source to another. If both listed a domain, the earliest and latest
 * dates stay, the listing is active if either was, and the evidence of the second source wins. Lock the domains first.
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
