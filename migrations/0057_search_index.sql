create extension if not exists btree_gin;

do $do$ begin raise notice 'Indexing the domains for searches'; end $do$;

-- One index for searches and filters, so that PostgreSQL intersects them before it reads a row. pg_trgm splits texts into words at
-- punctuation. With digits in its place, pieces such as `-st` are found as well. Queries test the name itself, too.
set local maintenance_work_mem = '512MB';
create index domains_search on domains using gin (
  translate(name, '.-_', '967') gin_trgm_ops,
  string_to_array(source, ', '),
  niche,
  tld,
  domain_confidence(source_count, copies, proof)
);

drop index domains_name_trgm, domains_sources, domains_niche, domains_tld, domains_confidence;

do $do$ begin raise notice 'Counting the domains without a rating or cost'; end $do$;

-- Like the function of 0033_risk_counts.sql, but counts unknown ratings and costs by blocks of ids, after the known ones.
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
        when grouping(risk_level, block) = 0 then 'block'
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
        when grouping(risk_level, block) = 0 then risk_level || ' ' || lpad(block::text, 12, '0')
        when grouping(domain_rating) = 0 then coalesce(lpad(domain_rating::text, 3, '0'), '~' || lpad(unrated_block::text, 12, '0'))
        when grouping(amount) = 0 then coalesce(lpad(amount::bigint::text, 10, '0'), '~' || lpad(unpriced_block::text, 12, '0'))
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
        case when domain_rating is null then id >> 16 end as unrated_block,
        floor(case when cost_amount > 1e9 then 1e9 else cost_amount end) as amount,
        case when cost_amount is null then id >> 16 end as unpriced_block,
        date_bin('1 day', added_at, '2000-01-01Z') as added, date_bin('1 day', updated_at, '2000-01-01Z') as updated
      from changes
    ) as change
    group by grouping sets (
      (), (added), (added, risk_level), (updated), (prefix), (risk_level, block), (domain_rating, unrated_block),
      (amount, unpriced_block), (risk_level, confidence, tld, niche), (risk_level), (confidence), (tld), (niche)
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

delete from domain_counts where facet in ('rating', 'cost') and key = '';

insert into domain_counts (facet, key, delta)
select facet, '~' || lpad(block::text, 12, '0'), count(*)
from (
  select case when domain_rating is null then id >> 16 end as rating, case when cost_amount is null then id >> 16 end as cost from domains
) as domain, lateral (values ('rating', rating), ('cost', cost)) as unknown (facet, block)
where block is not null
group by facet, block;
