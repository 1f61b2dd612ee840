import type { Generated } from 'kysely';
import type { Json } from '../db/tables.ts';

declare module '../db/tables.ts' {
  interface Tables {
    uploads: UploadsTable;
  }
}

export interface UploadsTable {
  id: Generated<string>;
  user_id: number | null;
  bytes: number;
  bytes_left: number;
  expires_at: Date;
  parts: Json<{ path: string; fileName: string }[]> | null;
}
