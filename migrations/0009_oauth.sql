-- Assistants that cannot send a key connect with OAuth. A connection is an API key without a value: the tokens of the
-- assistant stand for it, so that usage, limits, the list of the owner and the end of access are those of keys.

create table oauth_clients (
  id text primary key,
  metadata jsonb not null,
  -- When it was registered, or when a user last connected it or it last fetched a token.
  used_at timestamptz not null default now()
);

alter table api_keys
  alter column hash drop not null,
  alter column sealed drop not null,
  add column oauth_client_id text references oauth_clients on delete cascade,
  add constraint api_keys_value check (num_nulls(hash, sealed) = case when oauth_client_id is null then 0 else 2 end);

create unique index api_keys_oauth_client on api_keys (oauth_client_id, user_id) where oauth_client_id is not null;

-- Codes, tokens and running requests. They are found by the hash of their value, which is not stored.
create table oauth_records (
  hash bytea primary key,
  key_id bigint references api_keys on delete cascade,
  payload jsonb not null,
  consumed_at timestamptz,
  expires_at timestamptz not null
);

create index oauth_records_key on oauth_records (key_id) where key_id is not null;
