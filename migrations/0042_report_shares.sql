-- The link with which people without an account can read a report. Each report has at most one. Only a hash of its token is stored.
create table report_shares (
  report_id bigint primary key references reports on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
