-- An owner's objection to the listing of a domain. domain: the name that the user proves to control, or a parent of it is listed.
-- token: what the user publishes as the proof. published_at: everyone sees the statement since then.
create table appeals (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null,
  message text not null,
  statement text,
  proof text not null check (proof in ('dns', 'file')),
  token text not null,
  state text not null default 'unverified' check (state in ('unverified', 'verified', 'delisted', 'kept')),
  -- Why an admin decided so. The owner reads it.
  reason text,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  decided_by bigint references users on delete set null,
  decided_at timestamptz,
  published_at timestamptz,
  check ((state = 'unverified') = (verified_at is null)),
  check ((state in ('delisted', 'kept')) = (decided_at is not null)),
  check (published_at is null or (decided_at is not null and statement is not null))
);

create index appeals_user on appeals (user_id, id);
create unique index appeals_open on appeals (user_id, domain) where decided_at is null;
create index appeals_published on appeals (domain, published_at desc) where published_at is not null;
create index appeals_decided_by on appeals (decided_by) where decided_by is not null;

-- The appeal that a message in the inbox is about.
alter table messages add column appeal_id bigint references appeals on delete set null;

create index messages_appeal on messages (appeal_id) where appeal_id is not null;
