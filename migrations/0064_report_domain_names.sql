set local maintenance_work_mem = '512MB';
do $do$ begin raise notice 'Indexing the domains of reports'; end $do$;

-- For the decisions about a report, its comparison with the report before, and the links of one domain.
create index report_domains_name on report_domains (report_id, domain);
