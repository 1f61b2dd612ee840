-- Paths of uploaded files are relative to the upload folder, so that it can be moved.
update imports set file_path = regexp_replace(file_path, '^.*/', '') where file_path like '%/%';

update analyses set files = (
  select jsonb_agg(jsonb_set(file, '{path}', to_jsonb(regexp_replace(file ->> 'path', '^.*/', ''))) order by position)
  from jsonb_array_elements(files) with ordinality as entries (file, position)
)
where files @? '$[*] ? (@.path like_regex "/")';

-- Queued jobs have the paths too.
do $block$
begin
  if to_regclass('pgboss.job') is not null then
    update pgboss.job
    set data = jsonb_set(data, '{filePaths}', (
      select jsonb_agg(regexp_replace(path, '^.*/', '') order by position)
      from jsonb_array_elements_text(data -> 'filePaths') with ordinality as entries (path, position)
    ))
    where name = 'analyses' and state in ('created', 'retry', 'active') and jsonb_array_length(data -> 'filePaths') > 0;
  end if;
end
$block$;

-- Uploads that are being received. The process that receives one renews expires_at, so the row of a killed process soon
-- counts no longer. bytes_left: what the upload may still write. user_id: null for a visitor.
create table uploads (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete cascade,
  bytes bigint not null,
  bytes_left bigint not null,
  expires_at timestamptz not null
);

create index uploads_user on uploads (user_id);

-- progress_at: when the progress of a running run was last written. If that is long ago, its process was killed.
alter table imports add column progress_at timestamptz;
alter table analyses add column progress_at timestamptz;
alter table feed_runs add column progress_at timestamptz;
alter table source_runs add column progress_at timestamptz;
alter table maintenance_runs add column progress_at timestamptz;

-- Reports and websites that were deleted, and whose rows in large tables a job still has to delete.
create table deleted_reports (
  report_id bigint primary key,
  profile_id bigint not null
);

create table deleted_websites (
  profile_id bigint primary key
);

-- The rows of a deleted report are found through their report only, so they disappear with it.
alter table report_domains drop constraint report_domains_report_id_fkey;

create or replace function delete_report_backlinks() returns trigger language plpgsql as $function$
begin
  insert into deleted_reports (report_id, profile_id) values (old.id, old.profile_id);
  return old;
end
$function$;

create or replace function delete_website_hosts() returns trigger language plpgsql as $function$
begin
  insert into deleted_websites (profile_id) values (old.id) on conflict do nothing;
  return old;
end
$function$;

alter function delete_report_backlinks() rename to record_deleted_report;
alter function delete_website_hosts() rename to record_deleted_website;
