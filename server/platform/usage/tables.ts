import type { UsageKind } from '#shared/platform/usage.ts';

declare module '../db/tables.ts' {
  interface Tables {
    account_usage: AccountUsageTable;
  }
}

/** Only triggers write it. */
export interface AccountUsageTable {
  user_id: number | null;
  website_id: number | null;
  kind: UsageKind;
  rows: number;
  bytes: number;
  hour: Date;
  written: number;
}
