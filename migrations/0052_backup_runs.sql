-- Scheduled backups. file_name, bytes: of the completed file in BACKUP_DIR.
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
  bytes bigint
);

-- At most one scheduled backup at a time.
create unique index backup_runs_unfinished on backup_runs ((true)) where status in ('queued', 'running');
