import type { ColumnType, Generated } from 'kysely';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
    idempotent_answers: IdempotentAnswersTable;
  }
}

export interface ApiKeysTable {
  id: Id;
  user_id: number;
  name: string;
  /** Null for the connection of an assistant, as is `sealed`. */
  hash: Buffer | null;
  sealed: Buffer | null;
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
  /** The assistant that the user has connected with OAuth. Null for a key. */
  oauth_client_id: string | null;
  scopes: Generated<ApiKeyScope[]>;
  /** False for a key from before scopes, until its owner has kept or reduced them. */
  scopes_chosen: Generated<boolean>;
}

/** The first answer to a request with an Idempotency-Key. */
export interface IdempotentAnswersTable {
  user_id: number;
  key: string;
  /** The hash of the request. */
  fingerprint: Buffer;
  status: number;
  location: string | null;
  /** The JSON of the response. */
  body: string | null;
  created_at: Date;
}
