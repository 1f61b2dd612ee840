-- Accounts that sign in with a provider of OpenID Connect. A provider knows a person by the subject, which never changes.
create table oidc_identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null default now(),
  constraint oidc_identities_subject unique (issuer, subject)
);

create index oidc_identities_user on oidc_identities (user_id);

-- Sign-ins that a provider has not confirmed yet. Each is found once, by the hash of its state, in the browser that
-- started it.
create table oidc_requests (
  state_hash bytea primary key,
  browser_hash bytea not null,
  provider text not null,
  nonce text not null,
  code_verifier text not null,
  -- The account to link. Null: the person signs in.
  user_id bigint references users on delete cascade,
  expires_at timestamptz not null
);

create index oidc_requests_user on oidc_requests (user_id) where user_id is not null;
