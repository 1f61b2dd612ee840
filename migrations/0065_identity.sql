-- The earlier id of a session after a proof of identity: it is valid, without the proof, until previous_until, for requests that were
-- already on their way.
alter table sessions add column previous_id_hash bytea, add column previous_until timestamptz;
create unique index sessions_previous on sessions (previous_id_hash) where previous_id_hash is not null;

-- by_email: the link was emailed, so anyone who opens it receives the email of the account's address.
alter table password_resets add column by_email boolean not null default false;

-- Null for codes from before, which are SHA-256 hashes. Others are hashed with argon2id and this salt, one for all codes of an account.
alter table recovery_codes add column salt bytea;

-- mail_due: the owner of the account gets an email about the event, and it was not sent yet.
alter table account_events add column mail_due boolean not null default false;
create index account_events_mail_due on account_events (user_id) where mail_due;
