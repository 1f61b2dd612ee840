-- When the owner of a listed site was asked to remove its links. Null if nobody was asked.
alter table decisions add column asked_at timestamptz;
