-- Imports, analyses and maintenance have one lifecycle: queued, running, then completed, failed or cancelled.
-- attempts: starts that neither ended nor were returned to the queue. refused: the file is at fault, not the server.
alter table maintenance_runs add column refused boolean not null default false;

alter table imports drop constraint imports_status_check;
alter table analyses drop constraint analyses_status_check;
alter table maintenance_runs drop constraint maintenance_runs_status_check;
drop index imports_processing;
drop index maintenance_runs_one;

update imports set status = case when attempts = 0 then 'queued' else 'running' end where status = 'processing';
update analyses set status = case when attempts = 0 then 'queued' else 'running' end where status = 'processing';
update maintenance_runs set status = case when attempts = 0 then 'queued' else 'running' end where status = 'processing';

alter table imports alter column status set default 'queued',
  add check (status in ('queued', 'running', 'completed', 'failed', 'cancelled'));
alter table analyses alter column status set default 'queued',
  add check (status in ('queued', 'running', 'completed', 'failed', 'cancelled'));
alter table maintenance_runs alter column status set default 'queued',
  add check (status in ('queued', 'running', 'completed', 'failed', 'cancelled'));

create index imports_unfinished on imports (created_at) where status in ('queued', 'running');
-- At most one run of maintenance at a time.
create unique index maintenance_runs_unfinished on maintenance_runs ((true)) where status in ('queued', 'running');
