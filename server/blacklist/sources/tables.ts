import type { Generated } from 'kysely';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { Created, Id } from '../../platform/db/tables.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    families: FamiliesTable;
    sources: SourcesTable;
    source_aliases: SourceAliasesTable;
    listings: ListingsTable;
    source_runs: SourceRunsTable;
  }
}

export interface FamiliesTable {
  id: Id;
  name: string;
  created_at: Created;
}

export interface SourcesTable {
  id: Id;
  name: string;
  kind: Generated<SourceKind>;
  family_id: number | null;
  is_public: Generated<boolean>;
  first_seen_at: Date | null;
  last_seen_at: Date | null;
}

export interface SourceAliasesTable {
  name: string;
  source_id: number;
}

export interface ListingsTable {
  name: string;
  source_id: number;
  first_seen_at: Date;
  last_seen_at: Date;
  withdrawn_at: Date | null;
  evidence_url: string | null;
  price: string | null;
  note: string | null;
}

/** A change of sources that updates their domains. */
export interface SourceRunsTable extends RunColumns {
  id: Id;
  user_id: number | null;
  started_by: string;
  title: string;
  source_ids: number[];
  old_name: string | null;
  into_id: number | null;
  only_shared: Generated<boolean>;
  last_id: Generated<number>;
  done_count: Generated<number>;
}
