import type { Generated } from 'kysely';
import type { Decision } from '#shared/reports/decisions.ts';
import type { Created } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    decisions: DecisionsTable;
  }
}

export interface DecisionsTable {
  website_id: number;
  domain: string;
  decision: Decision | null;
  note: Generated<string>;
  decided_at: Created;
  asked_at: Generated<Date | null>;
}
