import type { ColumnType } from 'kysely';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    sessions: SessionsTable;
  }
}

export interface SessionsTable {
  id_hash: Buffer;
  id: Id;
  user_id: number;
  created_at: Created;
  last_seen_at: Created;
  expires_at: Date;
  user_agent: string | null;
  address: string | null;
  proven_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  previous_id_hash: ColumnType<Buffer | null, never, Buffer>;
  previous_until: ColumnType<Date | null, never, Date>;
}
