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

create function pg_temp.is_moved(name text) returns boolean language sql immutable as $function$
  select name ~ '(^|\.)blogspot\.' and pg_temp.to_blog(name) <> name
$function$;

-- Several rows can become one. A row that has the name already comes first, then the others in the order of their names.

-- Prices and evidence of withdrawn listings prove nothing about active ones.
create temporary table moved_listings on commit drop as
  select listings.*, pg_temp.to_blog(name) as blog from listings where pg_temp.is_moved(name);
insert into moved_listings
  select listings.*, name from listings where (name, source_id) in (select blog, source_id from moved_listings);
analyze moved_listings;
delete from listings using moved_listings as moved
where listings.name = moved.name and listings.source_id = moved.source_id;
insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at, evidence_url, price, note)
select
  blog, source_id, min(first_seen_at), max(last_seen_at),
  case when not bool_or(is_active) then max(withdrawn_at) end,
  (array_agg(evidence_url order by name <> blog, last_seen_at desc, name) filter (where evidence_url is not null and is_used))[1],
  (array_agg(price order by name <> blog, last_seen_at desc, name) filter (where price is not null and is_used))[1],
  (array_agg(note order by name <> blog, last_seen_at desc, name) filter (where note is not null))[1]
from (
  select *, withdrawn_at is null as is_active,
    withdrawn_at is null or bool_and(withdrawn_at is not null) over (partition by blog, source_id) as is_used
  from moved_listings
) as moved
group by blog, source_id;

create temporary table moved_domains on commit drop as
  select domains.*, pg_temp.to_blog(name) as blog from domains where pg_temp.is_moved(name);
insert into moved_domains
  select domains.*, name from domains where name in (select blog from moved_domains);
analyze moved_domains;
delete from domains where name in (select name from moved_domains);
insert into domains (
  id, name, tld, risk_level, risk_given, source, source_details, description, notes, niche, domain_rating, outbound_links,
  cost, added_by, added_at, updated_at, copies, proof
)
overriding system value
with places as (
  select blog, one, row_number() over (partition by blog order by name <> blog, name, number) as place
  from moved_domains, unnest(source) with ordinality as sources (one, number)
),
united as (
  select blog, one, min(place) as place from places group by blog, one
),
counted as (
  select blog, array_agg(one order by place) as source,
    count_independent(count(distinct independent_source(one, family_id))) as independent
  from united left join sources on sources.name = one
  group by blog
),
proven as (
  select listings.name as blog, max(listing_proof(kind, price, evidence_url)) as proof
  from listings join sources on sources.id = source_id
  where withdrawn_at is null and listings.name in (select blog from moved_domains)
  group by listings.name
),
moved as (
  select
    blog,
    (array_agg(id order by name <> blog, name))[1] as id,
    max(risk_level) filter (where risk_given) as given_risk,
    (array_agg(source_details order by name <> blog, name) filter (where source_details is not null))[1] as source_details,
    (array_agg(description order by name <> blog, name) filter (where description is not null))[1] as description,
    string_agg(distinct notes, E'\n') as notes,
    (array_agg(niche order by name <> blog, name) filter (where niche is not null))[1] as niche,
    (array_agg(domain_rating order by name <> blog, name) filter (where domain_rating is not null))[1] as domain_rating,
    (array_agg(outbound_links order by name <> blog, name) filter (where outbound_links is not null))[1] as outbound_links,
    (array_agg(cost order by name <> blog, name) filter (where cost is not null))[1] as cost,
    (array_agg(added_by order by name <> blog, name) filter (where added_by is not null))[1] as added_by,
    min(added_at) as added_at,
    max(updated_at) as updated_at,
    max(proof) as proof
  from moved_domains group by blog
)
select
  id, blog, 'com', coalesce(given_risk, counted_risk(independent)), given_risk is not null, source, source_details,
  description, notes, niche, domain_rating, outbound_links, cost, added_by, added_at, updated_at,
  cardinality(source) - independent, coalesce(proven.proof, moved.proof)
from moved join counted using (blog) left join proven using (blog);

update messages set domain_id = domains.id
from moved_domains as moved join domains on domains.name = moved.blog
where messages.domain_id = moved.id and moved.id <> domains.id;

