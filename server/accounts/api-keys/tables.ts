import type { ColumnType, Generated } from 'kysely';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
  }
}

export interface ApiKeysTable {
  id: Id;
  user_id: number;
  name: string;
  hash: Buffer;
  sealed: Buffer;
  created_at: Created;
  /** Requests since the key was created. */
  usage_count: Generated<number>;
  /** The UTC day of the last request, written as 'YYYY-MM-DD'. */
  usage_day: ColumnType<Date | null, string | undefined, string>;
  /** Requests on that day. */
  daily_usage: Generated<number>;
  last_used_at: Date | null;
  /** The address that sent the last request. */
  last_address: string | null;
  /** Null if the key never expires. */
  expires_at: Date | null;
  /** The hash of the value before the last rotation. */
  previous_hash: Buffer | null;
  previous_expires_at: Date | null;
}
