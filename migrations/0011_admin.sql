-- When somebody was last here: a session that is over says it no more.
alter table users add column last_seen_at timestamptz;
update users set last_seen_at = (select max(last_seen_at) from sessions where sessions.user_id = users.id);

-- Tidying of the whole database, asked for by an admin. At most one runs.
-- attempts: starts of the work that neither ended nor were given back.
create table maintenance_runs (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  started_by text not null,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  attempts smallint not null default 0,
  bytes_before bigint,
  bytes_after bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);

create unique index maintenance_runs_one on maintenance_runs (status) where status = 'processing';
create index maintenance_runs_user on maintenance_runs (user_id);

create index admin_acts_user on admin_acts (user_id);
create index admin_acts_username on admin_acts (username, id desc);
create index admin_acts_act on admin_acts (act, id desc);

-- The audit log is only added to. An account that goes leaves its acts without its id.
create function keep_admin_acts() returns trigger language plpgsql as $function$
begin
  if tg_op = 'UPDATE' and new.user_id is null and to_jsonb(new) - 'user_id' = to_jsonb(old) - 'user_id' then
    return new;
  end if;
  raise exception 'The audit log is only added to.';
end
$function$;

create trigger admin_acts_kept before update or delete on admin_acts for each row execute function keep_admin_acts();
create trigger admin_acts_not_emptied before truncate on admin_acts for each statement execute function keep_admin_acts();
