-- The schema of version 0.2. It replaced the 68 migrations that were written before its release (docs/operations.md, "Update").

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Accounts

create table users (
  id bigint generated always as identity primary key,
  email text not null,
  username text not null,
  display_name text,
  photo_url text,
  firebase_uid text unique,
  password_hash text,
  is_admin boolean not null default false,
  search_count integer not null default 0,
  search_limit integer,
  searches_used integer not null default 0,
  -- Everybody has Full Access. What a user pays for is in `subscriptions`.
  subscription_tier text not null default 'full_access',
  subscription_status text not null default 'active' check (subscription_status in ('active', 'inactive')),
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  -- Remains when the sessions have expired.
  last_seen_at timestamptz,
  -- Sorting or repeating the last search does not count as another search.
  last_search text,
  last_search_at timestamptz,
  -- The user chose the display name here, so a sign-in with Google does not replace it.
  has_own_name boolean not null default false,
  -- Device cookies with another version are no longer valid.
  device_version integer not null default 1,
  -- When the user turned on the second factor; null while it is off.
  second_factor_at timestamptz,
  -- False while the address of a registration waits for its confirmation.
  email_confirmed boolean not null default true
);

create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));

-- id_hash: the SHA-256 of the secret id, so that nobody can sign in with a copy of this table.
-- proven_at: when the user of the session last proved a password or second factor.
-- previous_id_hash: the earlier id after a proof of identity. It is valid, without the proof, until previous_until, for requests that
-- were already on their way.
create table sessions (
  id_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  address text,
  id bigint generated always as identity unique,
  proven_at timestamptz default now(),
  previous_id_hash bytea,
  previous_until timestamptz
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
create unique index sessions_previous on sessions (previous_id_hash) where previous_id_hash is not null;

-- Uses of everything with a rate limit, such as failed sign-ins by account and by address, so that limits survive a restart and apply
-- across processes. user_id: the account that a failed sign-in is about, so that admins see locked accounts and unlock them. It has no
-- foreign key, because a failed sign-in must not wait for a change of the account. The rows of a deleted account expire within an hour.
create table login_failures (
  key text not null,
  failed_at timestamptz not null default now(),
  user_id bigint
);

create index login_failures_key on login_failures (key, failed_at);
create index login_failures_user on login_failures (user_id, failed_at) where user_id is not null;

-- How often clients have called each process in the current minute. Unlogged: after a crash, the counts start again.
create unlogged table shared_limits (
  process uuid not null,
  key text not null,
  calls integer not null,
  expires_at timestamptz not null,
  primary key (key, process)
);

-- Links that set another password, known by the SHA-256 of their token. One for each account: a newer one replaces it.
-- by_email: the link was emailed, so anyone who opens it receives the email of the account's address.
create table password_resets (
  user_id bigint primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  by_email boolean not null default false
);

-- A new email address that is not confirmed yet. One for each account: a newer one replaces it. The link that confirms it is known by the
-- SHA-256 of its token, and is created when its email is sent.
create table email_changes (
  user_id bigint primary key references users on delete cascade,
  email text not null,
  token_hash bytea unique,
  expires_at timestamptz not null
);

-- The secret of one-time codes, encrypted with the secret key. It counts once users.second_factor_at is set; before that, it waits for
-- the first code. last_step: the time step (30 seconds) of the last accepted code. No code of this step or an earlier one is accepted.
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret bytea not null,
  last_step bigint not null default 0
);

-- Recovery codes that are not used yet, hashed with argon2id and a salt, which is the same for all codes of an account. salt: null for
-- older codes, which are SHA-256 hashes.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  salt bytea,
  primary key (user_id, code_hash)
);

-- What happened to the security of an account: sign-ins, failed attempts, changes. Deleted with the account.
-- subject: what the event is about, such as the name of an API key. device: browser and system, such as 'Firefox on Windows'.
-- network, hour: only of events that are counted. Attempts of the same kind from one network are one row for each hour.
-- mail_due: the owner of the account gets an email about the event, and it was not sent yet.
create table account_events (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null,
  subject text,
  address text not null,
  device text not null,
  network text,
  hour timestamptz,
  count integer not null default 1,
  last_at timestamptz not null,
  mail_due boolean not null default false
);

create unique index account_events_counted on account_events (user_id, kind, network, hour) where hour is not null;
create index account_events_user on account_events (user_id, last_at desc, id desc);
create index account_events_last on account_events (last_at desc, id desc);
create index account_events_mail_due on account_events (user_id) where mail_due;

-- hash: SHA-256 of the value. sealed: the value, encrypted with the secret key. usage_day, daily_usage: the last day with a request, and
-- its requests. expires_at: null if the key never expires. last_address: the address of the last charged request.
-- previous_hash: the value before the last rotation, which works until previous_expires_at. It stays afterwards, so that programs
-- which still send it learn that it was replaced.
-- NOTE: the fill factor leaves room on each page for new versions of its rows, which then need no new index entries.
create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  usage_count bigint not null default 0,
  usage_day date,
  daily_usage integer not null default 0,
  last_used_at timestamptz,
  expires_at timestamptz,
  last_address text,
  previous_hash bytea,
  previous_expires_at timestamptz,
  constraint api_keys_previous check ((previous_hash is null) = (previous_expires_at is null))
) with (fillfactor = 50);

