import type { ColumnType, Generated } from 'kysely';
import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    imports: ImportsTable;
    import_failures: ImportFailuresTable;
  }
}

export interface ImportsTable extends RunColumns {
  id: Generated<string>;
  user_id: number | null;
  added_by: string;
  file_name: string;
  file_path: string;
  file_bytes: number;
  processed_count: Generated<number>;
  imported_count: Generated<number>;
  updated_count: Generated<number>;
  failed_count: Generated<number>;
  held_count: Generated<number>;
  unchanged_count: Generated<number>;
  total_count: number | null;
  dry_run: Generated<boolean>;
  reading: ColumnType<ReadingOptions, string | undefined, never>;
}

export interface ImportFailuresTable {
  import_id: string;
  line: number;
  value: string;
  reason: string;
  is_held: Generated<boolean>;
}
