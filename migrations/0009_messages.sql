-- What admins answered from the inbox. The name stays when the account goes.
create table message_replies (
  id bigint generated always as identity primary key,
  message_id bigint not null references messages on delete cascade,
  user_id bigint references users on delete set null,
  username text not null,
  message text not null,
  created_at timestamptz not null default now()
);

create index message_replies_message on message_replies (message_id, id);
create index message_replies_user on message_replies (user_id);

-- How many messages nobody has read yet is asked for often.
create index messages_new on messages (created_at desc) where read_at is null and replied_at is null;
