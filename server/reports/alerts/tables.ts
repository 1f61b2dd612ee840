import type { Generated } from 'kysely';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    alerts: AlertsTable;
    alert_settings: AlertSettingsTable;
  }
}

export interface AlertsTable {
  id: Id;
  run_id: number;
  website_id: number;
  domain: string;
  event: AlertEvent;
  from_level: number | null;
  to_level: number | null;
  backlinks: number;
  source_count: number | null;
  copies: number | null;
  proof: number | null;
  created_at: Date;
  read_at: Date | null;
  mailed_at: Date | null;
}

export interface AlertSettingsTable {
  user_id: number;
  feed_version: Generated<number>;
  mail_paused_at: Date | null;
  daily_digest_end: Date | null;
  weekly_digest_end: Date | null;
}
