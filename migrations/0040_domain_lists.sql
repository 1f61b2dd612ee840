-- A list of domains that somebody checks before buying links. Its results are computed when it is opened.
-- user_id: null for a list of a visitor. entries: one line per different entry, with a tab before an asked price.
create table domain_lists (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete cascade,
  entries text not null,
  entry_count integer not null,
  duplicates integer not null,
  created_at timestamptz not null
);

create index domain_lists_user on domain_lists (user_id) where user_id is not null;
create index domain_lists_created on domain_lists (created_at);
