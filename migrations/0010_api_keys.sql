-- hash: SHA-256 of the value, which finds it. sealed: the value encrypted, so that a copy of this table lets nobody in.
create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  hash bytea not null unique,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

create index api_keys_user on api_keys (user_id);

-- Requests of a key by UTC day.
create table api_key_usage (
  key_id bigint not null references api_keys on delete cascade,
  day date not null,
  requests integer not null,
  last_used_at timestamptz not null,
  primary key (key_id, day)
);
