-- Names that were listed or delisted, or whose risk level or allow rule changed, in the transaction that changed them. A job compares
-- them with the hosts of websites, and sets matched_at. Each row has up to 50,000 names of one statement.
create table domain_changes (
  id bigint generated always as identity primary key,
  names text[] not null,
  changed_at timestamptz not null default clock_timestamp(),
  matched_at timestamptz
);

create index domain_changes_unmatched on domain_changes (changed_at) where matched_at is null;
create index domain_changes_matched on domain_changes (matched_at);

-- Like the function of 0002_domains.sql, and records the names whose risk level changed.
create or replace function count_domains() returns trigger language plpgsql as $function$
begin
  execute domain_counts_statement(tg_argv[0]);
  execute format($statement$
    with change as materialized (
      select name, sum(sign) as sign, sum(sign * risk_level) as risk from (%s) as change group by name
    ),
    grams as (insert into domain_gram_changes (name, sign) select name, sign from change where sign <> 0)
    insert into domain_changes (names)
    select array_agg(name) from (select name, (row_number() over () - 1) / 50000 as part from change where risk <> 0) as changed
    group by part
  $statement$, tg_argv[0]);
  return null;
end
$function$;

-- Like the function of 0002_domains.sql. An emptied blacklist delists nothing, because it is usually filled again: the row without names
-- makes the next comparison a silent one.
create or replace function forget_domain_counts() returns trigger language plpgsql as $function$
begin
  -- Whoever folds counts would otherwise leave sums that are not seen here. The number is `locks.counts` of server/db/locks.ts.
  perform pg_advisory_xact_lock(7243119503);
  -- Not truncated: readers hold these tables before they come to domains, and would be waited for in a circle.
  delete from domain_counts;
  delete from domain_grams;
  delete from domain_gram_changes;
  delete from domain_changes;
  insert into domain_changes (names) values ('{}');
  return null;
end
$function$;

create function record_rule_change() returns trigger language plpgsql as $function$
begin
  insert into domain_changes (names) values (array[coalesce(new.domain, old.domain)]);
  return null;
end
$function$;

create trigger site_rules_changed after insert or update or delete on site_rules
  for each row execute function record_rule_change();

-- How a website is watched. Without a row, the defaults apply. hosts: the number of its rows in website_hosts.
-- reminded_report_id: the newest report when the user was asked for a new export.
create table watches (
  profile_id bigint primary key references profiles on delete cascade,
  enabled boolean not null default true,
  listed boolean not null default true,
  raised boolean not null default true,
  lowered boolean not null default true,
  delisted boolean not null default true,
  digest text not null default 'off' check (digest in ('daily', 'weekly', 'off')),
  hosts integer not null default 0,
  reminded_report_id bigint
);

-- The hosts that link to a website, from its exports. site: the registrable domain of the host. backlinks: in the last export with the
-- host, without lost links. first_report_id, report_id: the reports of the first and the last export with the host. domain, risk_level: the listed name that decided about the host when
-- it was last compared with the blacklist; null if none did.
-- NOTE: an analysis writes all hosts of an export. Checks of foreign keys and a unique index on (profile_id, host) would double the time
-- this takes. Triggers remove the hosts with their website, and with the last report that has them.
create table website_hosts (
  profile_id bigint not null,
  host text collate "C" not null,
  site text collate "C" not null,
  backlinks integer not null,
  first_report_id bigint not null,
  report_id bigint not null,
  first_seen date not null,
  last_seen date not null,
  domain text collate "C",
  risk_level smallint
);

create index website_hosts_site on website_hosts (site);
create index website_hosts_profile on website_hosts (profile_id);

create function delete_website_hosts() returns trigger language plpgsql as $function$
begin
  delete from website_hosts where profile_id = old.id;
  return old;
end
$function$;

create trigger profiles_deleted before delete on profiles for each row execute function delete_website_hosts();

create or replace function delete_report_backlinks() returns trigger language plpgsql as $function$
begin
  delete from report_backlinks where report_id = old.id;
  delete from website_hosts where profile_id = old.profile_id and first_report_id = old.id and report_id = old.id;
  if found then
    update watches set hosts = (select count(*) from website_hosts where profile_id = old.profile_id)
    where profile_id = old.profile_id;
  end if;
  update website_hosts
  set report_id = case report_id when old.id then first_report_id else report_id end,
    first_report_id = case first_report_id when old.id then report_id else first_report_id end
  where profile_id = old.profile_id and old.id in (first_report_id, report_id);
  return old;
end
$function$;

create sequence alert_runs;

-- A change of a listed domain that links to a website. run_id: the comparison that found it. source_count, copies, proof: of the listing
-- when the alert was created; null for a delisted domain. mailed_at: when it was put into a digest; also set if none is wanted.
create table alerts (
  id bigint generated always as identity primary key,
  run_id bigint not null,
  profile_id bigint not null references profiles on delete cascade,
  domain text collate "C" not null,
  event text not null check (event in ('listed', 'raised', 'lowered', 'delisted')),
  from_level smallint check (from_level between 1 and 4),
  to_level smallint check (to_level between 1 and 4),
  backlinks integer not null,
  source_count smallint,
  copies smallint,
  proof smallint,
  created_at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz
);

create index alerts_profile_run on alerts (profile_id, run_id desc);
create index alerts_run on alerts (run_id);
create index alerts_unread on alerts (profile_id, event) where read_at is null;
create index alerts_unmailed on alerts (created_at) where mailed_at is null;

-- feed_version: part of the secret address of the user's Atom feed. mail_paused_at: when the mail server refused a digest for good.
-- daily_digest_end, weekly_digest_end: the end of the last period with a digest, so that an alert that is committed late does not cause a
-- second one for the same period.
create table alert_settings (
  user_id bigint primary key references users on delete cascade,
  feed_version integer not null default 1,
  mail_paused_at timestamptz,
  daily_digest_end timestamptz,
  weekly_digest_end timestamptz
);
