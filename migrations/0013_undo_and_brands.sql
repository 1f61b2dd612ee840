-- Domains that an admin has just deleted, to undo the deletion.
create table deleted_domains (
  id bigint primary key,
  deleted_at timestamptz not null,
  domain jsonb not null,
  -- The decision to list it although it is protected.
  rule jsonb
);

-- The name and logo that readers of a user's reports see.
create table report_brands (
  user_id bigint primary key references users on delete cascade,
  name text not null,
  logo bytea,
  logo_type text,
  updated_at timestamptz not null default now(),
  constraint report_brands_logo check ((logo is null) = (logo_type is null))
);
