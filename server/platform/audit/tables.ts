import type { Created, Id, Json } from '../db/tables.ts';

declare module '../db/tables.ts' {
  interface Tables {
    audit_events: AuditEventsTable;
  }
}

/** The audit log. */
export interface AuditEventsTable {
  id: Id;
  user_id: number | null;
  username: string;
  event: string;
  details: Json<Record<string, unknown>>;
  address: string | null;
  created_at: Created;
}
