-- Lists that are downloaded regularly. kind: block lists the names of the list by the feed's source, allow protects them.
-- name: of a block list, the name of its source takes precedence while that exists. etag, last_modified, body_hash: of the last good copy. names: how many names it has. is_unchanged: the last good run changed nothing.
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
  detected_format text
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
