import type { Generated } from 'kysely';
import type { Id } from '../db/tables.ts';
import type { RunColumns } from '../jobs/runs.ts';

declare module '../db/tables.ts' {
  interface Tables {
    backup_runs: BackupRunsTable;
  }
}

export interface BackupRunsTable extends RunColumns {
  id: Id;
  kind: Generated<'backup' | 'copy' | 'test'>;
  file_name: string | null;
  bytes: number | null;
  is_sealed: Generated<boolean>;
  is_from_bucket: boolean | null;
  row_count: number | null;
  table_count: number | null;
  seconds: number | null;
}
