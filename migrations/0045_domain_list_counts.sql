-- How many of the entries were listed when the list was checked, for the overview of a user's lists. Null for lists from before.
alter table domain_lists add column listed_count integer;
