import type { Id } from '../../platform/db/tables.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    maintenance_runs: MaintenanceRunsTable;
  }
}

export interface MaintenanceRunsTable extends RunColumns {
  id: Id;
  user_id: number | null;
  started_by: string;
  bytes_before: number | null;
  bytes_after: number | null;
}
