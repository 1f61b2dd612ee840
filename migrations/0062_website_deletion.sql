-- Deletes the decisions of a website in parts before the website. In one statement, the rows that the trigger of account_usage counts
-- would need a temporary file, which a full disk has no space for.
create function delete_decisions_of_website() returns trigger language plpgsql as $function$
begin
  loop
    delete from decisions
    where profile_id = old.id and domain = any(array(select domain from decisions where profile_id = old.id limit 10000));
    exit when not found;
  end loop;
  return old;
end
$function$;

create trigger delete_decisions before delete on profiles for each row execute function delete_decisions_of_website();
