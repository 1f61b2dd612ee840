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
  finished_at timestamptz
);

create index source_runs_user on source_runs (user_id);
create index source_runs_unfinished on source_runs (id) where status in ('queued', 'running');

-- Earlier names of renamed and merged sources, so that files with these names still add listings of the same source. A source that has
-- this name now takes precedence.
create table source_aliases (
  name text collate "C" not null,
  source_id integer not null references sources on delete cascade
);

create unique index source_aliases_name on source_aliases (lower(name collate "default"));
create index source_aliases_source on source_aliases (source_id);
