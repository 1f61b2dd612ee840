-- A new email address that is not confirmed yet. One for each account: a newer one replaces it. The link that confirms it is known by the
-- SHA-256 of its token, and is created when its email is sent.
create table email_changes (
  user_id bigint primary key references users on delete cascade,
  email text not null,
  token_hash bytea unique,
  expires_at timestamptz not null
);

-- The user chose the display name here, so a sign-in with Google does not replace it.
alter table users add column has_own_name boolean not null default false;
