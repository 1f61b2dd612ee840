import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AccountEventKind } from '#shared/accounts/account-events.ts';
import type { PaidTier, Subscription, Tier } from '#shared/accounts/subscriptions.ts';
import type { DeliveryStatus, WebhookEventType, WebhookFormat } from '#shared/accounts/webhooks.ts';
import type { AppealState, Proof } from '#shared/blacklist/appeals.ts';
import type { TopValues } from '#shared/blacklist/composition.ts';
import type { RiskCounts } from '#shared/blacklist/domains.ts';
import type { FeedFormat, FeedKind, RejectionReason } from '#shared/blacklist/feeds.ts';
import type { HeldCells } from '#shared/blacklist/held.ts';
import type { ReadingOptions } from '#shared/blacklist/import-preview.ts';
import type { ViewQuery } from '#shared/blacklist/saved-view-changes.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { SubmissionStatus } from '#shared/blacklist/submissions.ts';
import type { UsageKind } from '#shared/platform/usage.ts';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { Decision } from '#shared/reports/decisions.ts';
import type { DisavowAnswers } from '#shared/reports/disavow-advice.ts';
import type { DisavowCounts } from '#shared/reports/disavow-files.ts';
import type { DetectedFormat, IgnoredTable, ReportFigures } from '#shared/reports/reports.ts';
import type { SignalResult } from '#shared/reports/signals.ts';
import type { AlertEvent, DigestInterval } from '#shared/reports/watch.ts';
import type { ProfileScope } from '../../config.ts';

/** `bigint` columns are read as numbers: ids stay far below 2^53. */
type Id = GeneratedAlways<number>;
type Created = ColumnType<Date, Date | undefined, Date>;

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

