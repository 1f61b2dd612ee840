-- Patterns in the export of a report, as in shared/signals.ts. Null for reports that were made before patterns were found.
alter table reports add column signals jsonb;

-- The patterns that the domain's links show: a bit per pattern, in the order of shared/signals.ts.
alter table report_domains add column signals smallint not null default 0;
