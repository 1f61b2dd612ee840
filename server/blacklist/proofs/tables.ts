import type { Generated } from 'kysely';
import type { ProofStatus } from '#shared/blacklist/sources.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    evidence_proofs: EvidenceProofsTable;
  }
}

export interface EvidenceProofsTable {
  name: string;
  source_id: number;
  url: string;
  status: ProofStatus | null;
  quote: string | null;
  text_hash: Buffer | null;
  checked_at: Date | null;
  next_at: Date;
  gone_since: Date | null;
  is_gone: Generated<boolean>;
}
