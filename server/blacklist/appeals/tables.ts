import type { Generated } from 'kysely';
import type { AppealState, Proof } from '#shared/blacklist/appeals.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    appeals: AppealsTable;
  }
}

export interface AppealsTable {
  id: Id;
  user_id: number | null;
  domain: string;
  message: string;
  statement: string | null;
  proof: Proof;
  token: string;
  state: Generated<AppealState>;
  reason: string | null;
  created_at: Created;
  verified_at: Date | null;
  decided_by: number | null;
  decided_at: Date | null;
  published_at: Date | null;
}