with moved as (
  delete from feed_names where pg_temp.is_moved(name) returning *
)
insert into feed_names (feed_id, name, missed)
select feed_id, pg_temp.to_blog(name), bool_and(missed) from moved group by 1, 2
on conflict (feed_id, name) do update set missed = feed_names.missed and excluded.missed;

-- Copies of feeds that wait for a review. What the change of names makes equal is no change any more.
with moved as (
  delete from feed_copies where pg_temp.is_moved(name) returning *
)
insert into feed_copies (run_id, name)
select distinct run_id, pg_temp.to_blog(name) from moved
on conflict (run_id, name) do nothing;

create temporary table moved_changes on commit drop as
  select * from feed_changes where pg_temp.is_moved(name);
delete from feed_changes where pg_temp.is_moved(name);
insert into feed_changes (run_id, is_removed, name)
select distinct run_id, is_removed, pg_temp.to_blog(name) from moved_changes
on conflict (run_id, is_removed, name) do nothing;
delete from feed_changes as change using moved_changes as moved, feed_runs as run
where change.run_id = moved.run_id and change.name = pg_temp.to_blog(moved.name) and run.id = change.run_id
  and case when change.is_removed
    then exists (select from feed_copies as copy where copy.run_id = run.id and copy.name = change.name)
    else exists (select from feed_names as last where last.feed_id = run.feed_id and last.name = change.name)
  end;
update feed_runs as run set
  added = (select count(*) from feed_changes where run_id = run.id and not is_removed),
  removed = (select count(*) from feed_changes where run_id = run.id and is_removed)
where status = 'waiting' and id in (select run_id from moved_changes);

-- A listing that an admin rejected stays rejected.
create temporary table moved_held on commit drop as
  select held_listings.*, pg_temp.to_blog(domain) as blog from held_listings where pg_temp.is_moved(domain);
insert into moved_held
  select held_listings.*, domain from held_listings where (domain, source_id) in (select blog, source_id from moved_held);
analyze moved_held;
delete from held_listings where id in (select id from moved_held);
insert into held_listings (id, domain, source_id, reason, cells, held_at, rejected_at)
overriding system value
select distinct on (blog, source_id) id, blog, source_id, reason, cells, held_at, rejected_at
from moved_held order by blog, source_id, rejected_at desc nulls last, held_at desc, id;

-- The newest rule replaces the others, as it does for one name.
create temporary table moved_rules on commit drop as
  select site_rules.*, pg_temp.to_blog(domain) as blog from site_rules where pg_temp.is_moved(domain);
insert into moved_rules
  select site_rules.*, domain from site_rules where domain in (select blog from moved_rules);
analyze moved_rules;
delete from site_rules where id in (select id from moved_rules);
insert into site_rules (id, domain, decision, reason, created_by, created_at)
overriding system value
select distinct on (blog) id, blog, decision, reason, created_by, created_at
from moved_rules order by blog, created_at desc, id desc;

-- A user who submitted several addresses has one submission left that waits.
update submissions set
  domain = pg_temp.to_blog(domain), status = 'rejected', decided_at = now(),
  reason = 'This is the same blog as ' || pg_temp.to_blog(domain) || ', which you submitted too.'
where id in (
  select id from (
    select id, row_number() over (
      partition by user_id, pg_temp.to_blog(domain) order by pg_temp.is_moved(domain), created_at, id
    ) as place
    from submissions
    where status = 'pending' and user_id is not null and domain ~ '(^|\.)blogspot\.'
  ) as pending
  where place > 1
);
update submissions set domain = pg_temp.to_blog(domain) where pg_temp.is_moved(domain);

-- The open appeals of a user for several addresses become one with all their texts: a verified one if there is one.
create temporary table moved_appeals on commit drop as
  select * from (
    select *, pg_temp.to_blog(domain) as blog,
      first_value(id) over same as kept_id, count(*) over (partition by user_id, pg_temp.to_blog(domain)) as appeals
    from appeals
    where decided_at is null and user_id is not null and domain ~ '(^|\.)blogspot\.'
    window same as (
      partition by user_id, pg_temp.to_blog(domain) order by verified_at nulls last, pg_temp.is_moved(domain), id
    )
  ) as open
  where appeals > 1;
create temporary table moved_answers on commit drop as
  select messages.id, kept_id from messages join moved_appeals on moved_appeals.id = appeal_id;
