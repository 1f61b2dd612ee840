import type { Generated } from 'kysely';
import type { TopValues } from '#shared/blacklist/composition.ts';
import type { RiskCounts } from '#shared/blacklist/domains.ts';
import type { DetectedFormat, IgnoredTable, ReportFigures } from '#shared/reports/reports.ts';
import type { SignalResult } from '#shared/reports/signals.ts';
import type { Created, Id, Json } from '../../platform/db/tables.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    reports: ReportsTable;
    report_domains: ReportDomainsTable;
    report_links: ReportLinksTable;
    deleted_reports: DeletedReportsTable;
    deleted_websites: DeletedWebsitesTable;
    report_shares: ReportSharesTable;
  }
}

/** The figures of a report that are stored; the others follow from them. */
export type CountedFigures = Omit<ReportFigures, 'toxicityRating' | 'toxicityPercentage' | 'harmfulBacklinks'>;

export interface ReportsTable {
  id: Id;
  website_id: number;
  file_name: string;
  formats: Json<DetectedFormat[]>;
  ignored_tables: Json<IgnoredTable[]>;
  total_backlinks: number;
  nofollow_backlinks: Generated<number>;
  lost_backlinks: Generated<number>;
  total_domains: number;
  unique_domains: number;
  toxic_domains: number;
  risk_counts: Json<RiskCounts>;
  including_lost: Json<CountedFigures> | null;
  signals: Json<SignalResult[]> | null;
  created_at: Created;
  stored_bytes: Generated<number>;
  domain_counts: Json<{ present: DomainCounts; all: DomainCounts }> | null;
  compared_with: number | null;
  decision_counts: Json<{ present: DecisionCounts; all: DecisionCounts }> | null;
}

export interface DecisionCounts {
  keep: number;
  remove: number;
  disavow: number;
}

/** How many listed domains of a report have each property. */
export interface DomainCounts {
  domains: number;
  /** By risk level, from 1 to 4. */
  risks: number[];
  /** From 1 to 3. */
  confidences: number[];
  niches: TopValues;
  withoutNiche: number;
  tlds: TopValues;
  /** In the order of `signals`. */
  signals: number[];
  /** Domains that the report before did not have. */
  newDomains: number;
  /** Domains of the report before that this one does not have. */
  goneDomains: number;
}

export interface ReportDomainsTable {
  report_id: number;
  position: number;
  domain: string;
  risk_level: number;
  source: string;
  source_count: number;
  listed_at: Date;
  backlinks: number;
  lost_backlinks: Generated<number>;
  copies: Generated<number>;
  proof: Generated<number>;
  niche: string | null;
  first_seen: Date | null;
  nofollow_backlinks: Generated<number>;
  signals: Generated<number>;
  new_in: Generated<number>;
}

export interface ReportLinksTable {
  report_id: number;
  position: number;
  links: string;
}

export interface DeletedReportsTable {
  report_id: number;
  website_id: number;
  deleted_at: Created;
  /** The row of the report, which restores it. */
  report: Json<object> | null;
}

export interface DeletedWebsitesTable {
  website_id: number;
}

export interface ReportSharesTable {
  id: Id;
  report_id: number;
  token_hash: Buffer;
  /** The encrypted token; null for a link of an earlier version. */
  sealed: Buffer | null;
  created_at: Date;
  expires_at: Date;
}
