-- added_by: username of the admin, for the rows that the import adds. refused: the file is at fault, not the server. processed_count: rows read, good and bad. total_count: rows of the file, once it is read.
-- attempts: starts of the work that neither ended nor were given back; a file that kills its worker each time is given up on.
create table imports (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete set null,
  added_by text not null,
  file_name text not null,
  file_path text not null,
  file_bytes bigint not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
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
  finished_at timestamptz
);

create index imports_created on imports (created_at desc);
create index imports_processing on imports (created_at) where status = 'processing';
create index imports_user on imports (user_id);

create table import_failures (
  import_id uuid not null references imports on delete cascade,
  line bigint not null,
  value text not null,
  reason text not null,
  primary key (import_id, line)
);
