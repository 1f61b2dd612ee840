-- What a key allows. Keys from before could check domains and read everything of their owner, who has not chosen that.
alter table api_keys
  add column scopes text[] not null default '{check,read}',
  add column scopes_chosen boolean not null default false,
  add constraint api_keys_scopes check (scopes <@ array['check', 'read', 'write'] and cardinality(scopes) > 0);
alter table api_keys
  alter column scopes set default '{check}',
  alter column scopes_chosen set default true;

-- The first answers to requests with an Idempotency-Key, so that a repeated request gets the same answer and changes
-- nothing.
create table idempotent_answers (
  user_id bigint not null references users (id) on delete cascade,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  location text,
  body text,
  created_at timestamp with time zone not null,
  constraint idempotent_answers_pkey primary key (user_id, key)
);
create index idempotent_answers_created_at on idempotent_answers (created_at);
