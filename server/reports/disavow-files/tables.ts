import type { ColumnType } from 'kysely';
import type { DisavowCounts } from '#shared/reports/disavow-files.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    disavow_files: DisavowFilesTable;
  }
}

export interface DisavowFilesTable {
  id: Id;
  website_id: number;
  file_name: string;
  /** The size of the uploaded file, which may be in another encoding than `content`. */
  bytes: number;
  content: string;
  /** The counts of the moment of the upload. */
  counts: ColumnType<DisavowCounts, string, string>;
  uploaded_at: Created;
}
