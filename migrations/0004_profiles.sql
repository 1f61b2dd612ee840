-- A profile whose owner left and asked to keep its reports has no user.
create table profiles (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null unique,
  description text,
  created_at timestamptz not null default now()
);

create index profiles_user on profiles (user_id);
