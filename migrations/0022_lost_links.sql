-- Exports say which links are lost or nofollow. The figures of a report leave out lost links; including_lost has those of all
-- links, and is null if no link is lost.
-- formats: how each table of the upload was read, with its skipped rows. ignored_tables: tables that were not read, with reasons.
alter table reports
  add column formats jsonb,
  add column ignored_tables jsonb not null default '[]',
  add column nofollow_backlinks bigint not null default 0,
  add column lost_backlinks bigint not null default 0,
  add column including_lost jsonb;

update reports set formats = jsonb_build_array(
  jsonb_build_object('file', file_name) || format || jsonb_build_object(
    'backlinks', total_backlinks,
    'duplicates', 0,
    'skipped', replace(skipped::text, '"not a domain"', '"not an address"')::jsonb,
    'otherSite', null
  )
);

alter table reports
  alter column formats set not null,
  alter column ignored_tables drop default,
  drop column format,
  drop column skipped;

-- backlinks: links that are not lost.
alter table report_domains add column lost_backlinks integer not null default 0;

-- The positions of lost links follow those of all other links, in the same order.
alter table report_backlinks add column nofollow boolean not null default false;
