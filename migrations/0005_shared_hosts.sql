-- Admins add shared hosts, whose subdomains are websites of their own. Uploads suggest some.
alter table site_rules
  drop constraint site_rules_decision_check,
  add constraint site_rules_decision_check
    check (decision = any (array['allow'::text, 'list'::text, 'shared'::text, 'suggested'::text, 'dismissed'::text]));
create index site_rules_shared on site_rules (domain) where decision = any (array['shared'::text, 'suggested'::text]);

-- The blogs of Blogger have the same address under the domains of many countries, and become one name each.
-- (Google's entries in the Public Suffix List of 2022.)
create function pg_temp.to_blog(name text) returns text language sql immutable as $function$
  select regexp_replace(name,
    '(^|\.)blogspot\.(ae|al|am|ba|be|bg|bj|ca|cf|ch|cl|co\.at|co\.id|co\.il|co\.ke|co\.nz|co\.uk|co\.za|com\.ar|com\.au|com\.br|com\.by|com\.co|com\.cy|com\.ee|com\.eg|com\.es|com\.mt|com\.ng|com\.tr|com\.uy|cv|cz|de|dk|fi|fr|gr|hk|hr|hu|ie|in|is|it|jp|kr|li|lt|lu|md|mk|mr|mx|my|nl|no|pe|pt|qa|re|ro|rs|ru|se|sg|si|sk|sn|td|tw|ug|vn)$',
    '\1blogspot.com')
$function$;

create temporary table moved_blogs on commit drop as
  select domains.*, pg_temp.to_blog(name) as blog from domains
  where name ~ '(^|\.)blogspot\.' and pg_temp.to_blog(name) <> name;
insert into moved_blogs
  select domains.*, name from domains where name in (select blog from moved_blogs);
delete from domains where name in (select name from moved_blogs);
insert into domains (
  id, name, tld, risk_level, risk_given, source, source_details, description, notes, niche, domain_rating, outbound_links,
  cost, added_by, added_at, updated_at, copies, proof
)
overriding system value
select
  (array_agg(id order by name <> blog, id))[1], blog, 'com', max(risk_level), bool_or(risk_given),
  (select array_agg(distinct one) from moved_blogs as same, unnest(same.source) as one where same.blog = moved.blog),
  (array_agg(source_details order by name <> blog, id) filter (where source_details is not null))[1],
  (array_agg(description order by name <> blog, id) filter (where description is not null))[1],
  (array_agg(notes order by name <> blog, id) filter (where notes is not null))[1],
  (array_agg(niche order by name <> blog, id) filter (where niche is not null))[1],
  (array_agg(domain_rating order by name <> blog, id) filter (where domain_rating is not null))[1],
  (array_agg(outbound_links order by name <> blog, id) filter (where outbound_links is not null))[1],
  (array_agg(cost order by name <> blog, id) filter (where cost is not null))[1],
  (array_agg(added_by order by name <> blog, id) filter (where added_by is not null))[1],
  min(added_at), max(updated_at), min(copies), max(proof)
from moved_blogs as moved group by blog;

with moved as (
  delete from listings where name ~ '(^|\.)blogspot\.' and pg_temp.to_blog(name) <> name returning *
)
insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at, evidence_url, price, note)
select
  pg_temp.to_blog(name), source_id, min(first_seen_at), max(last_seen_at),
  case when bool_and(withdrawn_at is not null) then max(withdrawn_at) end,
  (array_agg(evidence_url order by last_seen_at desc) filter (where evidence_url is not null))[1],
  (array_agg(price order by last_seen_at desc) filter (where price is not null))[1],
  (array_agg(note order by last_seen_at desc) filter (where note is not null))[1]
from moved group by pg_temp.to_blog(name), source_id
on conflict (name, source_id) do update set
  first_seen_at = least(listings.first_seen_at, excluded.first_seen_at),
  last_seen_at = greatest(listings.last_seen_at, excluded.last_seen_at),
  withdrawn_at = case
    when listings.withdrawn_at is not null and excluded.withdrawn_at is not null
    then greatest(listings.withdrawn_at, excluded.withdrawn_at)
  end,
  evidence_url = coalesce(listings.evidence_url, excluded.evidence_url),
  price = coalesce(listings.price, excluded.price),
  note = coalesce(listings.note, excluded.note);

with moved as (
  delete from feed_names where name ~ '(^|\.)blogspot\.' and pg_temp.to_blog(name) <> name returning *
)
insert into feed_names (feed_id, name, missed)
select feed_id, pg_temp.to_blog(name), bool_and(missed) from moved group by 1, 2
on conflict (feed_id, name) do update set missed = feed_names.missed and excluded.missed;

with moved as (
  delete from held_listings where domain ~ '(^|\.)blogspot\.' and pg_temp.to_blog(domain) <> domain returning *
)
insert into held_listings (domain, source_id, reason, cells, held_at, rejected_at)
select distinct on (pg_temp.to_blog(domain), source_id)
  pg_temp.to_blog(domain), source_id, reason, cells, held_at, rejected_at
from moved order by pg_temp.to_blog(domain), source_id, held_at desc
on conflict (domain, source_id) do nothing;

with moved as (
  delete from site_rules where domain ~ '(^|\.)blogspot\.' and pg_temp.to_blog(domain) <> domain returning *
)
insert into site_rules (domain, decision, reason, created_by, created_at)
select distinct on (pg_temp.to_blog(domain)) pg_temp.to_blog(domain), decision, reason, created_by, created_at
from moved order by pg_temp.to_blog(domain), decision, created_at desc
on conflict (domain) do nothing;

-- The old name stays beside the new one, because earlier reports contain it.
insert into decisions (website_id, domain, decision, note, decided_at)
select distinct on (website_id, pg_temp.to_blog(domain)) website_id, pg_temp.to_blog(domain), decision, note, decided_at
from decisions where domain ~ '(^|\.)blogspot\.' and pg_temp.to_blog(domain) <> domain
order by website_id, pg_temp.to_blog(domain), decided_at desc
on conflict (website_id, domain) do nothing;

update submissions set domain = pg_temp.to_blog(domain)
where status = 'pending' and domain ~ '(^|\.)blogspot\.' and pg_temp.to_blog(domain) <> domain;

create temporary table moved_hosts on commit drop as
  select website_hosts.*, pg_temp.to_blog(host) as blog from website_hosts
  where registrable_domain ~ '(^|\.)blogspot\.' and pg_temp.to_blog(host) <> host;
insert into moved_hosts
  select website_hosts.*, host from website_hosts
  where exists (select from moved_hosts where blog = website_hosts.host and moved_hosts.website_id = website_hosts.website_id);
delete from website_hosts using moved_hosts
where website_hosts.website_id = moved_hosts.website_id and website_hosts.host = moved_hosts.host;
insert into website_hosts (
  website_id, host, registrable_domain, backlinks, first_report_id, report_id, first_seen, last_seen, domain, risk_level
)
select
  website_id, blog, pg_temp.to_blog(min(registrable_domain)), sum(backlinks), min(first_report_id), max(report_id),
  min(first_seen), max(last_seen),
  pg_temp.to_blog((array_agg(domain order by risk_level desc nulls last))[1]), max(risk_level)
from moved_hosts group by website_id, blog;
