-- The sources of a domain become an array. One statement rewrites the blacklist once, and builds its indexes again.

-- Sources as lists show and sort them. array_to_string is not immutable, because it also takes arrays of other types.
create function source_text(source text[]) returns text language plpgsql immutable strict parallel safe as $function$
begin
  return array_to_string(source, ', ');
end
$function$;

set local maintenance_work_mem = '256MB';

drop index domains_search, domains_source;

alter table domains
  drop constraint domains_source_check,
  drop column source_count,
  drop column source_start,
  alter column source type text[] collate "C" using string_to_array(source, ', '),
  add constraint domains_source_check check (cardinality(source) > 0),
  add column source_count smallint not null generated always as (cardinality(source)) stored,
  add column source_start text collate "C" not null generated always as (left(source_text(source), 64)) stored;

create index domains_source on domains (source_start, id);
create index domains_search on domains using gin (
  translate(name, '.-_', '967') gin_trgm_ops,
  source,
  niche,
  tld,
  domain_confidence(source_count, copies, proof)
);

-- The statement that counts `relation`, a query of rows of domains with their sign. Unknown ratings and costs are counted by blocks of
-- ids, after the known ones.
-- NOTE: prefix, block and start are for pages far from both ends, which are found by adding up counts instead of rows.
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
    select 'start', left(source_text(source), 64) as start, sum(sign) from by_source group by start having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(source) as one group by one having sum(sign) <> 0
    union all
    select 'sourceRisk', risk_level || ' ' || one, sum(sign)
    from by_source, unnest(source) as one group by risk_level, one having sum(sign) <> 0
  $statement$, relation)
$function$;

analyze domains;
