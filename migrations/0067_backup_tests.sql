-- Copies of scheduled backups in a bucket, and test restores. file_name: the backup that was written, copied or tested.
-- is_sealed: whether a backup proves where it comes from. is_from_bucket, row_count, table_count, seconds: of a test.
alter table backup_runs
  add column kind text not null default 'backup' check (kind in ('backup', 'copy', 'test')),
  add column is_sealed boolean not null default false,
  add column is_from_bucket boolean,
  add column row_count bigint,
  add column table_count integer,
  add column seconds double precision;

-- At most one of each kind at a time.
drop index backup_runs_unfinished;
create unique index backup_runs_unfinished on backup_runs (kind) where status in ('queued', 'running');
