-- user_id: the account that a failed sign-in is about, so that admins see locked accounts and unlock them. It has no foreign key,
-- because a failed sign-in must not wait for a change of the account. The rows of a deleted account expire within an hour.
alter table login_failures add column user_id bigint;
create index login_failures_user on login_failures (user_id, failed_at) where user_id is not null;

-- device_version: device cookies with another version are no longer valid.
alter table users add column device_version integer not null default 1;

-- proven_at: when the user of the session last proved a password or second factor. Sessions from before this migration have not.
alter table sessions add column proven_at timestamptz;
alter table sessions alter column proven_at set default now();
