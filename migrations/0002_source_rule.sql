-- The rule from the listings of a domain to what `domains` stores about them. Every query that counts sources uses these functions.
-- PostgreSQL inlines them, so they cost as much as their expressions.

-- What a source counts as: sources with the same value are one independent source. Names contain no comma. `community` alone counts as
-- nothing, because a user's submission is listed by the place that it names and by `community`.
create function independent_source(name text, family_id integer) returns text language sql immutable parallel safe return
  case when lower(name collate "C") <> 'community' then coalesce(',' || family_id::text, name) end;

-- The number of independent sources, from the number of distinct values of independent_source: at least one.
create function count_independent(distinct_sources bigint) returns smallint language sql immutable parallel safe return
  greatest(distinct_sources, 1)::smallint;

-- The risk level of a domain whose level was not set by hand or by a file.
create function counted_risk(independent smallint) returns smallint language sql immutable parallel safe return
  case when independent >= 5 then 4 when independent = 4 then 3 when independent >= 2 then 2 else 1 end::smallint;

-- What a listing proves. The proof of a domain is the highest one of its active listings.
create function listing_proof(kind text, price text, evidence_url text) returns smallint language sql immutable parallel safe return
  case when kind not in ('inventory', 'submission') then 0 when price is null and evidence_url is null then 1 else 2 end::smallint;
