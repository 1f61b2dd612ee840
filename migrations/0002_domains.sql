create extension if not exists pg_trgm;

-- name: normalised host name. source: the sources that name it, joined by ', ', in the order first seen.
-- risk_level: 1 low, 2 medium, 3 high, 4 very high; risk_given: set by hand or by a file, not by the number of sources.
-- cost_amount: the first number in cost. source_start: what lists are sorted by, short enough for an index.
create table domains (
  id bigint generated always as identity primary key,
  name text collate "C" not null check (name !~ '[^a-z0-9._-]'),
  tld text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  risk_given boolean not null default false,
  source text collate "C" not null check (source <> ''),
  source_count smallint not null generated always as (cardinality(string_to_array(source, ', '))) stored,
  source_start text collate "C" not null generated always as (left(source, 64)) stored,
  source_details text,
  description text,
  notes text,
  niche text collate "C",
  domain_rating smallint check (domain_rating between 0 and 100),
  outbound_links integer check (outbound_links >= 0),
  cost text,
  cost_amount double precision generated always as
    (replace(substring(left(cost, 100) from '[0-9,]*\.?[0-9]+'), ',', '')::double precision) stored,
  added_by text,
  added_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint domains_name unique (name)
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

create index domains_added on domains (added_at, id);
create index domains_updated on domains (updated_at, id);
create index domains_risk on domains (risk_level, id);
create index domains_rating on domains (domain_rating, id);
create index domains_cost on domains (cost_amount, id);
create index domains_source on domains (source_start, id);
create index domains_tld on domains (tld);
create index domains_niche on domains (niche);
create index domains_sources on domains using gin (string_to_array(source, ', '));
create index domains_name_trgm on domains using gin (name gin_trgm_ops);

-- How many domains there are by facet and key: the sum of a key's deltas. Writers only insert, so they never wait for each other,
-- and every snapshot reads the exact number. A job folds many deltas into one.
create table domain_counts (
  facet text collate "C" not null,
  key text collate "C" not null,
  delta bigint not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create index domain_counts_key on domain_counts (facet, key) include (delta);

-- Number of names that contain each piece of text: every piece of one to four characters, and longer ones that many names contain.
create table domain_grams (
  gram text collate "C" primary key,
  count integer not null
);

-- Names that came (1) or went (-1) since domain_grams was brought up to date.
create table domain_gram_changes (
  name text collate "C" not null,
  sign smallint not null
);

-- The statement that counts `relation`, a query of rows of domains with their sign.
-- NOTE: prefix, block and start are for pages far from both ends, which are found by adding up counts instead of rows.
create function domain_counts_statement(relation text) returns text language sql immutable as $function$
  select format($statement$
    with changes as not materialized (%s),
    by_source as materialized (select source, sum(sign) as sign from changes group by source having sum(sign) <> 0)
    insert into domain_counts (facet, key, delta)
    select
      case
        when grouping(added) = 0 then 'added'
        when grouping(updated) = 0 then 'updated'
        when grouping(prefix) = 0 then 'prefix'
        when grouping(block) = 0 then 'block'
        when grouping(domain_rating) = 0 then 'rating'
        when grouping(amount) = 0 then 'cost'
        when grouping(risk_level, tld, niche) = 0 then 'combination'
        when grouping(risk_level) = 0 then 'risk'
        when grouping(tld) = 0 then 'tld'
        when grouping(niche) = 0 then 'niche'
        else 'all'
      end,
      case
        when grouping(added) = 0 then (added at time zone 'UTC')::date::text
        when grouping(updated) = 0 then (updated at time zone 'UTC')::date::text
        when grouping(prefix) = 0 then prefix
        when grouping(block) = 0 then risk_level || ' ' || lpad(block::text, 12, '0')
        when grouping(domain_rating) = 0 then coalesce(lpad(domain_rating::text, 3, '0'), '')
        when grouping(amount) = 0 then coalesce(lpad(amount::bigint::text, 10, '0'), '')
        when grouping(risk_level, tld, niche) = 0 then risk_level || ' ' || tld || ' ' || coalesce(niche, '')
        when grouping(risk_level) = 0 then risk_level::text
        when grouping(tld) = 0 then tld
        when grouping(niche) = 0 then coalesce(niche, '')
        else ''
      end,
      sum(sign)
    from (
      select sign, risk_level, tld, niche, domain_rating, id >> 16 as block, left(name, 3) as prefix,
        floor(case when cost_amount > 1e9 then 1e9 else cost_amount end) as amount,
        date_bin('1 day', added_at, '2000-01-01Z') as added, date_bin('1 day', updated_at, '2000-01-01Z') as updated
      from changes
    ) as change
    group by grouping sets (
      (), (added), (updated), (prefix), (risk_level, block), (domain_rating), (amount),
      (risk_level, tld, niche), (risk_level), (tld), (niche)
    )
    having coalesce(sum(sign), 0) <> 0
    union all
    select 'start', left(source, 64), sum(sign) from by_source group by left(source, 64) having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(string_to_array(source, ', ')) as one group by one having sum(sign) <> 0
  $statement$, relation)
$function$;

create function count_domains() returns trigger language plpgsql as $function$
begin
  execute domain_counts_statement(tg_argv[0]);
  execute format(
    'insert into domain_gram_changes (name, sign) select name, sum(sign) from (%s) as change group by name having sum(sign) <> 0',
    tg_argv[0]
  );
  return null;
end
$function$;

create function forget_domain_counts() returns trigger language plpgsql as $function$
begin
  -- Whoever folds counts would otherwise leave sums that are not seen here. The number is `locks.counts` of server/db/locks.ts.
  perform pg_advisory_xact_lock(7243119503);
  -- Not truncated: readers hold these tables before they come to domains, and would be waited for in a circle.
  delete from domain_counts;
  delete from domain_grams;
  delete from domain_gram_changes;
  return null;
end
$function$;

create trigger domains_inserted after insert on domains referencing new table as added_rows
  for each statement execute function count_domains('select 1 as sign, * from added_rows');
create trigger domains_deleted after delete on domains referencing old table as removed_rows
  for each statement execute function count_domains('select -1 as sign, * from removed_rows');
create trigger domains_updated after update on domains referencing old table as removed_rows new table as added_rows
  for each statement execute function count_domains(
    'select -1 as sign, * from removed_rows union all select 1 as sign, * from added_rows'
  );
create trigger domains_truncated after truncate on domains
  for each statement execute function forget_domain_counts();
