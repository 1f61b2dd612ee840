-- A user's website is called a website in the schema too: the table `profiles` becomes `websites`, and every column
-- `profile_id` becomes `website_id`. The registrable domain of a host is not called a site any more. No row is rewritten.

alter table profiles rename to websites;
alter table website_hosts rename column site to registrable_domain;
alter index website_hosts_site rename to website_hosts_registrable_domain;

do $$
declare
  old record;
begin
  for old in
    select c.oid::regclass as relation, attname from pg_attribute a join pg_class c on c.oid = attrelid
    where attname = 'profile_id' and relkind = 'r' and relnamespace = current_schema()::regnamespace
  loop
    execute format('alter table %s rename column profile_id to website_id', old.relation);
  end loop;

  for old in
    select conrelid::regclass as relation, conname as name from pg_constraint
    where conname ~ 'profile' and connamespace = current_schema()::regnamespace
  loop
    execute format('alter table %s rename constraint %I to %I', old.relation, old.name, replace(old.name, 'profile', 'website'));
  end loop;

  for old in
    select relname as name, case relkind when 'S' then 'sequence' else 'index' end as kind from pg_class
    where relname ~ 'profile' and relkind in ('i', 'S') and relnamespace = current_schema()::regnamespace
  loop
    execute format('alter %s %I rename to %I', old.kind, old.name, replace(old.name, 'profile', 'website'));
  end loop;

  -- The texts of functions, and the arguments of triggers, name the column too.
  for old in
    select pg_get_functiondef(oid) as definition from pg_proc
    where prosrc ~ 'profile_id' and prolang <> (select oid from pg_language where lanname = 'c')
      and pronamespace = current_schema()::regnamespace
  loop
    execute replace(old.definition, 'profile_id', 'website_id');
  end loop;

  for old in
    select pg_get_triggerdef(oid) as definition, tgname as name, tgrelid::regclass as relation from pg_trigger
    where not tgisinternal and (tgname ~ 'profile' or position('profile_id' in encode(tgargs, 'escape')) > 0)
  loop
    execute format('drop trigger %I on %s', old.name, old.relation);
    execute replace(old.definition, 'profile', 'website');
  end loop;
end
$$;
