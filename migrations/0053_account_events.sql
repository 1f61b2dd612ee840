-- What happened to the security of an account: sign-ins, failed attempts, changes. Deleted with the account.
-- subject: what the event is about, such as the name of an API key. device: browser and system, such as 'Firefox on Windows'.
-- network, hour: only of events that are counted. Attempts of the same kind from one network are one row for each hour.
create table account_events (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null,
  subject text,
  address text not null,
  device text not null,
  network text,
  hour timestamptz,
  count integer not null default 1,
  last_at timestamptz not null
);

create unique index account_events_counted on account_events (user_id, kind, network, hour) where hour is not null;
create index account_events_user on account_events (user_id, last_at desc, id desc);
create index account_events_last on account_events (last_at desc, id desc);
