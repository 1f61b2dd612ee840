create table imports (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete set null,
  file_name text not null,
  file_path text,
  file_bytes bigint not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  processed_count bigint not null default 0,
  imported_count bigint not null default 0,
  updated_count bigint not null default 0,
  failed_count bigint not null default 0,
  message text not null default '',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);

create index imports_created on imports (created_at desc);

create table import_failures (
  import_id uuid not null references imports on delete cascade,
  line bigint not null,
  value text not null,
  reason text not null,
  primary key (import_id, line)
);
