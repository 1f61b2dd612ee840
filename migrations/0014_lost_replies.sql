-- When it was known that the mail of a reply did not arrive; null where it did, or nobody knows yet.
alter table message_replies add column lost_at timestamptz;
