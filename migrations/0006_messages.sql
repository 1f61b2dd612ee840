create table messages (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  -- Of a domain that may be gone since: a reference would make emptying the blacklist visit every row.
  domain_id bigint,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  replied_at timestamptz
);

create index messages_created on messages (created_at desc);
