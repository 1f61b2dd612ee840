drop table listing_fill;

set local maintenance_work_mem = '512MB';
do $do$ begin raise notice 'Indexing the listings'; end $do$;

alter table listings add primary key (name, source_id);

create index domains_confidence on domains (domain_confidence(source_count, copies, proof));

update sources set first_seen_at = seen.first_at, last_seen_at = seen.last_at
from (select source_id, min(first_seen_at) as first_at, max(last_seen_at) as last_at from listings group by source_id) as seen
where seen.source_id = sources.id;

-- An approved submission is the evidence of its listing by `community`.
with evidence as (
  select distinct on (domain) domain, cost, evidence,
    substring(evidence from 'https?://[^\s<>"]+[^\s<>".,;:!?)\]'']') as url
  from submissions where status = 'approved'
  order by domain, decided_at desc
),
proven as (
  update listings set price = coalesce(nullif(evidence.cost, ''), price), evidence_url = evidence.url, note = evidence.evidence
  from evidence, sources
  where listings.name = evidence.domain and sources.id = listings.source_id and sources.kind = 'submission'
  returning listings.name
)
update domains set proof = 2 from proven
where domains.name = proven.name and exists (
  select from evidence where domain = domains.name and (cost <> '' or url is not null)
);

do $do$ begin raise notice 'Counting the domains by confidence'; end $do$;

-- The other counts are kept by triggers.
delete from domain_counts where facet in ('combination', 'confidence');

insert into domain_counts (facet, key, delta)
select 'combination', risk_level || ' ' || confidence || ' ' || tld || ' ' || coalesce(niche, ''), count(*)
from (select risk_level, domain_confidence(source_count, copies, proof) as confidence, tld, niche from domains) as domain
group by risk_level, confidence, tld, niche;

insert into domain_counts (facet, key, delta)
select 'confidence', split_part(key, ' ', 2), sum(delta) from domain_counts where facet = 'combination' group by 2;
