import type { Generated } from 'kysely';
import type { DigestInterval } from '#shared/reports/watch.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    domain_changes: DomainChangesTable;
    watches: WatchesTable;
    website_host_blocks: WebsiteHostBlocksTable;
    website_hosts: WebsiteHostsTable;
  }
}

export interface DomainChangesTable {
  id: Id;
  names: string[];
  changed_at: Created;
  matched_at: Date | null;
}

export interface WatchesTable {
  website_id: number;
  enabled: Generated<boolean>;
  listed: Generated<boolean>;
  raised: Generated<boolean>;
  lowered: Generated<boolean>;
  delisted: Generated<boolean>;
  digest: Generated<DigestInterval>;
  hosts: Generated<number>;
  reminded_report_id: number | null;
}

export interface WebsiteHostBlocksTable {
  website_id: number;
  bucket: number;
  host_count: number;
  oldest_day: string;
  body: string;
}

/** Hosts that an earlier version stored. */
export interface WebsiteHostsTable {
  website_id: number;
  host: string;
  registrable_domain: string;
  backlinks: number;
  first_report_id: number;
  report_id: number;
  first_seen: string;
  last_seen: string;
  domain: string | null;
  risk_level: number | null;
}
