create table users (
  id bigint generated always as identity primary key,
  email text not null,
  username text not null,
  display_name text,
  photo_url text,
  firebase_uid text unique,
  password_hash text,
  is_admin boolean not null default false,
  search_count integer not null default 0,
  search_limit integer,
  searches_used integer not null default 0,
  subscription_tier text not null default 'full_access',
  subscription_status text not null default 'active' check (subscription_status in ('active', 'inactive')),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create unique index users_email on users (lower(email));
create unique index users_username on users (lower(username));

-- A session is known by the SHA-256 of its id: a copy of this table signs nobody in.
create table sessions (
  id_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  user_agent text,
  address text
);

create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Failed sign-ins by account and by address, and registrations by address: throttling survives a restart and holds across processes.
create table login_failures (
  key text not null,
  failed_at timestamptz not null default now()
);

create index login_failures_key on login_failures (key, failed_at);
