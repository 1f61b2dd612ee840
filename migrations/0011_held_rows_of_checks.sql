-- The check of an import file also lists the rows that the import would hold for review.
alter table import_failures add column is_held boolean not null default false;
