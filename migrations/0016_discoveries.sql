-- Sites whose pages are visited to look for offers of links, and what was found.
create table discoveries (
  id bigint generated always as identity primary key,
  domain text collate "C" not null unique,
  status text not null default 'nothing' check (status in ('proposed', 'accepted', 'rejected', 'nothing')),
  -- Since when the site waits for a visit. Null after it.
  wanted_at timestamptz,
  -- Null before the first visit.
  seen_at timestamptz,
  quote text,
  price numeric(12, 2),
  currency text,
  url text,
  contact_url text,
  sponsored_share real,
  problem text,
  decided_at timestamptz
);
create index discoveries_wanted on discoveries (wanted_at, id) where wanted_at is not null;
create index discoveries_status on discoveries (status, seen_at desc, id desc) where seen_at is not null;
