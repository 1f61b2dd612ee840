-- URLs that receive events of their owner. secret, old_secret: encrypted with the secret key. old_secret signs too until
-- old_secret_until. disabled_reason: a sentence, if Linksieve disabled the webhook. failing_since: the first failed attempt since the
-- last success. paused_until: the time that the receiver asked for (Retry-After).
create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  url text not null,
  events text[] not null,
  format text not null check (format in ('standard', 'chat')),
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  active boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  paused_until timestamptz,
  created_at timestamptz not null default now()
);

create index webhooks_user on webhooks (user_id);

-- One event for one webhook. event_id: the same for each webhook that gets the event. payload: type, timestamp and data, where data.url
-- is a path of this site. leased_until: a process is sending it. If the process dies, it is sent again after that time.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event_id text not null,
  type text not null,
  payload json not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  attempts integer not null default 0,
  response_status integer,
  error text,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  leased_until timestamptz,
  last_attempt_at timestamptz
);

create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_created on webhook_deliveries (created_at);