create index api_keys_user on api_keys (user_id);
create unique index api_keys_previous_hash on api_keys (previous_hash) where previous_hash is not null;

-- What a user pays for. next_tier: what it becomes when the period ends.
create table subscriptions (
  user_id bigint primary key references users on delete cascade,
  provider text not null check (provider in ('simulated', 'stripe')),
  tier text not null check (tier in ('standard', 'business')),
  status text not null check (status in ('active', 'ending', 'overdue')),
  next_tier text check (next_tier in ('free', 'standard', 'business')),
  period_ends_at timestamptz not null,
  started_at timestamptz not null,
  customer_id text,
  subscription_id text unique,
  check ((provider = 'stripe') = (subscription_id is not null and customer_id is not null)),
  check ((status = 'ending') = (next_tier is not null))
);

-- A subscription is recognized by its customer, so the row outlives the account: Stripe must still be told to end what is paid for.
-- session_id: the checkout at Stripe that was started last. One checkout of a customer can be paid at a time.
create table stripe_customers (
  user_id bigint references users on delete set null,
  customer_id text primary key,
  session_id text,
  unique (user_id)
);

-- Consent to product news. A row stays after its end, so that nobody is subscribed again without asking for it.
-- token: for the link at the end of each email, which can only unsubscribe.
create table newsletter_subscriptions (
  id bigint generated always as identity primary key,
  email text not null,
  first_name text,
  consented_at timestamptz not null,
  unsubscribed_at timestamptz,
  token text not null unique
);

create unique index newsletter_subscriptions_email on newsletter_subscriptions (lower(email));

-- query: the filters and the sort of the blacklist, with the names of the URL.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  query jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index saved_views_name on saved_views (user_id, lower(name));
create unique index saved_views_default on saved_views (user_id) where is_default;

-- URLs that receive events of their owner. secret, old_secret: encrypted with the secret key. old_secret signs too until
-- old_secret_until. disabled_reason: a sentence, if Linksieve disabled the webhook. failing_since: the first failed attempt since the
-- last success. paused_until: the time that the receiver asked for (Retry-After).
create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  url text not null,
  events text[] not null,
  format text not null check (format in ('standard', 'chat')),
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  active boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  paused_until timestamptz,
  created_at timestamptz not null default now()
);

create index webhooks_user on webhooks (user_id);

-- One event for one webhook. event_id: the same for each webhook that gets the event. payload: type, timestamp and data, where data.url
-- is a path of this site. leased_until: a process is sending it. If the process dies, it is sent again after that time.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event_id text not null,
  type text not null,
  payload json not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  last_attempt_at timestamptz
);

create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- The blacklist

