-- What a person pays for. Everybody has Full Access: users.subscription_tier is of former days and gives or takes nothing.
create table subscriptions (
  user_id bigint primary key references users on delete cascade,
  provider text not null check (provider in ('simulated', 'stripe')),
  tier text not null check (tier in ('standard', 'business')),
  status text not null check (status in ('active', 'ending', 'overdue')),
  -- What it becomes when the period ends.
  next_tier text check (next_tier in ('free', 'standard', 'business')),
  period_ends_at timestamptz not null,
  started_at timestamptz not null,
  customer_id text,
  subscription_id text unique,
  check ((provider = 'stripe') = (subscription_id is not null and customer_id is not null)),
  check ((status = 'ending') = (next_tier is not null))
);

-- A checkout at Stripe that somebody has begun here: by its id an event finds whose it is. A row whose user is gone is kept, so that
-- what is still paid for can be ended.
create table stripe_checkouts (
  id uuid primary key default gen_random_uuid(),
  user_id bigint references users on delete set null,
  tier text not null check (tier in ('standard', 'business')),
  session_id text,
  begun_at timestamptz not null,
  closed_at timestamptz
);

-- However often it is asked for, one is open.
create unique index stripe_checkouts_open on stripe_checkouts (user_id, tier) where closed_at is null;
create index stripe_checkouts_user on stripe_checkouts (user_id);

-- Who somebody is at Stripe, from before their first checkout on. Under its key Stripe makes one.
create table stripe_customers (
  user_id bigint primary key references users on delete cascade,
  key uuid not null default gen_random_uuid(),
  customer_id text unique
);

-- Events of Stripe that were taken, each once.
create table stripe_events (
  id text primary key,
  type text not null,
  created_at timestamptz not null,
  received_at timestamptz not null
);

create index stripe_events_age on stripe_events (received_at);

-- What was searched for last: sorting it or looking again is not another search.
alter table users add column last_search text, add column last_search_at timestamptz;
