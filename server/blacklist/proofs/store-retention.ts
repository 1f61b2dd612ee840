import { sql } from 'kysely';
import type { Retention } from '../../platform/jobs/retention.ts';

/** Proofs of listings that are deleted or withdrawn, or have no evidence any more. */
export const proofRetention: Retention = {
  table: 'evidence_proofs',
  expired: () => sql`not exists (
    select from listings
    where listings.name = evidence_proofs.name and listings.source_id = evidence_proofs.source_id
      and evidence_url is not null and withdrawn_at is null
  )`,
};
