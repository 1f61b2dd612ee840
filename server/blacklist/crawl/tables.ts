import type { Generated } from 'kysely';
import type { Proof } from '#shared/blacklist/appeals.ts';
import type { Created, Id } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    crawl_setting: CrawlSettingTable;
    crawl_turns: CrawlTurnsTable;
    crawl_robots: CrawlRobotsTable;
    crawl_opt_outs: CrawlOptOutsTable;
  }
}

export interface CrawlSettingTable {
  id: Generated<boolean>;
  enabled: boolean;
}

export interface CrawlTurnsTable {
  host: string;
  next_at: Date;
}

export interface CrawlRobotsTable {
  origin: string;
  rules: string | null;
  read_at: Created;
}

export interface CrawlOptOutsTable {
  id: Id;
  user_id: number | null;
  domain: string;
  proof: Proof;
  token: string;
  created_at: Created;
  verified_at: Date | null;
}