-- name: normalized host name. source: the sources that list it, joined by ', ', in the order of their first listing.
-- risk_level: 1 low, 2 medium, 3 high, 4 very high; risk_given: set by hand or by a file, not by the number of sources.
-- cost_amount: the first number in cost. source_start: what lists are sorted by, short enough for an index.
-- copies: how many of its sources repeat another source of their family, so that source_count - copies sources are independent.
-- proof: 0 none, 1 an active listing of kind inventory or submission, 2 one of these with a price or an evidence URL.
create table domains (
  id bigint generated always as identity primary key,
  name text collate "C" not null check (name !~ '[^a-z0-9._-]'),
  tld text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  risk_given boolean not null default false,
  source text collate "C" not null check (source <> ''),
  source_count smallint not null generated always as (cardinality(string_to_array(source, ', '))) stored,
  source_start text collate "C" not null generated always as (left(source, 64)) stored,
  source_details text,
  description text,
  notes text,
  niche text collate "C",
  domain_rating smallint check (domain_rating between 0 and 100),
  outbound_links integer check (outbound_links >= 0),
  cost text,
  cost_amount double precision generated always as
    (replace(substring(left(cost, 100) from '[0-9,]*\.?[0-9]+'), ',', '')::double precision) stored,
  added_by text,
  added_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  copies smallint not null default 0,
  proof smallint not null default 0,
  constraint domains_name unique (name)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- 1 reported, 2 probable, 3 confirmed.
create function domain_confidence(source_count smallint, copies smallint, proof smallint) returns smallint
language sql immutable parallel safe return
  case when proof = 2 then 3::smallint when proof = 1 or source_count - copies > 1 then 2::smallint else 1::smallint end;

-- For private checks, which send the first digits of a name's hash. Two bytes are enough to find some hundred rows of ten
-- million, and PostgreSQL stores each value once for many rows.
create function domain_hash(name text) returns bytea language sql immutable strict parallel safe
  return sha256(name::bytea);

create index domains_added on domains (added_at, id);
create index domains_updated on domains (updated_at, id);
create index domains_risk on domains (risk_level, id);
create index domains_rating on domains (domain_rating, id);
create index domains_cost on domains (cost_amount, id);
create index domains_source on domains (source_start, id);
create index domains_hash on domains (substring(domain_hash(name) from 1 for 2));
-- Most domains have a low risk. To count the levels of a common search, only the names above it are read.
create index domains_names_above_low on domains (name, risk_level) where risk_level > 1;
-- One index for searches and filters, so that PostgreSQL intersects them before it reads a row. pg_trgm splits texts into words at
-- punctuation. With digits in its place, pieces such as `-st` are found as well. Queries test the name itself, too.
create index domains_search on domains using gin (
  translate(name, '.-_', '967') gin_trgm_ops,
  string_to_array(source, ', '),
  niche,
  tld,
  domain_confidence(source_count, copies, proof)
);

-- Sources that copy from each other. They count as one source.
create table families (
  id integer generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create unique index families_name on families (lower(name collate "default"));

-- kind: what a listing of the source proves; inventory is a seller's own offer, list a public blocklist.
-- is_public: everyone may see the name and the notes of its listings. first_seen_at, last_seen_at: of all its listings.
create table sources (
  id integer generated always as identity primary key,
  name text collate "C" not null,
  kind text not null default 'manual' check (kind in ('inventory', 'submission', 'manual', 'disavow', 'list')),
  family_id integer references families on delete set null,
  is_public boolean not null default false,
  first_seen_at timestamptz,
  last_seen_at timestamptz
);

create unique index sources_name on sources (lower(name collate "default"));
create index sources_family on sources (family_id) where family_id is not null;

-- Earlier names of renamed and merged sources, so that files with these names still add listings of the same source. A source that has
-- this name now takes precedence.
create table source_aliases (
  name text collate "C" not null,
  source_id integer not null references sources on delete cascade
);

create unique index source_aliases_name on source_aliases (lower(name collate "default"));
create index source_aliases_source on source_aliases (source_id);

-- One source listing one domain. A domain is in `domains` while it has a listing that is not withdrawn; its listings stay as history.
-- last_seen_at: updated at most once a day. There is no foreign key to sources, because its checks would slow down imports.
create table listings (
  name text collate "C" not null,
  source_id integer not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  withdrawn_at timestamptz,
  evidence_url text,
  price text,
  note text,
  primary key (name, source_id)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- How many domains there are by facet and key: the sum of a key's deltas. Writers only insert, so they never wait for each other,
-- and every snapshot reads the exact number. A job folds many deltas into one.
create table domain_counts (
  facet text collate "C" not null,
  key text collate "C" not null,
  delta bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create index domain_counts_key on domain_counts (facet, key) include (delta);

-- Number of names that contain each piece of text: every piece of one to four characters, and longer ones that many names contain.
create table domain_grams (
  gram text collate "C" primary key,
  count integer not null
);

-- Names that were added (1) or removed (-1) since domain_grams was brought up to date.
create table domain_gram_changes (
  name text collate "C" not null,
  sign smallint not null
);

-- Names that were listed or delisted, or whose risk level or allow rule changed, in the transaction that changed them. A job compares
-- them with the hosts of websites, and sets matched_at. Each row has up to 50,000 names of one statement.
create table domain_changes (
  id bigint generated always as identity primary key,
  names text[] not null,
  changed_at timestamptz not null default clock_timestamp(),
  matched_at timestamptz
);

create index domain_changes_unmatched on domain_changes (changed_at) where matched_at is null;
create index domain_changes_matched on domain_changes (matched_at);

-- The statement that counts `relation`, a query of rows of domains with their sign. Unknown ratings and costs are counted by blocks of
-- ids, after the known ones.
-- NOTE: prefix, block and start are for pages far from both ends, which are found by adding up counts instead of rows.
create function domain_counts_statement(relation text) returns text language sql immutable as $function$
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
    select 'start', left(source, 64), sum(sign) from by_source group by left(source, 64) having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(string_to_array(source, ', ')) as one group by one having sum(sign) <> 0
    union all
    select 'sourceRisk', risk_level || ' ' || one, sum(sign)
    from by_source, unnest(string_to_array(source, ', ')) as one group by risk_level, one having sum(sign) <> 0
  $statement$, relation)
$function$;

-- Counts the changes of a statement, and records the names whose risk level changed. The names that a transaction inserts are not queued
-- while it counts them itself: see countInsertedNames in server/blacklist/domains/counts/changes.ts.
create function count_domains() returns trigger language plpgsql as $function$
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

-- An emptied blacklist delists nothing, because it is usually filled again: the row without names makes the next comparison a silent one.
create function forget_domain_counts() returns trigger language plpgsql as $function$
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

create trigger domains_inserted after insert on domains referencing new table as added_rows
  for each statement execute function count_domains('select 1 as sign, * from added_rows');
create trigger domains_deleted after delete on domains referencing old table as removed_rows
  for each statement execute function count_domains('select -1 as sign, * from removed_rows');
create trigger domains_updated after update on domains referencing old table as removed_rows new table as added_rows
  for each statement execute function count_domains(
    'select -1 as sign, * from removed_rows union all select 1 as sign, * from added_rows'
  );
create trigger domains_truncated after truncate on domains
  for each statement execute function forget_domain_counts();

-- An admin's decision about a site, which comes before the built-in list of well-known sites and before every source.
-- allow: the domain and its subdomains are never listed. list: exactly this domain may be listed.
create table site_rules (
  id bigint generated always as identity primary key,
  domain text collate "C" not null unique,
  decision text not null check (decision in ('allow', 'list')),
  reason text not null,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now()
);

create index site_rules_allow on site_rules (created_at desc, id desc) where decision = 'allow';
create index site_rules_hash on site_rules (substring(domain_hash(domain) from 1 for 2)) where decision = 'allow';

create function record_rule_change() returns trigger language plpgsql as $function$
begin
  insert into domain_changes (names) values (array[coalesce(new.domain, old.domain)]);
  return null;
end
$function$;

create trigger site_rules_changed after insert or update or delete on site_rules
  for each row execute function record_rule_change();

-- Listings that wait for an admin's decision. cells: the fields to list the domain with.
-- rejected_at: an admin decided not to list it; the row stays, so that the source does not bring it up again.
create table held_listings (
  id bigint generated always as identity primary key,
  domain text collate "C" not null,
  source_id integer not null references sources on delete cascade,
  reason text not null,
  cells jsonb not null,
  held_at timestamptz not null,
  rejected_at timestamptz,
  unique (domain, source_id)
);

create index held_listings_waiting on held_listings (held_at desc, id desc) where rejected_at is null;
create index held_listings_source on held_listings (source_id);

-- Runs are the rows of long work. They have one lifecycle: queued, running, then completed, failed or cancelled; analyses and feed_runs
-- can also wait for a user.
-- attempts: starts that neither ended nor were returned to the queue. refused: the file is at fault, not the server.
-- progress_at: when the progress of a running run was last written. If that is long ago, its process was killed.

-- added_by: username of the admin, for the rows that the import adds. processed_count: rows read, good and bad. total_count: rows of the
-- file, once it is read. unchanged_count: listed domains of the file that it does not change.
-- dry_run: the import only counts what it would change. reading: how the file is read, as chosen with the upload; an empty object for a
-- file whose header names the required columns.
create table imports (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete set null,
  added_by text not null,
  file_name text not null,
  file_path text not null,
  file_bytes bigint not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  refused boolean not null default false,
  progress smallint not null default 0 check (progress between 0 and 100),
  processed_count bigint not null default 0,
  imported_count bigint not null default 0,
  updated_count bigint not null default 0,
  failed_count bigint not null default 0,
  total_count bigint,
  message text not null default '',
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  held_count bigint not null default 0,
  dry_run boolean not null default false,
  reading jsonb not null default '{}',
  unchanged_count bigint not null default 0,
  progress_at timestamptz
);

create index imports_created on imports (created_at desc);
create index imports_user on imports (user_id);
create index imports_unfinished on imports (created_at) where status in ('queued', 'running');

create table import_failures (
  import_id uuid not null references imports on delete cascade,
  line bigint not null,
  value text not null,
  reason text not null,
  primary key (import_id, line)
);

-- Changes of sources that affect many domains: a new name, kind or family, or a merge into another source. A run brings the affected
-- domains up to date in batches that are committed one by one.
-- old_name: of the renamed or merged source. into_id: the source that a merge keeps. done_count, last_id: the domains that are done, in
-- order of their ids. only_shared: domains with one source cannot change.
create table source_runs (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  started_by text not null,
  title text not null,
  source_ids integer[] not null,
  old_name text collate "C",
  into_id integer,
  only_shared boolean not null default false,
  last_id bigint not null default 0,
  done_count bigint not null default 0,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  progress_at timestamptz
);

create index source_runs_user on source_runs (user_id);
create index source_runs_unfinished on source_runs (id) where status in ('queued', 'running');

-- Lists that are downloaded regularly. kind: block lists the names of the list by the feed's source, allow protects them.
-- name: of a block list, the name of its source takes precedence while that exists. etag, last_modified, body_hash: of the last good
-- copy. names: how many names it has. is_unchanged: the last good run changed nothing.
-- deleted_at: its runs stay as history; while its listings are withdrawn, an unfinished run exists.
create table feeds (
  id integer generated always as identity primary key,
  source_id integer references sources on delete set null,
  catalogue_key text,
  name text not null,
  url text not null,
  format text not null default 'auto',
  detected_format text,
  kind text not null check (kind in ('block', 'allow')),
  interval_hours smallint not null check (interval_hours between 24 and 744),
  enabled boolean not null default true,
  licence text,
  homepage text,
  etag text,
  last_modified text,
  body_hash bytea,
  names integer not null default 0,
  is_unchanged boolean not null default false,
  failures smallint not null default 0,
  last_run_at timestamptz,
  last_success_at timestamptz,
  next_run_at timestamptz not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index feeds_name on feeds (lower(name collate "default")) where kind = 'allow' and deleted_at is null;
create unique index feeds_source on feeds (source_id) where deleted_at is null;
create unique index feeds_catalogue_key on feeds (catalogue_key) where deleted_at is null;
create index feeds_due on feeds (next_run_at) where enabled and deleted_at is null;

-- Downloads of a list. action: withdraw removes the listings of a deleted feed. A waiting run has a copy that removes many names;
-- accepted: an admin applies it. etag, last_modified, body_hash, detected_format: of the run's copy.
-- added, removed: names that the source started or stopped to list, or would in a waiting run. listed, delisted: names that became or are
-- no longer part of the blacklist. rejected: lines that are not used, by reason.
create table feed_runs (
  id bigint generated always as identity primary key,
  feed_id integer not null references feeds on delete cascade,
  action text not null default 'refresh' check (action in ('refresh', 'withdraw')),
  accepted boolean not null default false,
  status text not null default 'queued' check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  bytes bigint,
  added integer not null default 0,
  removed integer not null default 0,
  unchanged integer not null default 0,
  held integer not null default 0,
  rejected jsonb not null default '{}',
  listed integer not null default 0,
  delisted integer not null default 0,
  etag text,
  last_modified text,
  body_hash bytea,
  detected_format text,
  progress_at timestamptz
);

create index feed_runs_feed on feed_runs (feed_id, id desc);
create index feed_runs_finished on feed_runs (finished_at) where status = 'completed';
-- Two processes never run one feed at the same time.
create unique index feed_runs_unfinished on feed_runs (feed_id) where status in ('queued', 'running');

-- The names of the last good copy, and with `missed` those that only the copy before it has.
create table feed_names (
  feed_id integer not null references feeds on delete cascade,
  name text collate "C" not null,
  missed boolean not null default false,
  primary key (feed_id, name)
);

-- The copy of a waiting run.
create table feed_copies (
  run_id bigint not null references feed_runs on delete cascade,
  name text collate "C" not null,
  primary key (run_id, name)
);

-- The names that a run added and removed.
create table feed_changes (
  run_id bigint not null references feed_runs on delete cascade,
  is_removed boolean not null,
  name text collate "C" not null,
  primary key (run_id, is_removed, name)
);

-- reason: what an admin wrote to the submitter when rejecting.
create table submissions (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null,
  evidence text not null,
  source text not null,
  cost text not null,
  niche text not null,
  domain_rating smallint,
  additional_notes text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  reason text,
  decided_by bigint references users on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null))
);

create index submissions_review on submissions (status, created_at desc, id desc);
create index submissions_user on submissions (user_id, created_at desc, id desc);
-- A user can suggest a site again only after a decision about it.
create unique index submissions_pending on submissions (user_id, domain) where status = 'pending';
-- Deleting an account visits only what it decided.
create index submissions_decided_by on submissions (decided_by) where decided_by is not null;

-- An owner's objection to the listing of a domain. domain: the name that the user proves to control, or a parent of it is listed.
-- token: what the user publishes as the proof. reason: why an admin decided so, for the owner. published_at: everyone sees the statement
-- since then.
create table appeals (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null,
  message text not null,
  statement text,
  proof text not null check (proof in ('dns', 'file')),
  token text not null,
  state text not null default 'unverified' check (state in ('unverified', 'verified', 'delisted', 'kept')),
  reason text,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  decided_by bigint references users on delete set null,
  decided_at timestamptz,
  published_at timestamptz,
  check ((state = 'unverified') = (verified_at is null)),
  check ((state in ('delisted', 'kept')) = (decided_at is not null)),
  check (published_at is null or (decided_at is not null and statement is not null))
);

create index appeals_user on appeals (user_id, id);
create unique index appeals_open on appeals (user_id, domain) where decided_at is null;
create index appeals_published on appeals (domain, published_at desc) where published_at is not null;
create index appeals_decided_by on appeals (decided_by) where decided_by is not null;

-- The inbox of admins. domain_id: of a domain that may have been removed since. It has no foreign key, because emptying the blacklist
-- would visit every row. appeal_id: the appeal that the message is about.
create table messages (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain_id bigint,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  replied_at timestamptz,
  appeal_id bigint references appeals on delete set null
);

create index messages_created on messages (created_at desc);
-- For counting the states, and for finding a state that few messages have.
create index messages_state on messages (replied_at, read_at);
create index messages_text on messages
  using gin ((name || e'\n' || email || e'\n' || subject || e'\n' || message) gin_trgm_ops);
create index messages_appeal on messages (appeal_id) where appeal_id is not null;

-- Answers of admins. username: stays when the account is deleted. lost_at: when it was known that the email did not arrive.
create table message_replies (
  id bigint generated always as identity primary key,
  message_id bigint not null references messages on delete cascade,
  user_id bigint references users on delete set null,
  username text not null,
  message text not null,
  created_at timestamptz not null default now(),
  lost_at timestamptz
);

create index message_replies_message on message_replies (message_id, id);
create index message_replies_user on message_replies (user_id);

-- Websites and reports

-- A website whose owner deleted the account and asked to keep its reports has no user.
-- scope: the setting PROFILE_SCOPE when the website was added. `system`: no other account could have a website of its domain. `owner`:
-- other accounts can. A user never has two websites of one domain.
-- disavow_answers: to the questions of "Should I disavow?": { manualAction, boughtLinks, suddenDrop }, each yes, no or unsure.
-- tags: words that the owner sorts websites by, such as the name of a client. They differ in more than case.
create table profiles (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null,
  description text,
  created_at timestamptz not null default now(),
  scope text not null default 'system' check (scope in ('system', 'owner')),
  disavow_answers jsonb,
  disavow_answered_at timestamptz,
  tags text[] not null default '{}'
);

create index profiles_user on profiles (user_id);
create unique index profiles_system_domain on profiles (domain) where scope = 'system';
create unique index profiles_domain_owner on profiles (domain, user_id);

-- The figures leave out lost links. risk_counts: harmful backlinks by risk level, as { low, medium, high, veryHigh }.
-- formats: how each table of the upload was read, with its skipped rows. ignored_tables: tables that were not read, with reasons.
-- including_lost: the figures of all links; null if no link is lost. signals: patterns in the export, as in shared/reports/signals.ts;
-- null for reports that were made before patterns were found.
-- stored_bytes: what the rows of the report take in the database, for the storage limit of its owner.
-- domain_counts: how many listed domains have each risk level and so on. Null until the worker has counted those of an older report.
-- compared_with: the report before, as of domain_counts and of report_domains.new_in. decision_counts: how many listed domains have each
-- decision. Null from each change of a decision until someone reads it. server/reports/reports/store-counts.ts writes them.
create table reports (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  total_backlinks bigint not null,
  total_domains bigint not null,
  unique_domains bigint not null,
  toxic_domains bigint not null,
  risk_counts jsonb not null,
  created_at timestamptz not null default now(),
  formats jsonb not null,
  ignored_tables jsonb not null,
  nofollow_backlinks bigint not null default 0,
  lost_backlinks bigint not null default 0,
  including_lost jsonb,
  signals jsonb,
  stored_bytes bigint not null default 0,
  domain_counts jsonb,
  compared_with bigint,
  decision_counts jsonb
);

create index reports_profile on reports (profile_id, created_at desc, id desc);
create index reports_uncounted on reports (id) where domain_counts is null;

-- An analysis reads one or more files, and can wait for the user's answer to a question about them.
-- files: [{ path, name, bytes }], with paths in the upload folder. column_name: the header name of the source column, if the upload gives
-- it. ask: whether to ask. answers: { columns: { table: column number }, sites: [other site] }. question: what the user must answer; only
-- of a waiting analysis.
create table analyses (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references users on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  report_id bigint constraint analyses_report references reports on delete set null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  files jsonb not null,
  column_name text,
  ask boolean not null default false,
  answers jsonb not null default '{"columns": {}, "sites": []}',
  question jsonb,
  progress_at timestamptz
);

create index analyses_user on analyses (user_id, created_at desc);
create index analyses_profile on analyses (profile_id);
create index analyses_report on analyses (report_id);

-- Uploads that are being received. The process that receives one renews expires_at, so the row of a killed process soon
-- no longer counts. bytes_left: what the upload may still write. user_id: null for a visitor.
-- parts: the files of an upload whose connection broke, so that the client can send the rest: a list of path and fileName. Null while
-- the upload is being received. bytes_left is 0 meanwhile.
create table uploads (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete cascade,
  bytes bigint not null,
  bytes_left bigint not null,
  expires_at timestamptz not null,
  parts jsonb
);

create index uploads_user on uploads (user_id);

-- What was known of each listed domain when the report was made. position: from 0, by risk (highest first) and name.
-- backlinks: links that are not lost; nofollow_backlinks: those of them that the export marks as nofollow. copies, proof, niche: as in
-- domains. first_seen: the earliest of the domain's links. signals: the patterns that the domain's links show, a bit per pattern, in the
-- order of shared/reports/signals.ts. new_in: whether the report before did not have the domain: 1 without lost links, 2 with them, 3 both.
-- The rows have no foreign key: they are found only through their report, and a job deletes them after it.
create table report_domains (
  report_id bigint not null,
  position integer not null,
  domain text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  source text not null,
  source_count smallint not null,
  listed_at timestamptz not null,
  backlinks integer not null,
  lost_backlinks integer not null default 0,
  copies smallint not null default 0,
  proof smallint not null default 0,
  niche text,
  first_seen date,
  nofollow_backlinks integer not null default 0,
  signals smallint not null default 0,
  new_in smallint not null default 0,
  primary key (report_id, position)
);

-- For the decisions about a report, its comparison with the report before, and the links of one domain.
create index report_domains_name on report_domains (report_id, domain);

-- The harmful links of a report, many in one row: a row for each link took about three times the size of its text, and an
-- index that was as large again. PostgreSQL compresses such a row. Lost links follow all others.
-- position: of the first link, from 0 without gaps, by risk (highest first), domain and place in the file. links: separated by U+001E,
-- each with its cells, separated by U+001F: the position of its domain, the linking page, `t` if it is nofollow, anchor, target page
-- and first date. Empty cells at the end are left out. server/reports/reports/link-blocks.ts writes them.
create table report_links (
  report_id bigint not null,
  position integer not null,
  links text not null,
  primary key (report_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02);

-- The link with which people without an account can read a report. Each report has at most one. Only a hash of its token is stored.
create table report_shares (
  report_id bigint primary key references reports on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- Reports and websites that were deleted, and whose rows in large tables a job still has to delete.
create table deleted_reports (
  report_id bigint primary key,
  profile_id bigint not null
);

create table deleted_websites (
  profile_id bigint primary key
);

create function record_deleted_report() returns trigger language plpgsql as $function$
begin
  insert into deleted_reports (report_id, profile_id) values (old.id, old.profile_id);
  return old;
end
$function$;

create function record_deleted_website() returns trigger language plpgsql as $function$
begin
  insert into deleted_websites (profile_id) values (old.id) on conflict do nothing;
  return old;
end
$function$;

create trigger reports_deleted before delete on reports for each row execute function record_deleted_report();
create trigger profiles_deleted before delete on profiles for each row execute function record_deleted_website();

-- What a user decided about a listed domain that links to their website. It applies to every report of the website.
-- A row without a decision has a note.
create table decisions (
  profile_id bigint not null references profiles on delete cascade,
  domain text collate "C" not null,
  decision text check (decision in ('keep', 'remove', 'disavow')),
  note text not null default '',
  decided_at timestamptz not null default now(),
  primary key (profile_id, domain),
  check (decision is not null or note <> '')
);

-- Deletes the decisions of a website in parts before the website. In one statement, the rows that the trigger of account_usage counts
-- would need a temporary file, which a full disk has no space for.
create function delete_decisions_of_website() returns trigger language plpgsql as $function$
begin
  loop
    delete from decisions
    where profile_id = old.id and domain = any(array(select domain from decisions where profile_id = old.id limit 10000));
    exit when not found;
  end loop;
  return old;
end
$function$;

create trigger delete_decisions before delete on profiles for each row execute function delete_decisions_of_website();

-- The disavow files that a user uploaded for a website. Everything about a file is computed from its text on request, because decisions and
-- the blacklist change. Only `counts` is of the moment of the upload, for the history.
-- bytes: the size of the uploaded file, which may be in another encoding than `content`.
create table disavow_files (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  bytes integer not null,
  content text not null,
  counts jsonb not null,
  uploaded_at timestamptz not null default now()
);

create index disavow_files_profile on disavow_files (profile_id);

-- How a website is watched. Without a row, the defaults apply. hosts: the number of its rows in website_hosts.
-- reminded_report_id: the newest report when the user was asked for a new export.
create table watches (
  profile_id bigint primary key references profiles on delete cascade,
  enabled boolean not null default true,
  listed boolean not null default true,
  raised boolean not null default true,
  lowered boolean not null default true,
  delisted boolean not null default true,
  digest text not null default 'off' check (digest in ('daily', 'weekly', 'off')),
  hosts integer not null default 0,
  reminded_report_id bigint
);

-- The hosts that link to a website, from its exports. site: the registrable domain of the host. backlinks: in the last export with the
-- host, without lost links. first_report_id, report_id: the reports of the first and the last export with the host. domain, risk_level:
-- the listed name that decided about the host when it was last compared with the blacklist; null if none did.
-- NOTE: an analysis writes all hosts of an export. Checks of foreign keys and a unique index on (profile_id, host) would double the time
-- this takes. A job removes the hosts of a deleted website, and those that only a deleted report has.
create table website_hosts (
  profile_id bigint not null,
  host text collate "C" not null,
  site text collate "C" not null,
  backlinks integer not null,
  first_report_id bigint not null,
  report_id bigint not null,
  first_seen date not null,
  last_seen date not null,
  domain text collate "C",
  risk_level smallint
);

create index website_hosts_site on website_hosts (site);
create index website_hosts_profile on website_hosts (profile_id);

create sequence alert_runs;

-- A change of a listed domain that links to a website. run_id: the comparison that found it. source_count, copies, proof: of the listing
-- when the alert was created; null for a delisted domain. mailed_at: when it was put into a digest; also set if none is wanted.
create table alerts (
  id bigint generated always as identity primary key,
  run_id bigint not null,
  profile_id bigint not null references profiles on delete cascade,
  domain text collate "C" not null,
  event text not null check (event in ('listed', 'raised', 'lowered', 'delisted')),
  from_level smallint check (from_level between 1 and 4),
  to_level smallint check (to_level between 1 and 4),
  backlinks integer not null,
  source_count smallint,
  copies smallint,
  proof smallint,
  created_at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz
);

create index alerts_profile_run on alerts (profile_id, run_id desc);
create index alerts_run on alerts (run_id);
create index alerts_unread on alerts (profile_id, event) where read_at is null;
create index alerts_unmailed on alerts (created_at) where mailed_at is null;

-- feed_version: part of the secret address of the user's Atom feed. mail_paused_at: when the mail server refused a digest for good.
-- daily_digest_end, weekly_digest_end: the end of the last period with a digest, so that an alert that is committed late does not cause a
-- second one for the same period.
create table alert_settings (
  user_id bigint primary key references users on delete cascade,
  feed_version integer not null default 1,
  mail_paused_at timestamptz,
  daily_digest_end timestamptz,
  weekly_digest_end timestamptz
);

-- Checks

-- A list of domains that somebody checks before buying links. Its results are computed when it is opened.
-- user_id: null for a list of a visitor. entries: one line per different entry, with a tab before an asked price. listed_count: how many
-- of the entries were listed when the list was checked; null for older lists.
create table domain_lists (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete cascade,
  entries text not null,
  entry_count integer not null,
  duplicates integer not null,
  created_at timestamptz not null,
  listed_count integer
);

create index domain_lists_user on domain_lists (user_id) where user_id is not null;
create index domain_lists_created on domain_lists (created_at);

-- Operation

-- The audit log: who did what, when and from where. Rows are only ever added. username: stays when the account is deleted.
-- address: null for a command on the server.
create table audit_events (
  id bigint generated always as identity primary key,
  user_id bigint constraint admin_acts_user_id_fkey references users on delete set null,
  username text not null,
  event text not null,
  details jsonb not null default '{}',
  address text,
  created_at timestamptz not null default now()
);

create index audit_events_user on audit_events (user_id);
create index audit_events_username on audit_events (username, id desc);
create index audit_events_event on audit_events (event, id desc);

-- The events of a deleted account lose its id.
create function protect_audit_events() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and new.user_id is null and to_jsonb(new) - 'user_id' = to_jsonb(old) - 'user_id' then
    return new;
  end if;
  raise exception 'The audit log is only added to.';
end
$function$;

create trigger audit_events_protected before update or delete on audit_events
  for each row execute function protect_audit_events();
create trigger audit_events_not_truncated before truncate on audit_events
  for each statement execute function protect_audit_events();

-- Maintenance of the whole database, started by an admin.
create table maintenance_runs (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  started_by text not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  attempts smallint not null default 0,
  bytes_before bigint,
  bytes_after bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  refused boolean not null default false,
  progress_at timestamptz
);

-- At most one run of maintenance at a time.
create unique index maintenance_runs_unfinished on maintenance_runs ((true)) where status in ('queued', 'running');
create index maintenance_runs_user on maintenance_runs (user_id);

-- Scheduled backups, their copies in a bucket, and test restores. file_name: the backup that was written, copied or tested.
-- is_sealed: whether a backup proves where it comes from. is_from_bucket, row_count, table_count, seconds: of a test.
create table backup_runs (
  id bigint generated always as identity primary key,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  progress_at timestamptz,
  finished_at timestamptz,
  file_name text,
  bytes bigint,
  kind text not null default 'backup' check (kind in ('backup', 'copy', 'test')),
  is_sealed boolean not null default false,
  is_from_bucket boolean,
  row_count bigint,
  table_count integer,
  seconds double precision
);

-- At most one of each kind at a time.
create unique index backup_runs_unfinished on backup_runs (kind) where status in ('queued', 'running');

-- Defaults of settings that changed after this installation was made, and that it keeps. A new installation has none.
create table earlier_defaults (
  setting text primary key,
  value text not null
);

-- What each account made, by kind: its rows and about how many bytes they take. What belongs to a website counts for the website, so
-- that it follows the website to a new owner and ends with it. hour, written: the bytes that requests wrote in the hour of the last
-- write, including those that replaced others.
create table account_usage (
  user_id bigint references users on delete cascade,
  profile_id bigint references profiles on delete cascade,
  kind text not null,
  rows bigint not null,
  bytes bigint not null,
  hour timestamptz not null,
  written bigint not null,
  unique nulls not distinct (user_id, profile_id, kind),
  check (num_nonnulls(user_id, profile_id) = 1)
);

create index account_usage_profile on account_usage (profile_id);

-- Counts the rows that a statement inserted, changed or deleted. The arguments are the kind, the column of the owner, SQL for the bytes
-- of a row, and whether requests write the rows (`request`) or background work does (`work`). The row of a counter stays locked until
-- the transaction ends, so that requests for the same counter run one after the other.
create function count_account_usage() returns trigger language plpgsql as $function$
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
      on conflict (user_id, profile_id, kind) do update set
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

do $block$
declare
  counted record;
begin
  for counted in
    select * from (values
      -- Some of the rows that are counted only when they appear and disappear are changed later, but not in size.
      ('profiles', 'websites', 'user_id', $$500 + octet_length(coalesce(description, '')) + octet_length(array_to_string(tags, '')) + coalesce(octet_length(disavow_answers::text), 0)$$, 'request', true),
      ('decisions', 'decisions', 'profile_id', $$100 + 2 * octet_length(domain) + octet_length(note)$$, 'request', true),
      ('disavow_files', 'disavow-files', 'profile_id', $$bytes$$, 'request', false),
      ('saved_views', 'views', 'user_id', $$200 + octet_length(name) + octet_length(query::text)$$, 'request', true),
      ('domain_lists', 'lists', 'user_id', $$200 + octet_length(entries)$$, 'request', false),
      ('webhooks', 'webhooks', 'user_id', $$500 + octet_length(url)$$, 'request', false),
      ('messages', 'messages', 'user_id', $$300 + octet_length(name) + octet_length(email) + octet_length(subject) + octet_length(message)$$, 'request', false),
      ('submissions', 'submissions', 'user_id', $$300 + octet_length(evidence) + octet_length(source) + octet_length(cost) + octet_length(niche) + octet_length(coalesce(additional_notes, ''))$$, 'request', false),
      ('appeals', 'appeals', 'user_id', $$300 + octet_length(message) + octet_length(coalesce(statement, ''))$$, 'request', false),
      ('analyses', 'analyses', 'user_id', $$1000$$, 'request', false),
      ('reports', 'reports', 'profile_id', $$stored_bytes$$, 'work', true),
      -- What a host of a watched website takes in its table and indexes, on average.
      ('watches', 'watches', 'profile_id', $$200 * hosts::bigint$$, 'work', true)
    ) as kinds (relation, kind, owner, size, writer, is_resized)
  loop
    execute format('create trigger count_inserted_usage after insert on %I referencing new table as new_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    execute format('create trigger count_deleted_usage after delete on %I referencing old table as old_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    if counted.is_resized then
      execute format('create trigger count_changed_usage after update on %I referencing old table as old_rows new table as new_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    end if;
  end loop;
end
$block$;
