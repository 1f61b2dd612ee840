-- What a person calls a session by: its hash, which finds it, stays in the table.
alter table sessions add column id bigint generated always as identity unique;

-- A one-time link to another password, known by the SHA-256 of its token. One for each account: a newer one takes its place.
create table password_resets (
  user_id bigint primary key references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
