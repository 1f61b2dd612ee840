-- A website that is added for an upload is hidden until it has a report or a disavow file, so that a failed upload leaves
-- no empty website.
alter table websites add column awaits_upload boolean not null default false;

-- A report can have several links, whose tokens are encrypted instead of lost, so that the owner can copy them again. Of
-- an earlier link only the hash is known. It works until it expires.
alter table report_shares
  drop constraint report_shares_pkey,
  add column id bigint not null generated always as identity,
  add column sealed bytea,
  add constraint report_shares_pkey primary key (id);
create index report_shares_report on report_shares (report_id);

-- A deleted website or report can be restored for a minute. A deleted website has no owner, so nobody sees it.
alter table websites
  add column deleted_at timestamp with time zone,
  add column deleted_by bigint references users (id) on delete cascade;
create index websites_deleted_at on websites (deleted_at) where deleted_at is not null;
create index websites_deleted_by on websites (deleted_by) where deleted_by is not null;
alter table deleted_reports
  add column deleted_at timestamp with time zone not null default now(),
  add column report jsonb;

create or replace function record_deleted_report() returns trigger language plpgsql as $function$
begin
  insert into deleted_reports (report_id, website_id, report) values (old.id, old.website_id, to_jsonb(old));
  return old;
end
$function$;