delete from appeals where id in (select id from moved_appeals);
insert into appeals (id, user_id, domain, message, statement, proof, token, state, created_at, verified_at)
overriding system value
select id, user_id, blog, texts.message, texts.statement, proof, token, state, created_at, verified_at
from moved_appeals as moved join (
  select kept_id, string_agg(message, E'\n\n' order by id <> kept_id, id) as message,
    string_agg(statement, E'\n\n' order by id <> kept_id, id) as statement
  from moved_appeals group by kept_id
) as texts on texts.kept_id = moved.id;
update messages set appeal_id = kept_id from moved_answers where messages.id = moved_answers.id;
update appeals set domain = pg_temp.to_blog(domain) where pg_temp.is_moved(domain);

-- The newest decision counts, and the note tells the others.
create temporary table moved_decisions on commit drop as
  select decisions.*, pg_temp.to_blog(domain) as blog from decisions where pg_temp.is_moved(domain);
insert into moved_decisions
  select decisions.*, domain from decisions
  where (website_id, domain) in (select website_id, blog from moved_decisions);
analyze moved_decisions;
delete from decisions using moved_decisions as moved
where decisions.website_id = moved.website_id and decisions.domain = moved.domain;
insert into decisions (website_id, domain, decision, note, decided_at)
select
  website_id, blog, min(newest),
  concat_ws(
    E'\n',
    string_agg(distinct note, E'\n') filter (where note <> ''),
    string_agg(domain || ': ' || decision, E'\n' order by domain) filter (where decision <> newest)
  ),
  coalesce(max(decided_at) filter (where decision is not null), max(decided_at))
from (
  select *, first_value(decision) over (
    partition by website_id, blog order by decision is null, decided_at desc, domain <> blog, domain
  ) as newest
  from moved_decisions
) as moved
group by website_id, blog;

-- Reports and alerts are compared with decisions by name, and count their top-level domains and decisions again.
create temporary table moved_reports on commit drop as
  with moved as (
    update report_domains set domain = pg_temp.to_blog(domain) where pg_temp.is_moved(domain) returning report_id
  )
  select distinct report_id from moved;
update reports set domain_counts = null, decision_counts = null
where website_id in (select website_id from reports join moved_reports on report_id = id);
update reports set decision_counts = null
where decision_counts is not null and website_id in (select website_id from moved_decisions);
update alerts set domain = pg_temp.to_blog(domain) where pg_temp.is_moved(domain);

-- A user who has websites for several addresses keeps them: one of them gets the new name.
update websites set domain = pg_temp.to_blog(domain)
where id in (
  select id from (
    select id, domain, scope,
      row_number() over (partition by user_id, pg_temp.to_blog(domain) order by pg_temp.is_moved(domain), id) as place,
      row_number() over (partition by scope, pg_temp.to_blog(domain) order by pg_temp.is_moved(domain), id) as scope_place
    from websites where domain ~ '(^|\.)blogspot\.'
  ) as blogs
  where pg_temp.is_moved(domain) and place = 1 and (scope <> 'system' or scope_place = 1)
);

create temporary table moved_hosts on commit drop as
  select website_hosts.*, pg_temp.to_blog(host) as blog from website_hosts
  where registrable_domain ~ '(^|\.)blogspot\.' and pg_temp.is_moved(host);
insert into moved_hosts
  select website_hosts.*, host from website_hosts
  where (website_id, host) in (select website_id, blog from moved_hosts);
analyze moved_hosts;
delete from website_hosts using moved_hosts
where website_hosts.website_id = moved_hosts.website_id and website_hosts.host = moved_hosts.host;
insert into website_hosts (
  website_id, host, registrable_domain, backlinks, first_report_id, report_id, first_seen, last_seen, domain, risk_level
)
select
  website_id, blog, pg_temp.to_blog(min(registrable_domain)), least(sum(backlinks), 2147483647), min(first_report_id),
  max(report_id), min(first_seen), max(last_seen),
  pg_temp.to_blog((array_agg(domain order by risk_level desc nulls last))[1]), max(risk_level)
from moved_hosts group by website_id, blog;
update watches set hosts = (select count(*) from website_hosts where website_hosts.website_id = watches.website_id)
where website_id in (select website_id from moved_hosts);
