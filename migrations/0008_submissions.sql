create table submissions (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  domain text collate "C" not null,
  evidence text not null,
  source text not null,
  cost text not null,
  niche text not null,
  domain_rating smallint,
  additional_notes text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected')),
  -- What an admin wrote to the submitter when rejecting.
  reason text,
  decided_by bigint references users on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status = 'pending') = (decided_at is null))
);

create index submissions_review on submissions (status, created_at desc, id desc);
create index submissions_user on submissions (user_id, created_at desc, id desc);
-- The same person suggests a site again only after the last word on it.
create unique index submissions_pending on submissions (user_id, domain) where status = 'pending';
-- Deleting an account visits only what it decided.
create index submissions_decided_by on submissions (decided_by) where decided_by is not null;
