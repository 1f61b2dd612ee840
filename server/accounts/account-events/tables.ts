import type { Generated } from 'kysely';
import type { AccountEventKind } from '#shared/accounts/account-events.ts';
import type { Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    account_events: AccountEventsTable;
  }
}

export interface AccountEventsTable {
  id: Id;
  user_id: number;
  kind: AccountEventKind;
  subject: string | null;
  address: string;
  device: string;
  network: string | null;
  hour: Date | null;
  count: Generated<number>;
  mail_due: Generated<boolean>;
  last_at: Date;
}
