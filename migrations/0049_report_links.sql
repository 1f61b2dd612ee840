-- The harmful links of a report, many in one row: a row for each link took about three times the size of its text, and an
-- index that was as large again. PostgreSQL compresses such a row.
-- position: of the first link, from 0 without gaps, by risk (highest first), domain and place in the file. links: separated by U+001E,
-- each with its cells, separated by U+001F: the position of its domain, the linking page, `t` if it is nofollow, anchor, target page
-- and first date. Empty cells at the end are left out. server/reports/links.ts writes them.
create table report_links (
  report_id bigint not null,
  position integer not null,
  links text not null,
  primary key (report_id, position)
) with (autovacuum_vacuum_scale_factor = 0.02);

insert into report_links (report_id, position, links)
select report_id, min(position),
  string_agg(
    rtrim(
      domain_position || E'\x1f' || translate(referring_page, E'\x1e\x1f', '  ') || E'\x1f' || case when nofollow then 't' else '' end
        || E'\x1f' || translate(coalesce(anchor, ''), E'\x1e\x1f', '  ') || E'\x1f' || translate(coalesce(target_page, ''), E'\x1e\x1f', '  ')
        || E'\x1f' || coalesce(first_seen::text, ''),
      E'\x1f'
    ),
    E'\x1e' order by position
  )
from report_backlinks
group by report_id, position / 256;

drop table report_backlinks;

-- stored_bytes: what the rows of the report take in the database, for the storage limit of its owner.
alter table reports add column stored_bytes bigint not null default 0;

update reports set stored_bytes = links.bytes
from (select report_id, sum(pg_column_size(links) + 48) as bytes from report_links group by report_id) as links
where links.report_id = reports.id;

update reports set stored_bytes = stored_bytes + domains.bytes
from (select report_id, sum(pg_column_size(report_domains.*) + 32) as bytes from report_domains group by report_id) as domains
where domains.report_id = reports.id;
