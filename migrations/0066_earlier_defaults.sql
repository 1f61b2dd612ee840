-- Defaults of settings that changed after this installation was made, and that it keeps. A new installation has none.
create table earlier_defaults (
  setting text primary key,
  value text not null
);

insert into earlier_defaults (setting, value)
select 'PROFILE_SCOPE', 'system' where exists (select from users);
