-- new_in: whether the report before did not have the domain: 1 without lost links, 2 with them, 3 both.
alter table report_domains add column new_in smallint not null default 0;

-- domain_counts: how many listed domains have each risk level and so on. NULL until the worker has counted those of an older report.
-- compared_with: the report before, as of domain_counts and of new_in. decision_counts: how many listed domains have each decision. NULL
-- from each change of a decision until someone reads it. server/reports/store-counts.ts writes them.
alter table reports
  add column domain_counts jsonb,
  add column compared_with bigint,
  add column decision_counts jsonb;

create index reports_uncounted on reports (id) where domain_counts is null;
