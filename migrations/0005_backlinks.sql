-- attempts: starts of the work that did not end; a file that kills its worker each time is given up on.
-- refused: it failed because of the file.
create table analyses (
  id uuid primary key default gen_random_uuid(),
  user_id bigint not null references users on delete cascade,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  file_path text not null,
  file_bytes bigint not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  report_id bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);

create index analyses_user on analyses (user_id, created_at desc);
create index analyses_profile on analyses (profile_id);
create index analyses_report on analyses (report_id);

-- risk_counts: harmful backlinks by risk level, as { low, medium, high, veryHigh }.
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
  risk_counts jsonb not null,
  created_at timestamptz not null default now()
);

create index reports_profile on reports (profile_id, created_at desc, id desc);

alter table analyses add constraint analyses_report foreign key (report_id) references reports on delete set null;

-- What was known of each listed domain when the report was made: a report keeps its truth.
-- position: from 0, by risk (highest first) and name.
create table report_domains (
  report_id bigint not null references reports on delete cascade,
  position integer not null,
  domain text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  source text not null,
  source_count smallint not null,
  listed_at timestamptz not null,
  backlinks integer not null,
  primary key (report_id, position)
);

-- position: from 0 without gaps, by risk (highest first), domain and place in the file, so that a page of them is a range.
-- NOTE: without a foreign key, whose check of every row took two fifths of writing them. They are written by the transaction that
-- writes their report, and the trigger removes them with it.
create table report_backlinks (
  report_id bigint not null,
  position integer not null,
  domain_position integer not null,
  referring_page text not null,
  primary key (report_id, position)
);

create function delete_report_backlinks() returns trigger language plpgsql as $function$
begin
  delete from report_backlinks where report_id = old.id;
  return old;
end
$function$;

create trigger reports_deleted before delete on reports for each row execute function delete_report_backlinks();
