import type { Generated } from 'kysely';
import type { Id } from '../../platform/db/tables.ts';
import type { RunColumns } from '../../platform/jobs/runs.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    link_checks: LinkChecksTable;
    live_pages: LivePagesTable;
    live_domains: LiveDomainsTable;
  }
}

export interface LinkChecksTable extends RunColumns {
  id: Id;
  report_id: number;
  only_undecided: Generated<boolean>;
  domains: string[] | null;
  planned_position: Generated<number>;
  pages: Generated<number>;
  visited: Generated<number>;
}

export interface LivePagesTable {
  report_id: number;
  page_hash: Buffer;
  position: number;
  host: string;
  page: string;
  targets: string[];
  wanted_by: number | null;
  /** The number in `liveStates`. */
  state: number | null;
  reason: string | null;
  http_status: number | null;
  final_url: string | null;
  rel: string | null;
  anchor: string | null;
  sentence: string | null;
  text_hash: Buffer | null;
  checked_at: Date | null;
}

export interface LiveDomainsTable {
  report_id: number;
  position: number;
  pages: number;
  checked_pages: Generated<number>;
  state: number | null;
  checked_at: Date | null;
}
