-- What each account made, by kind: its rows and about how many bytes they take. What belongs to a website counts for the website, so
-- that it follows the website to a new owner and ends with it. hour, written: the bytes that requests wrote in the hour of the last
-- write, including those that replaced others.
create table account_usage (
  user_id bigint references users on delete cascade,
  profile_id bigint references profiles on delete cascade,
  kind text not null,
  rows bigint not null,
  bytes bigint not null,
  hour timestamptz not null,
  written bigint not null,
  unique nulls not distinct (user_id, profile_id, kind),
  check (num_nonnulls(user_id, profile_id) = 1)
);

create index account_usage_profile on account_usage (profile_id);

-- Counts the rows that a statement inserted, changed or deleted. The arguments are the kind, the column of the owner, SQL for the bytes
-- of a row, and whether requests write the rows (`request`) or background work does (`work`). The row of a counter stays locked until
-- the transaction ends, so that requests for the same counter run one after the other.
create function count_account_usage() returns trigger language plpgsql as $function$
declare
  kind constant text := tg_argv[0];
  owner constant text := tg_argv[1];
  added constant text := format('select %I as owner, 1 as sign, %s as size from new_rows', owner, tg_argv[2]);
  removed constant text := format('select %I as owner, -1 as sign, %s as size from old_rows', owner, tg_argv[2]);
begin
  execute format(
    $statement$
      with change as materialized (
        select owner, sum(sign) as rows, sum(sign * size) as bytes,
          case when %4$L = 'request' then coalesce(sum(size) filter (where sign = 1), 0) else 0 end as written
        from (%3$s) as row
        where owner is not null
        group by owner
      ),
      -- The owner of a row that only changes or disappears has a counter, unless the owner is being deleted.
      changed as (
        update account_usage usage set
          rows = usage.rows + change.rows,
          bytes = usage.bytes + change.bytes,
          written = case when usage.hour = date_trunc('hour', now()) then usage.written else 0 end + change.written,
          hour = date_trunc('hour', now())
        from change
        where usage.%1$I = change.owner and usage.kind = %2$L and change.rows <= 0
          and (change.rows <> 0 or change.bytes <> 0 or change.written <> 0)
      )
      insert into account_usage as usage (%1$I, kind, rows, bytes, hour, written)
      select owner, %2$L, rows, bytes, date_trunc('hour', now()), written from change where rows > 0 order by owner
      on conflict (user_id, profile_id, kind) do update set
        rows = usage.rows + excluded.rows,
        bytes = usage.bytes + excluded.bytes,
        written = case when usage.hour = excluded.hour then usage.written else 0 end + excluded.written,
        hour = excluded.hour
    $statement$,
    owner,
    kind,
    case tg_op when 'INSERT' then added when 'DELETE' then removed else added || ' union all ' || removed end,
    tg_argv[3]
  );
  return null;
end
$function$;

do $block$
declare
  counted record;
begin
  for counted in
    select * from (values
      -- Some of the rows that are counted only when they appear and disappear are changed later, but not in size.
      ('profiles', 'websites', 'user_id', $$500 + octet_length(coalesce(description, '')) + octet_length(array_to_string(tags, '')) + coalesce(octet_length(disavow_answers::text), 0)$$, 'request', true),
      ('decisions', 'decisions', 'profile_id', $$100 + 2 * octet_length(domain) + octet_length(note)$$, 'request', true),
      ('disavow_files', 'disavow-files', 'profile_id', $$bytes$$, 'request', false),
      ('saved_views', 'views', 'user_id', $$200 + octet_length(name) + octet_length(query::text)$$, 'request', true),
      ('domain_lists', 'lists', 'user_id', $$200 + octet_length(entries)$$, 'request', false),
      ('webhooks', 'webhooks', 'user_id', $$500 + octet_length(url)$$, 'request', false),
      ('messages', 'messages', 'user_id', $$300 + octet_length(name) + octet_length(email) + octet_length(subject) + octet_length(message)$$, 'request', false),
      ('submissions', 'submissions', 'user_id', $$300 + octet_length(evidence) + octet_length(source) + octet_length(cost) + octet_length(niche) + octet_length(coalesce(additional_notes, ''))$$, 'request', false),
      ('appeals', 'appeals', 'user_id', $$300 + octet_length(message) + octet_length(coalesce(statement, ''))$$, 'request', false),
      ('analyses', 'analyses', 'user_id', $$1000$$, 'request', false),
      ('reports', 'reports', 'profile_id', $$stored_bytes$$, 'work', true),
      -- What a host of a watched website takes in its table and indexes, on average.
      ('watches', 'watches', 'profile_id', $$200 * hosts::bigint$$, 'work', true)
    ) as kinds (relation, kind, owner, size, writer, is_resized)
  loop
    execute format('create trigger count_inserted_usage after insert on %I referencing new table as new_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    execute format('create trigger count_deleted_usage after delete on %I referencing old table as old_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    if counted.is_resized then
      execute format('create trigger count_changed_usage after update on %I referencing old table as old_rows new table as new_rows for each statement execute function count_account_usage(%L, %L, %L, %L)', counted.relation, counted.kind, counted.owner, counted.size, counted.writer);
    end if;
    execute format('insert into account_usage (%1$I, kind, rows, bytes, hour, written) select %1$I, %2$L, count(*), sum(%3$s), date_trunc(''hour'', now()), 0 from %4$I where %1$I is not null group by %1$I', counted.owner, counted.kind, counted.size, counted.relation);
  end loop;
end
$block$;
