import type { Generated } from 'kysely';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    users: UsersTable;
    second_factors: SecondFactorsTable;
    recovery_codes: RecoveryCodesTable;
    password_resets: PasswordResetsTable;
    email_changes: EmailChangesTable;
    oidc_identities: OidcIdentitiesTable;
    oidc_requests: OidcRequestsTable;
  }
}

export interface UsersTable {
  id: Id;
  email: string;
  email_confirmed: Generated<boolean>;
  username: string;
  display_name: string | null;
  has_own_name: Generated<boolean>;
  photo_url: string | null;
  firebase_uid: string | null;
  password_hash: string | null;
  is_admin: Generated<boolean>;
  search_count: Generated<number>;
  search_limit: number | null;
  searches_used: Generated<number>;
  subscription_tier: Generated<string>;
  subscription_status: Generated<'active' | 'inactive'>;
  created_at: Created;
  disabled_at: Date | null;
  last_seen_at: Date | null;
  last_search: string | null;
  last_search_at: Date | null;
  device_version: Generated<number>;
  second_factor_at: Date | null;
}

export interface SecondFactorsTable {
  user_id: number;
  secret: Buffer;
  last_step: Generated<number>;
}

export interface RecoveryCodesTable {
  user_id: number;
  code_hash: Buffer;
  salt: Buffer | null;
}

export interface PasswordResetsTable {
  user_id: number;
  token_hash: Buffer;
  expires_at: Date;
  by_email: Generated<boolean>;
}

export interface EmailChangesTable {
  user_id: number;
  email: string;
  token_hash: Buffer | null;
  expires_at: Date;
}

export interface OidcIdentitiesTable {
  id: Id;
  user_id: number;
  issuer: string;
  subject: string;
  created_at: Created;
}

export interface OidcRequestsTable {
  state_hash: Buffer;
  browser_hash: Buffer;
  provider: string;
  nonce: string;
  code_verifier: string;
  user_id: number | null;
  expires_at: Date;
}
