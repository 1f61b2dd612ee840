create table messages (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain_id bigint references domains on delete set null,
  name text not null,
  email text not null,
  subject text not null,
  message text not null,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  replied_at timestamptz
);

create index messages_created on messages (created_at desc);
