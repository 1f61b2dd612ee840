import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    site_rules: SiteRulesTable;
  }
}

/** Admins' decisions about sites. */
export interface SiteRulesTable {
  id: Id;
  domain: string;
  decision: 'allow' | 'list';
  reason: string;
  created_by: number | null;
  created_at: Created;
}
