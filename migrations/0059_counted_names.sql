-- Like the function of 0046_watch.sql, but the names that a transaction inserts are not queued while it counts them itself: see
-- countInsertedNames in server/domains/counts/changes.ts.
create or replace function count_domains() returns trigger language plpgsql as $function$
begin
  execute domain_counts_statement(tg_argv[0]);
  execute format($statement$
    with change as materialized (
      select name, sum(sign) as sign, sum(sign * risk_level) as risk from (%s) as change group by name
    ),
    grams as (insert into domain_gram_changes (name, sign) select name, sign from change where sign <> 0 and not %L)
    insert into domain_changes (names)
    select array_agg(name) from (select name, (row_number() over () - 1) / 50000 as part from change where risk <> 0) as changed
    group by part
  $statement$, tg_argv[0], tg_op = 'INSERT' and coalesce(current_setting('linksieve.queue_names', true), 'on') = 'off');
  return null;
end
$function$;
