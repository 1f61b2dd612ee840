-- A key's use moves into its row, where each check adds to it up to the daily limit. Days before the last one remain as a sum.
-- See docs/decisions/2026-11-22-quota-in-one-statement.md.
alter table api_keys
  add column usage_count bigint not null default 0,
  add column usage_day date,
  add column daily_usage integer not null default 0,
  add column last_used_at timestamptz;

-- Room on each page for new versions of its rows, which then need no new index entries.
alter table api_keys set (fillfactor = 50);

-- What a killed process held counts as used.
update api_key_usage set requests = granted where day >= (now() at time zone 'UTC')::date;

update api_keys
set usage_count = usage.requests, usage_day = usage.day, daily_usage = usage.of_day, last_used_at = usage.last_used_at
from (
  select key_id, sum(requests) as requests, max(day) as day, (array_agg(requests order by day desc))[1] as of_day,
    max(last_used_at) as last_used_at
  from api_key_usage
  where requests > 0
  group by key_id
) usage
where usage.key_id = api_keys.id;

drop table api_key_usage;
