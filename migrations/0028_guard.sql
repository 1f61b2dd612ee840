-- An admin's decision about a site, which comes before the built-in list of well-known sites and before every source.
-- allow: the domain and its subdomains are never listed. list: exactly this domain may be listed.
create table site_rules (
  id bigint generated always as identity primary key,
  domain text collate "C" not null unique,
  decision text not null check (decision in ('allow', 'list')),
  reason text not null,
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now()
);

create index site_rules_allow on site_rules (created_at desc, id desc) where decision = 'allow';

-- Listings that wait for an admin's decision. cells: the fields to list the domain with.
-- rejected_at: an admin decided not to list it; the row stays, so that the source does not bring it up again.
create table held_listings (
  id bigint generated always as identity primary key,
  domain text collate "C" not null,
  source_id integer not null references sources on delete cascade,
  reason text not null,
  cells jsonb not null,
  held_at timestamptz not null,
  rejected_at timestamptz,
  unique (domain, source_id)
);

create index held_listings_waiting on held_listings (held_at desc, id desc) where rejected_at is null;
create index held_listings_source on held_listings (source_id);
