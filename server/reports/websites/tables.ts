import type { Generated } from 'kysely';
import type { DisavowAnswers } from '#shared/reports/disavow-advice.ts';
import type { WebsiteScope } from '../../config.ts';
import type { Created, Id, Json } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    websites: WebsitesTable;
    earlier_defaults: EarlierDefaultsTable;
  }
}

export interface WebsitesTable {
  id: Id;
  user_id: number | null;
  domain: string;
  description: string | null;
  created_at: Created;
  scope: Generated<WebsiteScope>;
  disavow_answers: Json<DisavowAnswers> | null;
  disavow_answered_at: Date | null;
  tags: Generated<string[]>;
  awaits_upload: Generated<boolean>;
  /** When it was deleted, and by whom. It has no owner since, and is removed soon. */
  deleted_at: Date | null;
  deleted_by: number | null;
}

/** Settings whose default has changed, with the default that this database keeps. */
export interface EarlierDefaultsTable {
  setting: string;
  value: string;
}
