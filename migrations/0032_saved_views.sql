-- query: the filters and the sort of the blacklist, with the names of the URL.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  query jsonb not null,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index saved_views_name on saved_views (user_id, lower(name));
create unique index saved_views_default on saved_views (user_id) where is_default;
