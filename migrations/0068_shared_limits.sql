-- How often clients have called each process in the current minute. Unlogged: after a crash, the counts start again.
create unlogged table shared_limits (
  process uuid not null,
  key text not null,
  calls integer not null,
  expires_at timestamptz not null,
  primary key (key, process)
);
