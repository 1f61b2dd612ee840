create table analyses (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references users on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  file_path text,
  file_bytes bigint not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  report_id bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);

create index analyses_user on analyses (user_id, created_at desc);

create table reports (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  format jsonb not null,
  skipped jsonb not null,
  total_backlinks bigint not null,
  total_domains bigint not null,
  unique_domains bigint not null,
  toxic_domains bigint not null,
  created_at timestamptz not null default now()
);

create index reports_profile on reports (profile_id, created_at desc);

alter table analyses add constraint analyses_report foreign key (report_id) references reports on delete set null;

-- What was known of each listed domain when the report was made: a report keeps its truth.
create table report_domains (
  report_id bigint not null references reports on delete cascade,
  position integer not null,
  domain text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  source text not null,
  source_count smallint not null,
  listed_at timestamptz not null,
  backlinks bigint not null,
  primary key (report_id, position)
);

create table report_backlinks (
  report_id bigint not null references reports on delete cascade,
  position bigint not null,
  domain_position integer not null,
  referring_page text not null,
  primary key (report_id, position)
);
