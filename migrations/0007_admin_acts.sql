-- What admins did: by whom, when, from where. Rows are only ever added. The name stays when the account goes.
create table admin_acts (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  username text not null,
  act text not null,
  details jsonb not null default '{}',
  -- Null: from the command line of the server.
  address text,
  created_at timestamptz not null default now()
);

create index admin_acts_created on admin_acts (created_at desc, id desc);
