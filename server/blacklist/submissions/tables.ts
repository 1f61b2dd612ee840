import type { Generated } from 'kysely';
import type { SubmissionStatus } from '#shared/blacklist/submissions.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    submissions: SubmissionsTable;
  }
}

export interface SubmissionsTable {
  id: Id;
  user_id: number | null;
  domain: string;
  evidence: string;
  source: string;
  cost: string;
  niche: string;
  domain_rating: number | null;
  additional_notes: string | null;
  status: Generated<SubmissionStatus>;
  reason: string | null;
  decided_by: number | null;
  decided_at: Date | null;
  created_at: Created;
}
