-- The schema after all migrations, written by `npm run schema`. To change it, add a migration.

create extension btree_gin;

create extension pg_trgm;

create sequence alert_runs as bigint;

create table account_events (
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null,
  subject text,
  address text not null,
  device text not null,
  network text,
  hour timestamp with time zone,
  count integer not null default 1,
  last_at timestamp with time zone not null,
  mail_due boolean not null default false,
  constraint account_events_pkey PRIMARY KEY (id),
  constraint account_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX account_events_counted ON account_events USING btree (user_id, kind, network, hour) WHERE (hour IS NOT NULL);
CREATE INDEX account_events_last ON account_events USING btree (last_at DESC, id DESC);
CREATE INDEX account_events_mail_due ON account_events USING btree (user_id) WHERE mail_due;
CREATE INDEX account_events_user ON account_events USING btree (user_id, last_at DESC, id DESC);

create table account_usage (
  user_id bigint,
  website_id bigint,
  kind text not null,
  rows bigint not null,
  bytes bigint not null,
  hour timestamp with time zone not null,
  written bigint not null,
  constraint account_usage_user_id_website_id_kind_key UNIQUE NULLS NOT DISTINCT (user_id, website_id, kind),
  constraint account_usage_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint account_usage_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE,
  constraint account_usage_check CHECK ((num_nonnulls(user_id, website_id) = 1))
);
CREATE INDEX account_usage_website ON account_usage USING btree (website_id);

create table alert_settings (
  user_id bigint not null,
  feed_version integer not null default 1,
  mail_paused_at timestamp with time zone,
  daily_digest_end timestamp with time zone,
  weekly_digest_end timestamp with time zone,
  constraint alert_settings_pkey PRIMARY KEY (user_id),
  constraint alert_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table alerts (
  id bigint not null generated always as identity,
  run_id bigint not null,
  website_id bigint not null,
  domain text collate "C" not null,
  event text not null,
  from_level smallint,
  to_level smallint,
  backlinks integer not null,
  source_count smallint,
  copies smallint,
  proof smallint,
  created_at timestamp with time zone not null,
  read_at timestamp with time zone,
  mailed_at timestamp with time zone,
  constraint alerts_pkey PRIMARY KEY (id),
  constraint alerts_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE,
  constraint alerts_event_check CHECK ((event = ANY (ARRAY['listed'::text, 'raised'::text, 'lowered'::text, 'delisted'::text]))),
  constraint alerts_from_level_check CHECK (((from_level >= 1) AND (from_level <= 4))),
  constraint alerts_to_level_check CHECK (((to_level >= 1) AND (to_level <= 4)))
);
CREATE INDEX alerts_run ON alerts USING btree (run_id);
CREATE INDEX alerts_unmailed ON alerts USING btree (created_at) WHERE (mailed_at IS NULL);
CREATE INDEX alerts_unread ON alerts USING btree (website_id, event) WHERE (read_at IS NULL);
CREATE INDEX alerts_website_run ON alerts USING btree (website_id, run_id DESC);

create table analyses (
  id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  website_id bigint not null,
  file_name text not null,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  refused boolean not null default false,
  attempts smallint not null default 0,
  report_id bigint,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  files jsonb not null,
  column_name text,
  ask boolean not null default false,
  answers jsonb not null default '{"sites": [], "columns": {}}'::jsonb,
  question jsonb,
  progress_at timestamp with time zone,
  constraint analyses_pkey PRIMARY KEY (id),
  constraint analyses_report FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE SET NULL,
  constraint analyses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint analyses_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE,
  constraint analyses_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint analyses_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX analyses_report ON analyses USING btree (report_id);
CREATE INDEX analyses_user ON analyses USING btree (user_id, created_at DESC);
CREATE INDEX analyses_website ON analyses USING btree (website_id);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON analyses REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('analyses', 'user_id', '1000', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON analyses REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('analyses', 'user_id', '1000', 'request');

create table api_keys (
  id bigint not null generated always as identity,
  user_id bigint not null,
  name text not null,
  hash bytea,
  sealed bytea,
  created_at timestamp with time zone not null default now(),
  usage_count bigint not null default 0,
  usage_day date,
  daily_usage integer not null default 0,
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone,
  last_address text,
  previous_hash bytea,
  previous_expires_at timestamp with time zone,
  scopes text[] not null default '{check}'::text[],
  scopes_chosen boolean not null default true,
  oauth_client_id text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE,
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint api_keys_previous CHECK (((previous_hash IS NULL) = (previous_expires_at IS NULL))),
  constraint api_keys_scopes CHECK (((scopes <@ ARRAY['check'::text, 'read'::text, 'write'::text]) AND (cardinality(scopes) > 0))),
  constraint api_keys_value CHECK ((num_nulls(hash, sealed) =
CASE
    WHEN (oauth_client_id IS NULL) THEN 0
    ELSE 2
END))
) with (fillfactor=50);
CREATE UNIQUE INDEX api_keys_oauth_client ON api_keys USING btree (oauth_client_id, user_id) WHERE (oauth_client_id IS NOT NULL);
CREATE UNIQUE INDEX api_keys_previous_hash ON api_keys USING btree (previous_hash) WHERE (previous_hash IS NOT NULL);
CREATE INDEX api_keys_user ON api_keys USING btree (user_id);

create table appeals (
  id bigint not null generated always as identity,
  user_id bigint,
  domain text collate "C" not null,
  message text not null,
  statement text,
  proof text not null,
  token text not null,
  state text not null default 'unverified'::text,
  reason text,
  created_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  decided_by bigint,
  decided_at timestamp with time zone,
  published_at timestamp with time zone,
  constraint appeals_pkey PRIMARY KEY (id),
  constraint appeals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint appeals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint appeals_check CHECK (((state = 'unverified'::text) = (verified_at IS NULL))),
  constraint appeals_check1 CHECK (((state = ANY (ARRAY['delisted'::text, 'kept'::text])) = (decided_at IS NOT NULL))),
  constraint appeals_check2 CHECK (((published_at IS NULL) OR ((decided_at IS NOT NULL) AND (statement IS NOT NULL)))),
  constraint appeals_proof_check CHECK ((proof = ANY (ARRAY['dns'::text, 'file'::text]))),
  constraint appeals_state_check CHECK ((state = ANY (ARRAY['unverified'::text, 'verified'::text, 'delisted'::text, 'kept'::text])))
);
CREATE INDEX appeals_decided_by ON appeals USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE UNIQUE INDEX appeals_open ON appeals USING btree (user_id, domain) WHERE (decided_at IS NULL);
CREATE INDEX appeals_published ON appeals USING btree (domain, published_at DESC) WHERE (published_at IS NOT NULL);
CREATE INDEX appeals_user ON appeals USING btree (user_id, id);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON appeals REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('appeals', 'user_id', '300 + octet_length(message) + octet_length(coalesce(statement, ''''))', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON appeals REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('appeals', 'user_id', '300 + octet_length(message) + octet_length(coalesce(statement, ''''))', 'request');

create table audit_events (
  id bigint not null generated always as identity,
  user_id bigint,
  username text not null,
  event text not null,
  details jsonb not null default '{}'::jsonb,
  address text,
  created_at timestamp with time zone not null default now(),
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint admin_acts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX audit_events_event ON audit_events USING btree (event, id DESC);
CREATE INDEX audit_events_user ON audit_events USING btree (user_id);
CREATE INDEX audit_events_username ON audit_events USING btree (username, id DESC);
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION protect_audit_events();
CREATE TRIGGER audit_events_protected BEFORE DELETE OR UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION protect_audit_events();

create table backup_runs (
  id bigint not null generated always as identity,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  progress_at timestamp with time zone,
  finished_at timestamp with time zone,
  file_name text,
  bytes bigint,
  kind text not null default 'backup'::text,
  is_sealed boolean not null default false,
  is_from_bucket boolean,
  row_count bigint,
  table_count integer,
  seconds double precision,
  constraint backup_runs_pkey PRIMARY KEY (id),
  constraint backup_runs_kind_check CHECK ((kind = ANY (ARRAY['backup'::text, 'copy'::text, 'test'::text]))),
  constraint backup_runs_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint backup_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX backup_runs_unfinished ON backup_runs USING btree (kind) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

create table crawl_opt_outs (
  id bigint not null generated always as identity,
  user_id bigint,
  domain text collate "C" not null,
  proof text not null,
  token text not null,
  created_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  constraint crawl_opt_outs_pkey PRIMARY KEY (id),
  constraint crawl_opt_outs_user_id_domain_key UNIQUE (user_id, domain),
  constraint crawl_opt_outs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint crawl_opt_outs_proof_check CHECK ((proof = ANY (ARRAY['dns'::text, 'file'::text])))
);
CREATE INDEX crawl_opt_outs_domain ON crawl_opt_outs USING btree (domain) WHERE (verified_at IS NOT NULL);

create table crawl_robots (
  origin text collate "C" not null,
  rules text,
  read_at timestamp with time zone not null default now(),
  constraint crawl_robots_pkey PRIMARY KEY (origin)
);

create table crawl_setting (
  id boolean not null default true,
  enabled boolean not null,
  constraint crawl_setting_pkey PRIMARY KEY (id),
  constraint crawl_setting_id_check CHECK (id)
);

create table crawl_turns (
  host text collate "C" not null,
  next_at timestamp with time zone not null,
  constraint crawl_turns_pkey PRIMARY KEY (host)
);

create table decisions (
  website_id bigint not null,
  domain text collate "C" not null,
  decision text,
  note text not null default ''::text,
  decided_at timestamp with time zone not null default now(),
  asked_at timestamp with time zone,
  constraint decisions_pkey PRIMARY KEY (website_id, domain),
  constraint decisions_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE,
  constraint decisions_check CHECK (((decision IS NOT NULL) OR (note <> ''::text))),
  constraint decisions_decision_check CHECK ((decision = ANY (ARRAY['keep'::text, 'remove'::text, 'disavow'::text])))
);
CREATE TRIGGER count_changed_usage AFTER UPDATE ON decisions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('decisions', 'website_id', '100 + 2 * octet_length(domain) + octet_length(note)', 'request');
CREATE TRIGGER count_deleted_usage AFTER DELETE ON decisions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('decisions', 'website_id', '100 + 2 * octet_length(domain) + octet_length(note)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON decisions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('decisions', 'website_id', '100 + 2 * octet_length(domain) + octet_length(note)', 'request');

create table deleted_domains (
  id bigint not null,
  deleted_at timestamp with time zone not null,
  domain jsonb not null,
  rule jsonb,
  constraint deleted_domains_pkey PRIMARY KEY (id)
);

create table deleted_reports (
  report_id bigint not null,
  website_id bigint not null,
  deleted_at timestamp with time zone not null default now(),
  report jsonb,
  constraint deleted_reports_pkey PRIMARY KEY (report_id)
);

create table deleted_websites (
  website_id bigint not null,
  constraint deleted_websites_pkey PRIMARY KEY (website_id)
);

create table disavow_files (
  id bigint not null generated always as identity,
  website_id bigint not null,
  file_name text not null,
  bytes integer not null,
  content text not null,
  counts jsonb not null,
  uploaded_at timestamp with time zone not null default now(),
  constraint disavow_files_pkey PRIMARY KEY (id),
  constraint disavow_files_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE
);
CREATE INDEX disavow_files_website ON disavow_files USING btree (website_id);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON disavow_files REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('disavow-files', 'website_id', 'bytes', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON disavow_files REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('disavow-files', 'website_id', 'bytes', 'request');

create table discoveries (
  id bigint not null generated always as identity,
  domain text collate "C" not null,
  status text not null default 'nothing'::text,
  wanted_at timestamp with time zone,
  seen_at timestamp with time zone,
  quote text,
  price numeric(12,2),
  currency text,
  url text,
  contact_url text,
  sponsored_share real,
  problem text,
  decided_at timestamp with time zone,
  constraint discoveries_pkey PRIMARY KEY (id),
  constraint discoveries_domain_key UNIQUE (domain),
  constraint discoveries_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'accepted'::text, 'rejected'::text, 'nothing'::text])))
);
CREATE INDEX discoveries_status ON discoveries USING btree (status, seen_at DESC, id DESC) WHERE (seen_at IS NOT NULL);
CREATE INDEX discoveries_wanted ON discoveries USING btree (wanted_at, id) WHERE (wanted_at IS NOT NULL);

create table domain_changes (
  id bigint not null generated always as identity,
  names text[] not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  matched_at timestamp with time zone,
  constraint domain_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX domain_changes_matched ON domain_changes USING btree (matched_at);
CREATE INDEX domain_changes_unmatched ON domain_changes USING btree (changed_at) WHERE (matched_at IS NULL);

create table domain_counts (
  facet text collate "C" not null,
  key text collate "C" not null,
  delta bigint not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=1000);
CREATE INDEX domain_counts_key ON domain_counts USING btree (facet, key) INCLUDE (delta);

create table domain_gram_changes (
  name text collate "C" not null,
  sign smallint not null
);

create table domain_grams (
  gram text collate "C" not null,
  count integer not null,
  constraint domain_grams_pkey PRIMARY KEY (gram)
);

create table domain_lists (
  id uuid not null default gen_random_uuid(),
  user_id bigint,
  entries text not null,
  entry_count integer not null,
  duplicates integer not null,
  created_at timestamp with time zone not null,
  listed_count integer,
  constraint domain_lists_pkey PRIMARY KEY (id),
  constraint domain_lists_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX domain_lists_created ON domain_lists USING btree (created_at);
CREATE INDEX domain_lists_user ON domain_lists USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON domain_lists REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('lists', 'user_id', '200 + octet_length(entries)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON domain_lists REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('lists', 'user_id', '200 + octet_length(entries)', 'request');

create table domains (
  id bigint not null generated always as identity,
  name text collate "C" not null,
  tld text collate "C" not null,
  risk_level smallint not null,
  risk_given boolean not null default false,
  source text[] collate "C" not null,
  source_details text,
  description text,
  notes text,
  niche text collate "C",
  domain_rating smallint,
  outbound_links integer,
  cost text,
  cost_amount double precision generated always as ((replace("substring"("left"(cost, 100), '[0-9,]*\.?[0-9]+'::text), ','::text, ''::text))::double precision) stored,
  added_by text,
  added_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  copies smallint not null default 0,
  proof smallint not null default 0,
  source_count smallint not null generated always as (cardinality(source)) stored,
  source_start text collate "C" not null generated always as ("left"(source_text(source), 64)) stored,
  constraint domains_pkey PRIMARY KEY (id),
  constraint domains_name UNIQUE (name),
  constraint domains_domain_rating_check CHECK (((domain_rating >= 0) AND (domain_rating <= 100))),
  constraint domains_name_check CHECK ((name !~ '[^a-z0-9._-]'::text)),
  constraint domains_outbound_links_check CHECK ((outbound_links >= 0)),
  constraint domains_risk_level_check CHECK (((risk_level >= 1) AND (risk_level <= 4))),
  constraint domains_source_check CHECK ((cardinality(source) > 0))
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX domains_added ON domains USING btree (added_at, id);
CREATE INDEX domains_cost ON domains USING btree (cost_amount, id);
CREATE INDEX domains_hash ON domains USING btree (SUBSTRING(domain_hash(name) FROM 1 FOR 2));
CREATE INDEX domains_names_above_low ON domains USING btree (name, risk_level) WHERE (risk_level > 1);
CREATE INDEX domains_rating ON domains USING btree (domain_rating, id);
CREATE INDEX domains_risk ON domains USING btree (risk_level, id);
CREATE INDEX domains_search ON domains USING gin (translate(name, '.-_'::text, '967'::text) gin_trgm_ops, source, niche, tld, domain_confidence(source_count, copies, proof));
CREATE INDEX domains_source ON domains USING btree (source_start, id);
CREATE INDEX domains_updated ON domains USING btree (updated_at, id);
CREATE TRIGGER domains_deleted AFTER DELETE ON domains REFERENCING OLD TABLE AS removed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_domains('select -1 as sign, * from removed_rows');
CREATE TRIGGER domains_inserted AFTER INSERT ON domains REFERENCING NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION count_domains('select 1 as sign, * from added_rows');
CREATE TRIGGER domains_truncated AFTER TRUNCATE ON domains FOR EACH STATEMENT EXECUTE FUNCTION forget_domain_counts();
CREATE TRIGGER domains_updated AFTER UPDATE ON domains REFERENCING OLD TABLE AS removed_rows NEW TABLE AS added_rows FOR EACH STATEMENT EXECUTE FUNCTION count_domains('select -1 as sign, * from removed_rows union all select 1 as sign, * from added_rows');

create table earlier_defaults (
  setting text not null,
  value text not null,
  constraint earlier_defaults_pkey PRIMARY KEY (setting)
);

create table email_changes (
  user_id bigint not null,
  email text not null,
  token_hash bytea,
  expires_at timestamp with time zone not null,
  constraint email_changes_pkey PRIMARY KEY (user_id),
  constraint email_changes_token_hash_key UNIQUE (token_hash),
  constraint email_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table evidence_proofs (
  name text collate "C" not null,
  source_id integer not null,
  url text not null,
  status text,
  quote text,
  text_hash bytea,
  checked_at timestamp with time zone,
  next_at timestamp with time zone not null,
  gone_since timestamp with time zone,
  is_gone boolean not null default false,
  constraint evidence_proofs_pkey PRIMARY KEY (name, source_id),
  constraint evidence_proofs_status_check CHECK ((status = ANY (ARRAY['seen'::text, 'changed'::text, 'gone'::text, 'unreachable'::text])))
);
CREATE INDEX evidence_proofs_due ON evidence_proofs USING btree (next_at);
CREATE INDEX evidence_proofs_gone ON evidence_proofs USING btree (name, source_id) WHERE is_gone;
CREATE INDEX evidence_proofs_url ON evidence_proofs USING btree (url, next_at);

create table families (
  id integer not null generated always as identity,
  name text not null,
  created_at timestamp with time zone not null default now(),
  constraint families_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX families_name ON families USING btree (lower((name COLLATE "default")));

create table feed_changes (
  run_id bigint not null,
  is_removed boolean not null,
  name text collate "C" not null,
  constraint feed_changes_pkey PRIMARY KEY (run_id, is_removed, name),
  constraint feed_changes_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) ON DELETE CASCADE
);

create table feed_copies (
  run_id bigint not null,
  name text collate "C" not null,
  constraint feed_copies_pkey PRIMARY KEY (run_id, name),
  constraint feed_copies_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_runs(id) ON DELETE CASCADE
);

create table feed_names (
  feed_id integer not null,
  name text collate "C" not null,
  missed boolean not null default false,
  constraint feed_names_pkey PRIMARY KEY (feed_id, name),
  constraint feed_names_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id) ON DELETE CASCADE
);

create table feed_runs (
  id bigint not null generated always as identity,
  feed_id integer not null,
  action text not null default 'refresh'::text,
  accepted boolean not null default false,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  bytes bigint,
  added integer not null default 0,
  removed integer not null default 0,
  unchanged integer not null default 0,
  held integer not null default 0,
  rejected jsonb not null default '{}'::jsonb,
  listed integer not null default 0,
  delisted integer not null default 0,
  etag text,
  last_modified text,
  body_hash bytea,
  detected_format text,
  progress_at timestamp with time zone,
  constraint feed_runs_pkey PRIMARY KEY (id),
  constraint feed_runs_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feeds(id) ON DELETE CASCADE,
  constraint feed_runs_action_check CHECK ((action = ANY (ARRAY['refresh'::text, 'withdraw'::text]))),
  constraint feed_runs_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint feed_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'waiting'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX feed_runs_feed ON feed_runs USING btree (feed_id, id DESC);
CREATE INDEX feed_runs_finished ON feed_runs USING btree (finished_at) WHERE (status = 'completed'::text);
CREATE UNIQUE INDEX feed_runs_unfinished ON feed_runs USING btree (feed_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

create table feeds (
  id integer not null generated always as identity,
  source_id integer,
  catalogue_key text,
  name text not null,
  url text not null,
  format text not null default 'auto'::text,
  detected_format text,
  kind text not null,
  interval_hours smallint not null,
  enabled boolean not null default true,
  licence text,
  homepage text,
  etag text,
  last_modified text,
  body_hash bytea,
  names integer not null default 0,
  is_unchanged boolean not null default false,
  failures smallint not null default 0,
  last_run_at timestamp with time zone,
  last_success_at timestamp with time zone,
  next_run_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  constraint feeds_pkey PRIMARY KEY (id),
  constraint feeds_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON DELETE SET NULL,
  constraint feeds_interval_hours_check CHECK (((interval_hours >= 24) AND (interval_hours <= 744))),
  constraint feeds_kind_check CHECK ((kind = ANY (ARRAY['block'::text, 'allow'::text])))
);
CREATE UNIQUE INDEX feeds_catalogue_key ON feeds USING btree (catalogue_key) WHERE (deleted_at IS NULL);
CREATE INDEX feeds_due ON feeds USING btree (next_run_at) WHERE (enabled AND (deleted_at IS NULL));
CREATE UNIQUE INDEX feeds_name ON feeds USING btree (lower((name COLLATE "default"))) WHERE ((kind = 'allow'::text) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX feeds_source ON feeds USING btree (source_id) WHERE (deleted_at IS NULL);

create table held_listings (
  id bigint not null generated always as identity,
  domain text collate "C" not null,
  source_id integer not null,
  reason text not null,
  cells jsonb not null,
  held_at timestamp with time zone not null,
  rejected_at timestamp with time zone,
  constraint held_listings_pkey PRIMARY KEY (id),
  constraint held_listings_domain_source_id_key UNIQUE (domain, source_id),
  constraint held_listings_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON DELETE CASCADE
);
CREATE INDEX held_listings_source ON held_listings USING btree (source_id);
CREATE INDEX held_listings_waiting ON held_listings USING btree (held_at DESC, id DESC) WHERE (rejected_at IS NULL);

create table idempotent_answers (
  user_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  location text,
  body text,
  created_at timestamp with time zone not null,
  constraint idempotent_answers_pkey PRIMARY KEY (user_id, key),
  constraint idempotent_answers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX idempotent_answers_created_at ON idempotent_answers USING btree (created_at);

create table import_failures (
  import_id uuid not null,
  line bigint not null,
  value text not null,
  reason text not null,
  is_held boolean not null default false,
  constraint import_failures_pkey PRIMARY KEY (import_id, line),
  constraint import_failures_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE
);

create table imports (
  id uuid not null default gen_random_uuid(),
  user_id bigint,
  added_by text not null,
  file_name text not null,
  file_path text not null,
  file_bytes bigint not null,
  status text not null default 'queued'::text,
  refused boolean not null default false,
  progress smallint not null default 0,
  processed_count bigint not null default 0,
  imported_count bigint not null default 0,
  updated_count bigint not null default 0,
  failed_count bigint not null default 0,
  total_count bigint,
  message text not null default ''::text,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  held_count bigint not null default 0,
  dry_run boolean not null default false,
  reading jsonb not null default '{}'::jsonb,
  unchanged_count bigint not null default 0,
  progress_at timestamp with time zone,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint imports_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX imports_created ON imports USING btree (created_at DESC);
CREATE INDEX imports_unfinished ON imports USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX imports_user ON imports USING btree (user_id);

create table link_checks (
  id bigint not null generated always as identity,
  report_id bigint not null,
  only_undecided boolean not null default false,
  domains text[],
  planned_position integer not null default '-1'::integer,
  pages integer not null default 0,
  visited integer not null default 0,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  progress_at timestamp with time zone,
  constraint link_checks_pkey PRIMARY KEY (id),
  constraint link_checks_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint link_checks_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX link_checks_open ON link_checks USING btree (report_id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX link_checks_report ON link_checks USING btree (report_id, id);

create table listings (
  name text collate "C" not null,
  source_id integer not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  withdrawn_at timestamp with time zone,
  evidence_url text,
  price text,
  note text,
  constraint listings_pkey PRIMARY KEY (name, source_id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX listings_evidence ON listings USING btree (name, source_id) WHERE ((evidence_url IS NOT NULL) AND (withdrawn_at IS NULL));

create table live_domains (
  report_id bigint not null,
  "position" integer not null,
  pages integer not null,
  checked_pages integer not null default 0,
  state smallint,
  checked_at timestamp with time zone,
  constraint live_domains_pkey PRIMARY KEY (report_id, "position")
);

create table live_pages (
  report_id bigint not null,
  page_hash bytea not null,
  "position" integer not null,
  host text collate "C" not null,
  page text not null,
  targets text[] not null,
  wanted_by bigint,
  state smallint,
  reason text,
  http_status smallint,
  final_url text,
  rel text,
  anchor text,
  sentence text,
  text_hash bytea,
  checked_at timestamp with time zone,
  constraint live_pages_pkey PRIMARY KEY (report_id, page_hash)
);
CREATE INDEX live_pages_position ON live_pages USING btree (report_id, "position");
CREATE INDEX live_pages_wanted ON live_pages USING btree (wanted_by, host) WHERE (wanted_by IS NOT NULL);

create table login_failures (
  key text not null,
  failed_at timestamp with time zone not null default now(),
  user_id bigint
);
CREATE INDEX login_failures_key ON login_failures USING btree (key, failed_at);
CREATE INDEX login_failures_user ON login_failures USING btree (user_id, failed_at) WHERE (user_id IS NOT NULL);

create table maintenance_runs (
  id bigint not null generated always as identity,
  user_id bigint,
  started_by text not null,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  attempts smallint not null default 0,
  bytes_before bigint,
  bytes_after bigint,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  refused boolean not null default false,
  progress_at timestamp with time zone,
  constraint maintenance_runs_pkey PRIMARY KEY (id),
  constraint maintenance_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint maintenance_runs_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint maintenance_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX maintenance_runs_unfinished ON maintenance_runs USING btree ((true)) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX maintenance_runs_user ON maintenance_runs USING btree (user_id);

create table message_replies (
  id bigint not null generated always as identity,
  message_id bigint not null,
  user_id bigint,
  username text not null,
  message text not null,
  created_at timestamp with time zone not null default now(),
  lost_at timestamp with time zone,
  constraint message_replies_pkey PRIMARY KEY (id),
  constraint message_replies_message_id_fkey FOREIGN KEY (message_id) REFERENCES messages(id) ON DELETE CASCADE,
  constraint message_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX message_replies_message ON message_replies USING btree (message_id, id);
CREATE INDEX message_replies_user ON message_replies USING btree (user_id);

create table messages (
  id bigint not null generated always as identity,
  user_id bigint,
  domain_id bigint,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  created_at timestamp with time zone not null default now(),
  read_at timestamp with time zone,
  replied_at timestamp with time zone,
  appeal_id bigint,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_appeal_id_fkey FOREIGN KEY (appeal_id) REFERENCES appeals(id) ON DELETE SET NULL,
  constraint messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX messages_appeal ON messages USING btree (appeal_id) WHERE (appeal_id IS NOT NULL);
CREATE INDEX messages_created ON messages USING btree (created_at DESC);
CREATE INDEX messages_state ON messages USING btree (replied_at, read_at);
CREATE INDEX messages_text ON messages USING gin ((((((((name || '
'::text) || email) || '
'::text) || subject) || '
'::text) || message)) gin_trgm_ops);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('messages', 'user_id', '300 + octet_length(name) + octet_length(email) + octet_length(subject) + octet_length(message)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON messages REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('messages', 'user_id', '300 + octet_length(name) + octet_length(email) + octet_length(subject) + octet_length(message)', 'request');

create table migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  version text,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table newsletter_subscriptions (
  id bigint not null generated always as identity,
  email text not null,
  first_name text,
  consented_at timestamp with time zone not null,
  unsubscribed_at timestamp with time zone,
  token text not null,
  constraint newsletter_subscriptions_pkey PRIMARY KEY (id),
  constraint newsletter_subscriptions_token_key UNIQUE (token)
);
CREATE UNIQUE INDEX newsletter_subscriptions_email ON newsletter_subscriptions USING btree (lower(email));

create table oauth_clients (
  id text not null,
  metadata jsonb not null,
  used_at timestamp with time zone not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (id)
);

create table oauth_records (
  hash bytea not null,
  key_id bigint,
  payload jsonb not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint oauth_records_pkey PRIMARY KEY (hash),
  constraint oauth_records_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);
CREATE INDEX oauth_records_key ON oauth_records USING btree (key_id) WHERE (key_id IS NOT NULL);

create table oidc_identities (
  id bigint not null generated always as identity,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_at timestamp with time zone not null default now(),
  constraint oidc_identities_pkey PRIMARY KEY (id),
  constraint oidc_identities_subject UNIQUE (issuer, subject),
  constraint oidc_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oidc_identities_user ON oidc_identities USING btree (user_id);

create table oidc_requests (
  state_hash bytea not null,
  browser_hash bytea not null,
  provider text not null,
  nonce text not null,
  code_verifier text not null,
  user_id bigint,
  expires_at timestamp with time zone not null,
  constraint oidc_requests_pkey PRIMARY KEY (state_hash),
  constraint oidc_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oidc_requests_user ON oidc_requests USING btree (user_id) WHERE (user_id IS NOT NULL);

create table password_resets (
  user_id bigint not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  by_email boolean not null default false,
  constraint password_resets_pkey PRIMARY KEY (user_id),
  constraint password_resets_token_hash_key UNIQUE (token_hash),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table recovery_codes (
  user_id bigint not null,
  code_hash bytea not null,
  salt bytea,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table report_brands (
  user_id bigint not null,
  name text not null,
  logo bytea,
  logo_type text,
  updated_at timestamp with time zone not null default now(),
  constraint report_brands_pkey PRIMARY KEY (user_id),
  constraint report_brands_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint report_brands_logo CHECK (((logo IS NULL) = (logo_type IS NULL)))
);

create table report_domains (
  report_id bigint not null,
  "position" integer not null,
  domain text collate "C" not null,
  risk_level smallint not null,
  source text not null,
  source_count smallint not null,
  listed_at timestamp with time zone not null,
  backlinks integer not null,
  lost_backlinks integer not null default 0,
  copies smallint not null default 0,
  proof smallint not null default 0,
  niche text,
  first_seen date,
  nofollow_backlinks integer not null default 0,
  signals smallint not null default 0,
  new_in smallint not null default 0,
  constraint report_domains_pkey PRIMARY KEY (report_id, "position"),
  constraint report_domains_risk_level_check CHECK (((risk_level >= 1) AND (risk_level <= 4)))
);
CREATE INDEX report_domains_name ON report_domains USING btree (report_id, domain);

create table report_links (
  report_id bigint not null,
  "position" integer not null,
  links text not null,
  constraint report_links_pkey PRIMARY KEY (report_id, "position")
) with (autovacuum_vacuum_scale_factor=0.02);

create table report_shares (
  report_id bigint not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  id bigint not null generated always as identity,
  sealed bytea,
  constraint report_shares_pkey PRIMARY KEY (id),
  constraint report_shares_token_hash_key UNIQUE (token_hash),
  constraint report_shares_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);
CREATE INDEX report_shares_report ON report_shares USING btree (report_id);

create table reports (
  id bigint not null generated always as identity,
  website_id bigint not null,
  file_name text not null,
  total_backlinks bigint not null,
  total_domains bigint not null,
  unique_domains bigint not null,
  toxic_domains bigint not null,
  risk_counts jsonb not null,
  created_at timestamp with time zone not null default now(),
  formats jsonb not null,
  ignored_tables jsonb not null,
  nofollow_backlinks bigint not null default 0,
  lost_backlinks bigint not null default 0,
  including_lost jsonb,
  signals jsonb,
  stored_bytes bigint not null default 0,
  domain_counts jsonb,
  compared_with bigint,
  decision_counts jsonb,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE
);
CREATE INDEX reports_uncounted ON reports USING btree (id) WHERE (domain_counts IS NULL);
CREATE INDEX reports_website ON reports USING btree (website_id, created_at DESC, id DESC);
CREATE TRIGGER count_changed_usage AFTER UPDATE ON reports REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('reports', 'website_id', 'stored_bytes', 'work');
CREATE TRIGGER count_deleted_usage AFTER DELETE ON reports REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('reports', 'website_id', 'stored_bytes', 'work');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON reports REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('reports', 'website_id', 'stored_bytes', 'work');
CREATE TRIGGER reports_deleted BEFORE DELETE ON reports FOR EACH ROW EXECUTE FUNCTION record_deleted_report();

create table saved_views (
  id bigint not null generated always as identity,
  user_id bigint not null,
  name text not null,
  query jsonb not null,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint saved_views_pkey PRIMARY KEY (id),
  constraint saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_default ON saved_views USING btree (user_id) WHERE is_default;
CREATE UNIQUE INDEX saved_views_name ON saved_views USING btree (user_id, lower(name));
CREATE TRIGGER count_changed_usage AFTER UPDATE ON saved_views REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('views', 'user_id', '200 + octet_length(name) + octet_length(query::text)', 'request');
CREATE TRIGGER count_deleted_usage AFTER DELETE ON saved_views REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('views', 'user_id', '200 + octet_length(name) + octet_length(query::text)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON saved_views REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('views', 'user_id', '200 + octet_length(name) + octet_length(query::text)', 'request');

create table second_factors (
  user_id bigint not null,
  secret bytea not null,
  last_step bigint not null default 0,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sessions (
  id_hash bytea not null,
  user_id bigint not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  user_agent text,
  address text,
  id bigint not null generated always as identity,
  proven_at timestamp with time zone default now(),
  previous_id_hash bytea,
  previous_until timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id_hash),
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);
CREATE UNIQUE INDEX sessions_previous ON sessions USING btree (previous_id_hash) WHERE (previous_id_hash IS NOT NULL);
CREATE INDEX sessions_user ON sessions USING btree (user_id);

create unlogged table shared_limits (
  process uuid not null,
  key text not null,
  calls integer not null,
  expires_at timestamp with time zone not null,
  constraint shared_limits_pkey PRIMARY KEY (key, process)
);

create table site_rules (
  id bigint not null generated always as identity,
  domain text collate "C" not null,
  decision text not null,
  reason text not null,
  created_by bigint,
  created_at timestamp with time zone not null default now(),
  constraint site_rules_pkey PRIMARY KEY (id),
  constraint site_rules_domain_key UNIQUE (domain),
  constraint site_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint site_rules_decision_check CHECK ((decision = ANY (ARRAY['allow'::text, 'list'::text, 'shared'::text, 'suggested'::text, 'dismissed'::text])))
);
CREATE INDEX site_rules_allow ON site_rules USING btree (created_at DESC, id DESC) WHERE (decision = 'allow'::text);
CREATE INDEX site_rules_hash ON site_rules USING btree (SUBSTRING(domain_hash(domain) FROM 1 FOR 2)) WHERE (decision = 'allow'::text);
CREATE INDEX site_rules_shared ON site_rules USING btree (domain) WHERE (decision = ANY (ARRAY['shared'::text, 'suggested'::text]));
CREATE TRIGGER site_rules_changed AFTER INSERT OR DELETE OR UPDATE ON site_rules FOR EACH ROW EXECUTE FUNCTION record_rule_change();

create table source_aliases (
  name text collate "C" not null,
  source_id integer not null,
  constraint source_aliases_source_id_fkey FOREIGN KEY (source_id) REFERENCES sources(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX source_aliases_name ON source_aliases USING btree (lower((name COLLATE "default")));
CREATE INDEX source_aliases_source ON source_aliases USING btree (source_id);

create table source_runs (
  id bigint not null generated always as identity,
  user_id bigint,
  started_by text not null,
  title text not null,
  source_ids integer[] not null,
  old_name text collate "C",
  into_id integer,
  only_shared boolean not null default false,
  last_id bigint not null default 0,
  done_count bigint not null default 0,
  status text not null default 'queued'::text,
  progress smallint not null default 0,
  message text not null default ''::text,
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  progress_at timestamp with time zone,
  constraint source_runs_pkey PRIMARY KEY (id),
  constraint source_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint source_runs_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint source_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX source_runs_unfinished ON source_runs USING btree (id) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));
CREATE INDEX source_runs_user ON source_runs USING btree (user_id);

create table sources (
  id integer not null generated always as identity,
  name text collate "C" not null,
  kind text not null default 'manual'::text,
  family_id integer,
  is_public boolean not null default false,
  first_seen_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  constraint sources_pkey PRIMARY KEY (id),
  constraint sources_family_id_fkey FOREIGN KEY (family_id) REFERENCES families(id) ON DELETE SET NULL,
  constraint sources_kind_check CHECK ((kind = ANY (ARRAY['inventory'::text, 'submission'::text, 'manual'::text, 'disavow'::text, 'list'::text])))
);
CREATE INDEX sources_family ON sources USING btree (family_id) WHERE (family_id IS NOT NULL);
CREATE UNIQUE INDEX sources_name ON sources USING btree (lower((name COLLATE "default")));

create table stripe_customers (
  user_id bigint,
  customer_id text not null,
  session_id text,
  constraint stripe_customers_pkey PRIMARY KEY (customer_id),
  constraint stripe_customers_user_id_key UNIQUE (user_id),
  constraint stripe_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);

create table submissions (
  id bigint not null generated always as identity,
  user_id bigint,
  domain text collate "C" not null,
  evidence text not null,
  source text not null,
  cost text not null,
  niche text not null,
  domain_rating smallint,
  additional_notes text,
  status text not null default 'pending'::text,
  reason text,
  decided_by bigint,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint submissions_pkey PRIMARY KEY (id),
  constraint submissions_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint submissions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint submissions_check CHECK (((status = 'pending'::text) = (decided_at IS NULL))),
  constraint submissions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX submissions_decided_by ON submissions USING btree (decided_by) WHERE (decided_by IS NOT NULL);
CREATE UNIQUE INDEX submissions_pending ON submissions USING btree (user_id, domain) WHERE (status = 'pending'::text);
CREATE INDEX submissions_review ON submissions USING btree (status, created_at DESC, id DESC);
CREATE INDEX submissions_user ON submissions USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON submissions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('submissions', 'user_id', '300 + octet_length(evidence) + octet_length(source) + octet_length(cost) + octet_length(niche) + octet_length(coalesce(additional_notes, ''''))', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON submissions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('submissions', 'user_id', '300 + octet_length(evidence) + octet_length(source) + octet_length(cost) + octet_length(niche) + octet_length(coalesce(additional_notes, ''''))', 'request');

create table subscriptions (
  user_id bigint not null,
  provider text not null,
  tier text not null,
  status text not null,
  next_tier text,
  period_ends_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  customer_id text,
  subscription_id text,
  constraint subscriptions_pkey PRIMARY KEY (user_id),
  constraint subscriptions_subscription_id_key UNIQUE (subscription_id),
  constraint subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint subscriptions_check CHECK (((provider = 'stripe'::text) = ((subscription_id IS NOT NULL) AND (customer_id IS NOT NULL)))),
  constraint subscriptions_check1 CHECK (((status = 'ending'::text) = (next_tier IS NOT NULL))),
  constraint subscriptions_next_tier_check CHECK ((next_tier = ANY (ARRAY['free'::text, 'standard'::text, 'business'::text]))),
  constraint subscriptions_provider_check CHECK ((provider = ANY (ARRAY['simulated'::text, 'stripe'::text]))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'ending'::text, 'overdue'::text]))),
  constraint subscriptions_tier_check CHECK ((tier = ANY (ARRAY['standard'::text, 'business'::text])))
);

create table uploads (
  id uuid not null default gen_random_uuid(),
  user_id bigint,
  bytes bigint not null,
  bytes_left bigint not null,
  expires_at timestamp with time zone not null,
  parts jsonb,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX uploads_user ON uploads USING btree (user_id);

create table users (
  id bigint not null generated always as identity,
  email text not null,
  username text not null,
  display_name text,
  photo_url text,
  firebase_uid text,
  password_hash text,
  is_admin boolean not null default false,
  search_count integer not null default 0,
  search_limit integer,
  searches_used integer not null default 0,
  subscription_tier text not null default 'full_access'::text,
  subscription_status text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  last_search text,
  last_search_at timestamp with time zone,
  has_own_name boolean not null default false,
  device_version integer not null default 1,
  second_factor_at timestamp with time zone,
  email_confirmed boolean not null default true,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_firebase_uid_key UNIQUE (firebase_uid),
  constraint users_subscription_status_check CHECK ((subscription_status = ANY (ARRAY['active'::text, 'inactive'::text])))
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));
CREATE UNIQUE INDEX users_username ON users USING btree (lower(username));

create table watches (
  website_id bigint not null,
  enabled boolean not null default true,
  listed boolean not null default true,
  raised boolean not null default true,
  lowered boolean not null default true,
  delisted boolean not null default true,
  digest text not null default 'off'::text,
  hosts integer not null default 0,
  reminded_report_id bigint,
  constraint watches_pkey PRIMARY KEY (website_id),
  constraint watches_website_id_fkey FOREIGN KEY (website_id) REFERENCES websites(id) ON DELETE CASCADE,
  constraint watches_digest_check CHECK ((digest = ANY (ARRAY['daily'::text, 'weekly'::text, 'off'::text])))
);
CREATE TRIGGER count_changed_usage AFTER UPDATE ON watches REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('watches', 'website_id', '200 * hosts::bigint', 'work');
CREATE TRIGGER count_deleted_usage AFTER DELETE ON watches REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('watches', 'website_id', '200 * hosts::bigint', 'work');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON watches REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('watches', 'website_id', '200 * hosts::bigint', 'work');

create table webhook_deliveries (
  id bigint not null generated always as identity,
  webhook_id bigint not null,
  event_id text not null,
  type text not null,
  payload json not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone,
  leased_until timestamp with time zone,
  last_attempt_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_webhook ON webhook_deliveries USING btree (webhook_id, id DESC);

create table webhooks (
  id bigint not null generated always as identity,
  user_id bigint not null,
  url text not null,
  events text[] not null,
  format text not null,
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  active boolean not null default true,
  disabled_reason text,
  failing_since timestamp with time zone,
  paused_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint webhooks_format_check CHECK ((format = ANY (ARRAY['standard'::text, 'chat'::text])))
);
CREATE INDEX webhooks_user ON webhooks USING btree (user_id);
CREATE TRIGGER count_deleted_usage AFTER DELETE ON webhooks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('webhooks', 'user_id', '500 + octet_length(url)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON webhooks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('webhooks', 'user_id', '500 + octet_length(url)', 'request');

create table website_host_blocks (
  website_id bigint not null,
  bucket integer not null,
  host_count integer not null,
  oldest_day date not null,
  body text collate "C" not null,
  constraint website_host_blocks_pkey PRIMARY KEY (website_id, bucket)
);
CREATE INDEX website_host_blocks_bucket ON website_host_blocks USING btree (bucket);

create table website_hosts (
  website_id bigint not null,
  host text collate "C" not null,
  registrable_domain text collate "C" not null,
  backlinks integer not null,
  first_report_id bigint not null,
  report_id bigint not null,
  first_seen date not null,
  last_seen date not null,
  domain text collate "C",
  risk_level smallint
);
CREATE INDEX website_hosts_registrable_domain ON website_hosts USING btree (registrable_domain);
CREATE INDEX website_hosts_website ON website_hosts USING btree (website_id);

create table websites (
  id bigint not null generated always as identity,
  user_id bigint,
  domain text collate "C" not null,
  description text,
  created_at timestamp with time zone not null default now(),
  scope text not null default 'system'::text,
  disavow_answers jsonb,
  disavow_answered_at timestamp with time zone,
  tags text[] not null default '{}'::text[],
  awaits_upload boolean not null default false,
  deleted_at timestamp with time zone,
  deleted_by bigint,
  constraint websites_pkey PRIMARY KEY (id),
  constraint websites_deleted_by_fkey FOREIGN KEY (deleted_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint websites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint websites_scope_check CHECK ((scope = ANY (ARRAY['system'::text, 'owner'::text])))
);
CREATE INDEX websites_deleted_at ON websites USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX websites_deleted_by ON websites USING btree (deleted_by) WHERE (deleted_by IS NOT NULL);
CREATE UNIQUE INDEX websites_domain_owner ON websites USING btree (domain, user_id);
CREATE UNIQUE INDEX websites_system_domain ON websites USING btree (domain) WHERE (scope = 'system'::text);
CREATE INDEX websites_user ON websites USING btree (user_id);
CREATE TRIGGER count_changed_usage AFTER UPDATE ON websites REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('websites', 'user_id', '500 + octet_length(coalesce(description, '''')) + octet_length(array_to_string(tags, '''')) + coalesce(octet_length(disavow_answers::text), 0)', 'request');
CREATE TRIGGER count_deleted_usage AFTER DELETE ON websites REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('websites', 'user_id', '500 + octet_length(coalesce(description, '''')) + octet_length(array_to_string(tags, '''')) + coalesce(octet_length(disavow_answers::text), 0)', 'request');
CREATE TRIGGER count_inserted_usage AFTER INSERT ON websites REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_account_usage('websites', 'user_id', '500 + octet_length(coalesce(description, '''')) + octet_length(array_to_string(tags, '''')) + coalesce(octet_length(disavow_answers::text), 0)', 'request');
CREATE TRIGGER delete_decisions BEFORE DELETE ON websites FOR EACH ROW EXECUTE FUNCTION delete_decisions_of_website();
CREATE TRIGGER websites_deleted BEFORE DELETE ON websites FOR EACH ROW EXECUTE FUNCTION record_deleted_website();

CREATE OR REPLACE FUNCTION count_account_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  kind constant text := tg_argv[0];
  owner constant text := tg_argv[1];
  added constant text := format('select %I as owner, 1 as sign, %s as size from new_rows', owner, tg_argv[2]);
  removed constant text := format('select %I as owner, -1 as sign, %s as size from old_rows', owner, tg_argv[2]);
begin
  execute format(
    $statement$
      with change as materialized (
        select owner, sum(sign) as rows, sum(sign * size) as bytes,
          case when %4$L = 'request' then coalesce(sum(size) filter (where sign = 1), 0) else 0 end as written
        from (%3$s) as row
        where owner is not null
        group by owner
      ),
      -- The owner of a row that only changes or disappears has a counter, unless the owner is being deleted.
      changed as (
        update account_usage usage set
          rows = usage.rows + change.rows,
          bytes = usage.bytes + change.bytes,
          written = case when usage.hour = date_trunc('hour', now()) then usage.written else 0 end + change.written,
          hour = date_trunc('hour', now())
        from change
        where usage.%1$I = change.owner and usage.kind = %2$L and change.rows <= 0
          and (change.rows <> 0 or change.bytes <> 0 or change.written <> 0)
      )
      insert into account_usage as usage (%1$I, kind, rows, bytes, hour, written)
      select owner, %2$L, rows, bytes, date_trunc('hour', now()), written from change where rows > 0 order by owner
      on conflict (user_id, website_id, kind) do update set
        rows = usage.rows + excluded.rows,
        bytes = usage.bytes + excluded.bytes,
        written = case when usage.hour = excluded.hour then usage.written else 0 end + excluded.written,
        hour = excluded.hour
    $statement$,
    owner,
    kind,
    case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union all ' || removed end,
    tg_argv[3]
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION count_domains()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  execute domain_counts_statement(tg_argv[0]);
  execute format($statement$
    with change as materialized (
      select name, sum(sign) as sign, sum(sign * risk_level) as risk from (%s) as change group by name
    ),
    grams as (insert into domain_gram_changes (name, sign) select name, sign from change where sign <> 0 and not %L)
    insert into domain_changes (names)
    select array_agg(name) from (select name, (row_number() over () - 1) / 50000 as part from change where risk <> 0) as changed
    group by part
  $statement$, tg_argv[0], tg_op = 'INSERT' and coalesce(current_setting('linksieve.queue_names', true), 'on') = 'off');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION count_independent(distinct_sources bigint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (GREATEST(distinct_sources, (1)::bigint))::smallint;

CREATE OR REPLACE FUNCTION counted_risk(independent smallint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (independent >= 5) THEN 4 WHEN (independent = 4) THEN 3 WHEN (independent >= 2) THEN 2 ELSE 1 END)::smallint;

CREATE OR REPLACE FUNCTION delete_decisions_of_website()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  loop
    delete from decisions
    where website_id = old.id and domain = any(array(select domain from decisions where website_id = old.id limit 10000));
    exit when not found;
  end loop;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION domain_confidence(source_count smallint, copies smallint, proof smallint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (proof = 2) THEN (3)::smallint WHEN ((proof = 1) OR ((source_count - copies) > 1)) THEN (2)::smallint ELSE (1)::smallint END;

CREATE OR REPLACE FUNCTION domain_counts_statement(relation text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select format($statement$
    with changes as not materialized (%s),
    by_source as materialized (
      select source, risk_level, sum(sign) as sign from changes group by source, risk_level having sum(sign) <> 0
    )
    insert into domain_counts (facet, key, delta)
    select
      case
        when grouping(added, risk_level) = 0 then 'addedRisk'
        when grouping(added) = 0 then 'added'
        when grouping(updated) = 0 then 'updated'
        when grouping(prefix) = 0 then 'prefix'
        when grouping(risk_level, block) = 0 then 'block'
        when grouping(domain_rating) = 0 then 'rating'
        when grouping(amount) = 0 then 'cost'
        when grouping(risk_level, confidence, tld, niche) = 0 then 'combination'
        when grouping(risk_level) = 0 then 'risk'
        when grouping(confidence) = 0 then 'confidence'
        when grouping(tld) = 0 then 'tld'
        when grouping(niche) = 0 then 'niche'
        else 'all'
      end,
      case
        when grouping(added, risk_level) = 0 then (added at time zone 'UTC')::date || ' ' || risk_level
        when grouping(added) = 0 then (added at time zone 'UTC')::date::text
        when grouping(updated) = 0 then (updated at time zone 'UTC')::date::text
        when grouping(prefix) = 0 then prefix
        when grouping(risk_level, block) = 0 then risk_level || ' ' || lpad(block::text, 12, '0')
        when grouping(domain_rating) = 0 then coalesce(lpad(domain_rating::text, 3, '0'), '~' || lpad(unrated_block::text, 12, '0'))
        when grouping(amount) = 0 then coalesce(lpad(amount::bigint::text, 10, '0'), '~' || lpad(unpriced_block::text, 12, '0'))
        when grouping(risk_level, confidence, tld, niche) = 0
          then risk_level || ' ' || confidence || ' ' || tld || ' ' || coalesce(niche, '')
        when grouping(risk_level) = 0 then risk_level::text
        when grouping(confidence) = 0 then confidence::text
        when grouping(tld) = 0 then tld
        when grouping(niche) = 0 then coalesce(niche, '')
        else ''
      end,
      sum(sign)
    from (
      select sign, risk_level, domain_confidence(source_count, copies, proof) as confidence, tld, niche, domain_rating,
        id >> 16 as block, left(name, 3) as prefix,
        case when domain_rating is null then id >> 16 end as unrated_block,
        floor(case when cost_amount > 1e9 then 1e9 else cost_amount end) as amount,
        case when cost_amount is null then id >> 16 end as unpriced_block,
        date_bin('1 day', added_at, '2000-01-01Z') as added, date_bin('1 day', updated_at, '2000-01-01Z') as updated
      from changes
    ) as change
    group by grouping sets (
      (), (added), (added, risk_level), (updated), (prefix), (risk_level, block), (domain_rating, unrated_block),
      (amount, unpriced_block), (risk_level, confidence, tld, niche), (risk_level), (confidence), (tld), (niche)
    )
    having coalesce(sum(sign), 0) <> 0
    union all
    select 'start', left(source_text(source), 64) as start, sum(sign) from by_source group by start having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(source) as one group by one having sum(sign) <> 0
    union all
    select 'sourceRisk', risk_level || ' ' || one, sum(sign)
    from by_source, unnest(source) as one group by risk_level, one having sum(sign) <> 0
  $statement$, relation)
$function$;

CREATE OR REPLACE FUNCTION domain_hash(name text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN sha256((name)::bytea);

CREATE OR REPLACE FUNCTION forget_domain_counts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Whoever folds counts would otherwise leave sums that are not seen here. The number is `locks.counts` of server/db/locks.ts.
  perform pg_advisory_xact_lock(7243119503);
  -- Not truncated: readers hold these tables before they come to domains, and would be waited for in a circle.
  delete from domain_counts;
  delete from domain_grams;
  delete from domain_gram_changes;
  delete from domain_changes;
  insert into domain_changes (names) values ('{}');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION independent_source(name text, family_id integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (lower((name COLLATE "C")) <> 'community'::text) THEN COALESCE((','::text || (family_id)::text), name) ELSE NULL::text END;

CREATE OR REPLACE FUNCTION listing_proof(kind text, price text, evidence_url text)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (CASE WHEN (kind <> ALL (ARRAY['inventory'::text, 'submission'::text])) THEN 0 WHEN ((price IS NULL) AND (evidence_url IS NULL)) THEN 1 ELSE 2 END)::smallint;

CREATE OR REPLACE FUNCTION listing_proof(kind text, price text, evidence_url text, is_gone boolean)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN is_gone THEN listing_proof(kind, NULL::text, NULL::text) ELSE listing_proof(kind, price, evidence_url) END;

CREATE OR REPLACE FUNCTION protect_audit_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.user_id is null and to_jsonb(new) - 'user_id' = to_jsonb(old) - 'user_id' then
    return new;
  end if;
  raise exception 'The audit log is only added to.';
end
$function$;

CREATE OR REPLACE FUNCTION record_deleted_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deleted_reports (report_id, website_id, report) values (old.id, old.website_id, to_jsonb(old));
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION record_deleted_website()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deleted_websites (website_id) values (old.id) on conflict do nothing;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION record_rule_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into domain_changes (names) values (array[coalesce(new.domain, old.domain)]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION source_text(source text[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  return array_to_string(source, ', ');
end
$function$;
