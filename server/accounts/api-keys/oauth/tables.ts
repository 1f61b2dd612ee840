import type { ColumnType } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';
import type { Created, Json } from '../../../platform/db/tables.ts';

declare module '../../../platform/db/tables.ts' {
  interface Tables {
    oauth_clients: OauthClientsTable;
    oauth_records: OauthRecordsTable;
  }
}

/** A program that has registered itself. */
interface OauthClientsTable {
  id: string;
  metadata: Json<AdapterPayload>;
  /** When it was registered, or when a user last connected it or it last fetched a token. */
  used_at: Created;
}

/** A code, a token, a grant or a running request for access. */
interface OauthRecordsTable {
  /** The hash of its kind and its value. */
  hash: Buffer;
  /** The connection that it belongs to. Null until a user has allowed the request. */
  key_id: number | null;
  payload: Json<AdapterPayload>;
  consumed_at: ColumnType<Date | null, never, Date>;
  expires_at: Date;
}
