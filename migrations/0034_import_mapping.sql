-- dry_run: the import only counts what it would change. reading: how the file is read, as chosen with the upload; an empty object for a
-- file whose header names the required columns. unchanged_count: listed domains of the file that it does not change.
alter table imports
  add column dry_run boolean not null default false,
  add column reading jsonb not null default '{}',
  add column unchanged_count bigint not null default 0;
