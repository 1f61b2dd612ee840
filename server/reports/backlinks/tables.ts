import type { ColumnType, Generated } from 'kysely';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { Json } from '../../platform/db/tables.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analyses: AnalysesTable;
  }
}

export interface AnalysesTable extends RunColumns {
  id: Generated<string>;
  user_id: number;
  website_id: number;
  file_name: string;
  files: Json<{ path: string; name: string; bytes: number }[]>;
  column_name: string | null;
  ask: Generated<boolean>;
  answers: ColumnType<{ columns: Record<string, number>; sites: string[] }, string | undefined, string>;
  question: Json<UploadQuestion> | null;
  report_id: number | null;
}
