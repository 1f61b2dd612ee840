-- Like the function of 0025_listings.sql, and counts the domains of each risk level by day and by source.
create or replace function domain_counts_statement(relation text) returns text language sql immutable as $function$
  select format($statement$
    with changes as not materialized (%s),
    by_source as materialized (
      select source, risk_level, sum(sign) as sign from changes group by source, risk_level having sum(sign) <> 0
    )
    insert into domain_counts (facet, key, delta)
    select
      case
        when grouping(added, risk_level) = 0 then 'addedRisk'
        when grouping(added) = 0 then 'added'
        when grouping(updated) = 0 then 'updated'
        when grouping(prefix) = 0 then 'prefix'
        when grouping(block) = 0 then 'block'
        when grouping(domain_rating) = 0 then 'rating'
        when grouping(amount) = 0 then 'cost'
        when grouping(risk_level, confidence, tld, niche) = 0 then 'combination'
        when grouping(risk_level) = 0 then 'risk'
        when grouping(confidence) = 0 then 'confidence'
        when grouping(tld) = 0 then 'tld'
        when grouping(niche) = 0 then 'niche'
        else 'all'
      end,
      case
        when grouping(added, risk_level) = 0 then (added at time zone 'UTC')::date || ' ' || risk_level
        when grouping(added) = 0 then (added at time zone 'UTC')::date::text
        when grouping(updated) = 0 then (updated at time zone 'UTC')::date::text
        when grouping(prefix) = 0 then prefix
        when grouping(block) = 0 then risk_level || ' ' || lpad(block::text, 12, '0')
        when grouping(domain_rating) = 0 then coalesce(lpad(domain_rating::text, 3, '0'), '')
        when grouping(amount) = 0 then coalesce(lpad(amount::bigint::text, 10, '0'), '')
        when grouping(risk_level, confidence, tld, niche) = 0
          then risk_level || ' ' || confidence || ' ' || tld || ' ' || coalesce(niche, '')
        when grouping(risk_level) = 0 then risk_level::text
        when grouping(confidence) = 0 then confidence::text
        when grouping(tld) = 0 then tld
        when grouping(niche) = 0 then coalesce(niche, '')
        else ''
      end,
      sum(sign)
    from (
      select sign, risk_level, domain_confidence(source_count, copies, proof) as confidence, tld, niche, domain_rating,
        id >> 16 as block, left(name, 3) as prefix,
        floor(case when cost_amount > 1e9 then 1e9 else cost_amount end) as amount,
        date_bin('1 day', added_at, '2000-01-01Z') as added, date_bin('1 day', updated_at, '2000-01-01Z') as updated
      from changes
    ) as change
    group by grouping sets (
      (), (added), (added, risk_level), (updated), (prefix), (risk_level, block), (domain_rating), (amount),
      (risk_level, confidence, tld, niche), (risk_level), (confidence), (tld), (niche)
    )
    having coalesce(sum(sign), 0) <> 0
    union all
    select 'start', left(source, 64), sum(sign) from by_source group by left(source, 64) having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(string_to_array(source, ', ')) as one group by one having sum(sign) <> 0
    union all
    select 'sourceRisk', risk_level || ' ' || one, sum(sign)
    from by_source, unnest(string_to_array(source, ', ')) as one group by risk_level, one having sum(sign) <> 0
  $statement$, relation)
$function$;

do $do$ begin raise notice 'Counting the domains by risk level'; end $do$;

insert into domain_counts (facet, key, delta)
select 'addedRisk', (added_at at time zone 'UTC')::date || ' ' || risk_level, count(*)
from domains group by (added_at at time zone 'UTC')::date, risk_level;

insert into domain_counts (facet, key, delta)
select 'sourceRisk', risk_level || ' ' || one, sum(count)
from (select source, risk_level, count(*) as count from domains group by source, risk_level) as by_source,
  unnest(string_to_array(source, ', ')) as one
group by risk_level, one;

-- Most domains have a low risk. To count the levels of a common search, only the names above it are read.
set local maintenance_work_mem = '512MB';
create index domains_names_above_low on domains (name, risk_level) where risk_level > 1;
