import type { ColumnType, Generated } from 'kysely';
import type { FeedFormat, FeedKind } from '#shared/blacklist/feeds.ts';
import type { Created, Id } from '../../platform/db/tables.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';
import type { Rejected } from './read-list.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    feeds: FeedsTable;
    feed_runs: FeedRunsTable;
    feed_names: FeedNamesTable;
    feed_copies: FeedCopiesTable;
    feed_changes: FeedChangesTable;
  }
}

export interface FeedsTable {
  id: Id;
  source_id: number | null;
  catalogue_key: string | null;
  name: string;
  url: string;
  format: Generated<FeedFormat | 'auto'>;
  detected_format: FeedFormat | null;
  kind: FeedKind;
  interval_hours: number;
  enabled: Generated<boolean>;
  licence: string | null;
  homepage: string | null;
  etag: string | null;
  last_modified: string | null;
  body_hash: Buffer | null;
  names: Generated<number>;
  is_unchanged: Generated<boolean>;
  failures: Generated<number>;
  last_run_at: Date | null;
  last_success_at: Date | null;
  next_run_at: Date;
  created_at: Created;
  deleted_at: Date | null;
}

/** A download of a list. */
export interface FeedRunsTable extends RunColumns {
  id: Id;
  feed_id: number;
  action: Generated<'refresh' | 'withdraw'>;
  accepted: Generated<boolean>;
  bytes: number | null;
  added: Generated<number>;
  removed: Generated<number>;
  unchanged: Generated<number>;
  held: Generated<number>;
  rejected: ColumnType<Rejected, string | undefined, string>;
  listed: Generated<number>;
  delisted: Generated<number>;
  etag: string | null;
  last_modified: string | null;
  body_hash: Buffer | null;
  detected_format: FeedFormat | null;
}

export interface FeedNamesTable {
  feed_id: number;
  name: string;
  missed: Generated<boolean>;
}

export interface FeedCopiesTable {
  run_id: number;
  name: string;
}

export interface FeedChangesTable {
  run_id: number;
  is_removed: boolean;
  name: string;
}
