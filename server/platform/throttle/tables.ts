import type { Created } from '../db/tables.ts';

declare module '../db/tables.ts' {
  interface Tables {
    login_failures: ThrottledUsesTable;
    shared_limits: SharedLimitsTable;
  }
}

/** Calls of clients in the current minute, by process. */
export interface SharedLimitsTable {
  process: string;
  key: string;
  calls: number;
  expires_at: Date;
}

/** Uses of everything with a rate limit, not only failed sign-ins as the table name `login_failures` suggests. */
export interface ThrottledUsesTable {
  key: string;
  failed_at: Created;
  user_id: number | null;
}