export interface SessionsTable {
  id_hash: Buffer;
  id: Id;
  user_id: number;
  created_at: Created;
  last_seen_at: Created;
  expires_at: Date;
  user_agent: string | null;
  address: string | null;
  proven_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  previous_id_hash: ColumnType<Buffer | null, never, Buffer>;
  previous_until: ColumnType<Date | null, never, Date>;
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

/** Calls of clients in the current minute, by process. */
export interface SharedLimitsTable {
  process: string;
  key: string;
  calls: number;
  expires_at: Date;
}

/** Uses of everything with a rate limit, not only failed sign-ins as the table name `login_failures` suggests. */
export interface ThrottledUsesTable {
  key: string;
  failed_at: Created;
  user_id: number | null;
}

export interface DomainsTable {
  id: Id;
  name: string;
  tld: string;
  risk_level: number;
  risk_given: Generated<boolean>;
  source: string;
  source_count: GeneratedAlways<number>;
  source_start: GeneratedAlways<string>;
  source_details: string | null;
  description: string | null;
  notes: string | null;
  niche: string | null;
  domain_rating: number | null;
  outbound_links: number | null;
  cost: string | null;
  cost_amount: GeneratedAlways<number | null>;
  added_by: string | null;
  added_at: Created;
  updated_at: Created;
  copies: Generated<number>;
  proof: Generated<number>;
}

export interface FamiliesTable {
  id: Id;
  name: string;
  created_at: Created;
}

export interface SourcesTable {
  id: Id;
  name: string;
  kind: Generated<SourceKind>;
  family_id: number | null;
  is_public: Generated<boolean>;
  first_seen_at: Date | null;
  last_seen_at: Date | null;
}

export interface SourceAliasesTable {
  name: string;
  source_id: number;
}

export interface ListingsTable {
  name: string;
  source_id: number;
  first_seen_at: Date;
  last_seen_at: Date;
  withdrawn_at: Date | null;
  evidence_url: string | null;
  price: string | null;
  note: string | null;
}

/** Admins' decisions about sites. */
export interface SiteRulesTable {
  id: Id;
  domain: string;
  decision: 'allow' | 'list';
  reason: string;
  created_by: number | null;
  created_at: Created;
}

/** Listings that wait for an admin's decision, or that an admin rejected. */
export interface HeldListingsTable {
  id: Id;
  domain: string;
  source_id: number;
  reason: string;
  cells: Json<HeldCells>;
  held_at: Date;
  rejected_at: Date | null;
}

export interface DomainCountsTable {
  facet: string;
  key: string;
  delta: number;
}

export interface DomainGramsTable {
  gram: string;
  count: number;
}

export interface DomainGramChangesTable {
  name: string;
  sign: number;
}

export interface DomainChangesTable {
  id: Id;
  names: string[];
  changed_at: Created;
  matched_at: Date | null;
}

export interface WatchesTable {
  profile_id: number;
  enabled: Generated<boolean>;
  listed: Generated<boolean>;
  raised: Generated<boolean>;
  lowered: Generated<boolean>;
  delisted: Generated<boolean>;
  digest: Generated<DigestInterval>;
  hosts: Generated<number>;
  reminded_report_id: number | null;
}

export interface WebsiteHostsTable {
  profile_id: number;
  host: string;
  site: string;
  backlinks: number;
  first_report_id: number;
  report_id: number;
  first_seen: string;
  last_seen: string;
  domain: string | null;
  risk_level: number | null;
}

export interface AlertsTable {
  id: Id;
  run_id: number;
  profile_id: number;
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

/** The columns shared by all tables of long work. Each row is a run. */
export interface RunColumns {
  /** Only analyses and feed runs can be waiting. */
  status: Generated<'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'>;
  /** 0 to 100. */
  progress: Generated<number>;
  message: Generated<string>;
  refused: Generated<boolean>;
  attempts: Generated<number>;
  created_at: Created;
  finished_at: Date | null;
  /** When the progress of a running run was last written. */
  progress_at: Date | null;
}

export interface ImportsTable extends RunColumns {
  id: Generated<string>;
  user_id: number | null;
  added_by: string;
  file_name: string;
  file_path: string;
  file_bytes: number;
  processed_count: Generated<number>;
  imported_count: Generated<number>;
  updated_count: Generated<number>;
  failed_count: Generated<number>;
  held_count: Generated<number>;
  unchanged_count: Generated<number>;
  total_count: number | null;
  dry_run: Generated<boolean>;
  reading: ColumnType<ReadingOptions, string | undefined, never>;
}

export interface ImportFailuresTable {
  import_id: string;
  line: number;
  value: string;
  reason: string;
}

export interface ProfilesTable {
  id: Id;
  user_id: number | null;
  domain: string;
  description: string | null;
  created_at: Created;
  scope: Generated<ProfileScope>;
  disavow_answers: Json<DisavowAnswers> | null;
  disavow_answered_at: Date | null;
  tags: Generated<string[]>;
}

/** A jsonb column: read as its value, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;

/** The figures of a report that are stored; the others follow from them. */
export type CountedFigures = Omit<ReportFigures, 'toxicityRating' | 'toxicityPercentage' | 'harmfulBacklinks'>;

export interface AnalysesTable extends RunColumns {
  id: Generated<string>;
  user_id: number;
  profile_id: number;
  file_name: string;
  files: Json<{ path: string; name: string; bytes: number }[]>;
  column_name: string | null;
  ask: Generated<boolean>;
  answers: ColumnType<{ columns: Record<string, number>; sites: string[] }, string | undefined, string>;
  question: Json<UploadQuestion> | null;
  report_id: number | null;
}

export interface ReportsTable {
  id: Id;
  profile_id: number;
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
  profile_id: number;
}

export interface DeletedWebsitesTable {
  profile_id: number;
}

export interface UploadsTable {
  id: Generated<string>;
  user_id: number | null;
  bytes: number;
  bytes_left: number;
  expires_at: Date;
  parts: Json<{ path: string; fileName: string }[]> | null;
}

export interface ReportSharesTable {
  report_id: number;
  token_hash: Buffer;
  created_at: Date;
  expires_at: Date;
}

export interface DecisionsTable {
  profile_id: number;
  domain: string;
  decision: Decision | null;
  note: Generated<string>;
  decided_at: Created;
}

export interface DisavowFilesTable {
  id: Id;
  profile_id: number;
  file_name: string;
  /** The size of the uploaded file, which may be in another encoding than `content`. */
  bytes: number;
  content: string;
  /** The counts of the moment of the upload. */
  counts: ColumnType<DisavowCounts, string, string>;
  uploaded_at: Created;
}

export interface MessagesTable {
  id: Id;
  user_id: number | null;
  domain_id: number | null;
  appeal_id: number | null;
  name: string;
  email: string;
  subject: string;
  message: string;
  created_at: Created;
  read_at: Date | null;
  replied_at: Date | null;
}

export interface MessageRepliesTable {
  id: Id;
  message_id: number;
  user_id: number | null;
  username: string;
  message: string;
  created_at: Created;
  lost_at: Date | null;
}

/** The audit log. */
export interface AuditEventsTable {
  id: Id;
  user_id: number | null;
  username: string;
  event: string;
  details: Json<Record<string, unknown>>;
  address: string | null;
  created_at: Created;
}

export interface MaintenanceRunsTable extends RunColumns {
  id: Id;
  user_id: number | null;
  started_by: string;
  bytes_before: number | null;
  bytes_after: number | null;
}

/** See migrations/0067_backup_tests.sql. */
export interface BackupRunsTable extends RunColumns {
  id: Id;
  kind: Generated<'backup' | 'copy' | 'test'>;
  file_name: string | null;
  bytes: number | null;
  is_sealed: Generated<boolean>;
  is_from_bucket: boolean | null;
  row_count: number | null;
  table_count: number | null;
  seconds: number | null;
}

/** A change of sources that updates their domains. */
export interface SourceRunsTable extends RunColumns {
  id: Id;
  user_id: number | null;
  started_by: string;
  title: string;
  source_ids: number[];
  old_name: string | null;
  into_id: number | null;
  only_shared: Generated<boolean>;
  last_id: Generated<number>;
  done_count: Generated<number>;
}

/** See migrations/0031_feeds.sql. */
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
  rejected: ColumnType<Partial<Record<RejectionReason, number>>, string | undefined, string>;
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

export interface SubmissionsTable {
  id: Id;
  user_id: number | null;
  domain: string;
  evidence: string;
  source: string;
  cost: string;
  niche: string;
  domain_rating: number | null;
  additional_notes: string | null;
  status: Generated<SubmissionStatus>;
  reason: string | null;
  decided_by: number | null;
  decided_at: Date | null;
  created_at: Created;
}

export interface AppealsTable {
  id: Id;
  user_id: number | null;
  domain: string;
  message: string;
  statement: string | null;
  proof: Proof;
  token: string;
  state: Generated<AppealState>;
  reason: string | null;
  created_at: Created;
  verified_at: Date | null;
  decided_by: number | null;
  decided_at: Date | null;
  published_at: Date | null;
}

export interface ApiKeysTable {
  id: Id;
  user_id: number;
  name: string;
  hash: Buffer;
  sealed: Buffer;
  created_at: Created;
  /** Requests since the key was created. */
  usage_count: Generated<number>;
  /** The UTC day of the last request, written as 'YYYY-MM-DD'. */
  usage_day: ColumnType<Date | null, string | undefined, string>;
  /** Requests on that day. */
  daily_usage: Generated<number>;
  last_used_at: Date | null;
  /** The address that sent the last request. */
  last_address: string | null;
  /** Null if the key never expires. */
  expires_at: Date | null;
  /** The hash of the value before the last rotation. */
  previous_hash: Buffer | null;
  previous_expires_at: Date | null;
}

export interface NewsletterSubscriptionsTable {
  id: Id;
  email: string;
  first_name: string | null;
  consented_at: Date;
  unsubscribed_at: Date | null;
  token: string;
}

export interface SubscriptionsTable {
  user_id: number;
  provider: 'simulated' | 'stripe';
  tier: PaidTier;
  status: Subscription['status'];
  next_tier: Tier | null;
  period_ends_at: Date;
  started_at: Date;
  customer_id: string | null;
  subscription_id: string | null;
}

export interface StripeCustomersTable {
  customer_id: string;
  user_id: number | null;
  session_id: string | null;
}

/** See migrations/0032_saved_views.sql. */
export interface SavedViewsTable {
  id: Id;
  user_id: number;
  name: string;
  query: ColumnType<ViewQuery, string, string>;
  is_default: Generated<boolean>;
  created_at: Created;
  updated_at: Created;
}

/** See migrations/0040_domain_lists.sql and 0045_domain_list_counts.sql. */
export interface DomainListsTable {
  id: Generated<string>;
  user_id: number | null;
  entries: string;
  entry_count: number;
  duplicates: number;
  created_at: Date;
  listed_count: number | null;
}

/** See migrations/0047_webhooks.sql. */
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

/** See migrations/0060_account_usage.sql. Only triggers write it. */
export interface AccountUsageTable {
  user_id: number | null;
  profile_id: number | null;
  kind: UsageKind;
  rows: number;
  bytes: number;
  hour: Date;
  written: number;
}

/** All tables of the product, by name. */
export interface Tables {
  users: UsersTable;
  account_usage: AccountUsageTable;
  sessions: SessionsTable;
  account_events: AccountEventsTable;
  login_failures: ThrottledUsesTable;
  shared_limits: SharedLimitsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  password_resets: PasswordResetsTable;
  email_changes: EmailChangesTable;
  saved_views: SavedViewsTable;
  domains: DomainsTable;
  families: FamiliesTable;
  sources: SourcesTable;
  source_aliases: SourceAliasesTable;
  listings: ListingsTable;
  site_rules: SiteRulesTable;
  held_listings: HeldListingsTable;
  domain_counts: DomainCountsTable;
  domain_grams: DomainGramsTable;
  domain_gram_changes: DomainGramChangesTable;
  domain_changes: DomainChangesTable;
  watches: WatchesTable;
  website_hosts: WebsiteHostsTable;
  alerts: AlertsTable;
  alert_settings: AlertSettingsTable;
  imports: ImportsTable;
  import_failures: ImportFailuresTable;
  profiles: ProfilesTable;
  analyses: AnalysesTable;
  reports: ReportsTable;
  report_domains: ReportDomainsTable;
  report_links: ReportLinksTable;
  deleted_reports: DeletedReportsTable;
  deleted_websites: DeletedWebsitesTable;
  uploads: UploadsTable;
  report_shares: ReportSharesTable;
  decisions: DecisionsTable;
  disavow_files: DisavowFilesTable;
  domain_lists: DomainListsTable;
  messages: MessagesTable;
  message_replies: MessageRepliesTable;
  audit_events: AuditEventsTable;
  maintenance_runs: MaintenanceRunsTable;
  backup_runs: BackupRunsTable;
  source_runs: SourceRunsTable;
  feeds: FeedsTable;
  feed_runs: FeedRunsTable;
  feed_names: FeedNamesTable;
  feed_copies: FeedCopiesTable;
  feed_changes: FeedChangesTable;
  submissions: SubmissionsTable;
  appeals: AppealsTable;
  api_keys: ApiKeysTable;
  newsletter_subscriptions: NewsletterSubscriptionsTable;
  subscriptions: SubscriptionsTable;
  stripe_customers: StripeCustomersTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  earlier_defaults: { setting: string; value: string };
}
