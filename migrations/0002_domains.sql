create extension if not exists pg_trgm;

-- name: normalised host name. source: the sources that name it, comma-separated, in the order first seen.
-- risk_level: 1 low, 2 medium, 3 high, 4 very high; risk_given: set by hand or by a file, not by the number of sources.
create table domains (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  tld text collate "C" not null,
  risk_level smallint not null check (risk_level between 1 and 4),
  risk_given boolean not null default false,
  source text not null check (source <> ''),
  source_count smallint not null generated always as (cardinality(string_to_array(source, ', '))) stored,
  source_details text,
  description text,
  notes text,
  niche text,
  domain_rating smallint check (domain_rating between 0 and 100),
  outbound_links integer check (outbound_links >= 0),
  cost text,
  added_by text,
  added_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint domains_name unique (name)
);
