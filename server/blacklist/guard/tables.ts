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
  /** `shared`: a shared host that an admin added; `suggested` and `dismissed`: one that uploads suggest. */
  decision: 'allow' | 'list' | 'shared' | 'suggested' | 'dismissed';
  reason: string;
  created_by: number | null;
  created_at: Created;
}
