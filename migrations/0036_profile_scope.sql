-- The setting PROFILE_SCOPE when the profile was created. `system`: no other account could have a profile of its domain. `owner`: other
-- accounts can. A user never has two profiles of one domain.
alter table profiles
  add column scope text not null default 'system' check (scope in ('system', 'owner')),
  drop constraint profiles_domain_key;

create unique index profiles_system_domain on profiles (domain) where scope = 'system';
create unique index profiles_domain_owner on profiles (domain, user_id);
