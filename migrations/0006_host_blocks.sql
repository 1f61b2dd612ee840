-- The hosts that link to a website, from its exports, many in one row. bucket: a part of the values of a hash of the hosts' registrable
-- domains. body: the hosts, their links, exports, days and verdicts (server/reports/watch/host-blocks.ts). oldest_day: the earliest day
-- among the last days on which its hosts were in an export. A job removes the hosts of a deleted website, and those that only a deleted
-- report has. A website whose hosts an earlier version stored keeps its rows in website_hosts until a job moves them.
create table website_host_blocks (
  website_id bigint not null,
  bucket integer not null,
  host_count integer not null,
  oldest_day date not null,
  body text collate "C" not null,
  primary key (website_id, bucket)
);

create index website_host_blocks_bucket on website_host_blocks (bucket);

-- Some builds of PostgreSQL do not have LZ4, which compresses several times as fast as the default.
do $$
begin
  alter table website_host_blocks alter column body set compression lz4;
exception
  when feature_not_supported then null;
end
$$;
