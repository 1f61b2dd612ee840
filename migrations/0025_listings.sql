-- Sources that copy from each other. They count as one source.
create table families (
  id integer generated always as identity primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create unique index families_name on families (lower(name collate "default"));

-- Whoever lists domains. kind: what a listing of the source proves; inventory is a seller's own offer, list a public blocklist.
-- is_public: everyone may see the name and the notes of its listings. first_seen_at, last_seen_at: of all its listings.
create table sources (
  id integer generated always as identity primary key,
  name text collate "C" not null,
  kind text not null default 'manual' check (kind in ('inventory', 'submission', 'manual', 'disavow', 'list')),
  family_id integer references families on delete set null,
  is_public boolean not null default false,
  first_seen_at timestamptz,
  last_seen_at timestamptz
);

create unique index sources_name on sources (lower(name collate "default"));
create index sources_family on sources (family_id) where family_id is not null;

-- One source naming one domain. A domain is in `domains` while it has a listing that is not withdrawn; its listings stay as history.
-- last_seen_at: updated at most once a day. There is no foreign key to sources, because its checks would slow down imports.
create table listings (
  name text collate "C" not null,
  source_id integer not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  withdrawn_at timestamptz,
  evidence_url text,
  price text,
  note text
) with (
  autovacuum_vacuum_scale_factor = 0.05,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- copies: how many of its sources repeat another source of their family, so that source_count - copies sources are independent.
-- proof: 0 none, 1 an active listing of kind inventory or submission, 2 one of these with a price or an evidence URL.
alter table domains
  add column copies smallint not null default 0,
  add column proof smallint not null default 0;

-- Of the listing when the report was made.
alter table report_domains
  add column copies smallint not null default 0,
  add column proof smallint not null default 0;

alter table imports add column held_count bigint not null default 0;

-- 1 reported, 2 probable, 3 confirmed.
create function domain_confidence(source_count smallint, copies smallint, proof smallint) returns smallint
language sql immutable parallel safe return
  case when proof = 2 then 3::smallint when proof = 1 or source_count - copies > 1 then 2::smallint else 1::smallint end;

-- The last domain whose listings 0026_fill_listings.sql has written.
create table listing_fill (last_id bigint not null);
insert into listing_fill values (0);

-- Like the function of 0002_domains.sql, with the confidence of the domains.
create or replace function domain_counts_statement(relation text) returns text language sql immutable as $function$
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
        when grouping(risk_level, confidence, tld, niche) = 0 then 'combination'
        when grouping(risk_level) = 0 then 'risk'
        when grouping(confidence) = 0 then 'confidence'
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
      (), (added), (updated), (prefix), (risk_level, block), (domain_rating), (amount),
      (risk_level, confidence, tld, niche), (risk_level), (confidence), (tld), (niche)
    )
    having coalesce(sum(sign), 0) <> 0
    union all
    select 'start', left(source, 64), sum(sign) from by_source group by left(source, 64) having sum(sign) <> 0
    union all
    select 'source', one, sum(sign) from by_source, unnest(string_to_array(source, ', ')) as one group by one having sum(sign) <> 0
  $statement$, relation)
$function$;
