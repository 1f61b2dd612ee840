-- What a user decided about a listed domain that links to their website. It applies to every report of the website.
-- A row without a decision has a note.
create table decisions (
  profile_id bigint not null references profiles on delete cascade,
  domain text collate "C" not null,
  decision text check (decision in ('keep', 'remove', 'disavow')),
  note text not null default '',
  decided_at timestamptz not null default now(),
  primary key (profile_id, domain),
  check (decision is not null or note <> '')
);

-- What the export says about a harmful link; null if it has no such column or value.
alter table report_backlinks
  add column anchor text,
  add column target_page text,
  add column first_seen date;

-- niche: as the blacklist had it when the report was made. first_seen: the earliest of the domain's links.
-- nofollow_backlinks: those of `backlinks` that the export marks as nofollow.
alter table report_domains
  add column niche text,
  add column first_seen date,
  add column nofollow_backlinks integer not null default 0;

update report_domains listed set niche = domains.niche
from domains where domains.name = listed.domain and domains.niche is not null;

with nofollow as (
  select link.report_id, link.domain_position, count(*) as links
  from report_backlinks link
  join reports on reports.id = link.report_id
  where link.nofollow and link.position < (risk_counts ->> 'low')::bigint + (risk_counts ->> 'medium')::bigint
    + (risk_counts ->> 'high')::bigint + (risk_counts ->> 'veryHigh')::bigint
  group by link.report_id, link.domain_position
)
update report_domains listed set nofollow_backlinks = nofollow.links
from nofollow where nofollow.report_id = listed.report_id and nofollow.domain_position = listed.position;
