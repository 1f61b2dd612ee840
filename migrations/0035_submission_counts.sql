-- One user's submission is listed by the place that it names and by the source community. From now on, community does not count beside
-- other sources: see countCopies in server/sources/sources.ts. A level set by hand or by a file stays.
with listed_by_community as (
  select listings.name from listings join sources on sources.id = listings.source_id
  where lower(sources.name) = 'community' and family_id is null and withdrawn_at is null
),
counted as (
  select id, (array[1, 2, 2, 3, 4]::smallint[])[least(source_count - copies - 1, 5)] as risk_level
  from domains join listed_by_community using (name)
  where source_count > 1
)
update domains set
  copies = copies + 1,
  risk_level = case when risk_given then domains.risk_level else counted.risk_level end,
  updated_at = case when risk_given or domains.risk_level = counted.risk_level then updated_at else now() end
from counted
where domains.id = counted.id;
