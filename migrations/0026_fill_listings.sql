-- no-transaction
-- Writes a listing for each source of each domain, in batches that are committed one by one. An interrupted run continues after its
-- last batch. All sources are of kind manual, except `community`. A domain's cost is the price of its only source.
do $do$
declare
  batch_size constant integer := 200000;
  done_id bigint;
  max_id bigint;
  end_id bigint;
begin
  select last_id into done_id from listing_fill;
  select coalesce(max(id), 0) into max_id from domains;
  loop
    select max(id) into end_id from (select id from domains where id > done_id order by id limit batch_size) as batch;
    exit when end_id is null;

    create temporary table fill_texts on commit drop as
      select distinct source from domains where id > done_id and id <= end_id;
    insert into sources (name, kind)
      select min(one), case when lower(min(one)) = 'community' then 'submission' else 'manual' end
      from fill_texts, unnest(string_to_array(source, ', ')) as one
      group by lower(one collate "default")
      on conflict do nothing;
    create temporary table fill_sources on commit drop as
      select source, array_agg(id order by place) as ids, string_agg(name, ', ' order by place) as names,
        bool_or(kind = 'submission') as is_submission
      from (
        select source, sources.id, sources.name, kind, min(place) as place
        from fill_texts, unnest(string_to_array(source, ', ')) with ordinality as part (one, place)
        join sources on lower(sources.name collate "default") = lower(one collate "default")
        group by source, sources.id
      ) as found
      group by source;
    analyze fill_sources;

    insert into listings (name, source_id, first_seen_at, last_seen_at, price)
      select name, source_id, added_at, greatest(added_at, updated_at), case when cardinality(ids) = 1 then cost end
      from domains join fill_sources using (source), unnest(ids) as source_id
      where domains.id > done_id and domains.id <= end_id
      order by name;
    -- Sources differ by more than case, so each has one spelling.
    update domains set source = names,
        proof = case when not is_submission then 0 when cardinality(ids) = 1 and cost <> '' then 2 else 1 end
      from fill_sources
      where id > done_id and id <= end_id and domains.source = fill_sources.source and (names <> fill_sources.source or is_submission);
    update listing_fill set last_id = end_id;
    commit;
    done_id := end_id;
    raise notice 'Listings of the blacklist: % %%', floor(100.0 * done_id / max_id);
  end loop;
end
$do$;
