import type { ColumnType, Generated } from 'kysely';
import type { DeliveryStatus, WebhookEventType, WebhookFormat } from '#shared/accounts/webhooks.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    webhooks: WebhooksTable;
    webhook_deliveries: WebhookDeliveriesTable;
  }
}

export interface WebhooksTable {
  id: Id;
  user_id: number;
  url: string;
  events: WebhookEventType[];
  format: WebhookFormat;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: Date | null;
  active: Generated<boolean>;
  disabled_reason: string | null;
  failing_since: Date | null;
  paused_until: Date | null;
  created_at: Created;
}

export interface WebhookDeliveriesTable {
  id: Id;
  webhook_id: number;
  event_id: string;
  type: string;
  payload: ColumnType<WebhookPayload, string, never>;
  status: Generated<DeliveryStatus>;
  attempts: Generated<number>;
  response_status: number | null;
  error: string | null;
  created_at: Date;
  next_attempt_at: Date | null;
  leased_until: Date | null;
  last_attempt_at: Date | null;
}

/** What happened. In the database, `data.url` is a path of this site. */
export interface WebhookPayload {
  type: string;
  timestamp: string;
  data: { url: string } & Record<string, unknown>;
}
