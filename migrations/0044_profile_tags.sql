-- Words that the owner of a website sorts it by, such as the name of a client. They differ in more than case.
alter table profiles add column tags text[] not null default '{}';
