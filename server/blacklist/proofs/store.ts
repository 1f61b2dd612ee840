import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import type { Evidence, ProofFacts } from './judge-evidence.ts';

/** Plans visits to evidence that was never visited, and to that of listings with another address than before. */
export async function planProofs(db: Db, now: Date): Promise<void> {
  await sql`
    insert into evidence_proofs (name, source_id, url, next_at)
    select listings.name, listings.source_id, evidence_url, ${now}
    from listings
    left join evidence_proofs as known on known.name = listings.name and known.source_id = listings.source_id
    where evidence_url is not null and withdrawn_at is null and known.url is distinct from evidence_url
    order by listings.name, listings.source_id
    on conflict (name, source_id) do update set
      url = excluded.url, next_at = excluded.next_at, status = null, quote = null, text_hash = null, checked_at = null,
      gone_since = null, is_gone = false
  `.execute(db);
}

/**
 * Takes the next page to visit. Other processes leave it alone until `until`, also if this one is killed.
 * @returns undefined if none is due
 */
export async function takeDuePage(db: Db, now: Date, until: Date): Promise<string | undefined> {
  return await db.transaction().execute(async (trx) => {
    // Listings with the same page would be locked in different orders.
    await takeLock(trx, locks.proofs);
    const { rows } = await sql<{ url: string }>`
      update evidence_proofs set next_at = ${until}
      where next_at <= ${now}
        and url = (select url from evidence_proofs where next_at <= ${now} order by next_at, url limit 1)
      returning url
    `.execute(trx);
    return rows[0]?.url;
  });
}

/** Returns the listings with a page as their evidence. */
export async function listEvidence(
  db: Db,
  url: string,
): Promise<(Evidence & { sourceId: number; goneSince: Date | null; isGone: boolean })[]> {
  const { rows } = await sql<Evidence & { sourceId: number; goneSince: Date | null; isGone: boolean }>`
    select proof.name, proof.source_id as "sourceId", listings.price, text_hash as "textHash",
      gone_since as "goneSince", is_gone as "isGone"
    from evidence_proofs as proof
    join listings on listings.name = proof.name and listings.source_id = proof.source_id
    where url = ${url} and listings.evidence_url = url and listings.withdrawn_at is null
    order by proof.name, proof.source_id
  `.execute(db);
  return rows;
}

export interface ProofUpdate extends ProofFacts {
  name: string;
  sourceId: number;
  nextAt: Date;
  goneSince: Date | null;
  isGone: boolean;
}

export async function saveProof(trx: Db, url: string, proof: ProofUpdate, now: Date): Promise<void> {
  await trx
    .updateTable('evidence_proofs')
    .set({
      status: proof.status,
      quote: proof.quote,
      checked_at: now,
      next_at: proof.nextAt,
      gone_since: proof.goneSince,
      is_gone: proof.isGone,
      // The text of the last time that the page was there.
      ...(proof.textHash && { text_hash: proof.textHash }),
    })
    .where('name', '=', proof.name)
    .where('source_id', '=', proof.sourceId)
    .where('url', '=', url)
    .execute();
}

/** Returns listed names whose evidence is gone, but whose confidence an import has raised again. */
export async function listRaised(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct domains.name
    from evidence_proofs as gone
    join domains on domains.name = gone.name and domains.proof = 2
    where gone.is_gone and not exists (
      select from listings
      join sources on sources.id = source_id
      left join evidence_proofs as other
        on other.name = listings.name and other.source_id = listings.source_id and other.url = listings.evidence_url
      where listings.name = gone.name and withdrawn_at is null
        and listing_proof(kind, price, evidence_url, coalesce(other.is_gone, false)) = 2
    )
    limit ${limit}
  `.execute(db);
  return rows.map(({ name }) => name);
}
