import type { Generated } from 'kysely';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    domain_lists: DomainListsTable;
  }
}

export interface DomainListsTable {
  id: Generated<string>;
  user_id: number | null;
  entries: string;
  entry_count: number;
  duplicates: number;
  created_at: Date;
  listed_count: number | null;
}
