-- An analysis reads one or more files, and can wait for the user's answer to a question about them.
-- files: [{ path, name, bytes }]. column_name: the header name of the source column, if the upload gives it. ask: whether to ask.
-- answers: { columns: { table: column number }, sites: [other site] }. question: what the user must answer; only of a waiting analysis.
alter table analyses
  add column files jsonb,
  add column column_name text,
  add column ask boolean not null default false,
  add column answers jsonb not null default '{"columns": {}, "sites": []}',
  add column question jsonb;

update analyses set files = jsonb_build_array(jsonb_build_object('path', file_path, 'name', file_name, 'bytes', file_bytes));

alter table analyses
  alter column files set not null,
  drop column file_path,
  drop column file_bytes,
  drop constraint analyses_status_check,
  add constraint analyses_status_check
    check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'));

-- Queued jobs name one file; from now on they name several.
do $block$
begin
  if to_regclass('pgboss.job') is not null then
    update pgboss.job
    set data = (data - 'filePath') || jsonb_build_object('filePaths', jsonb_build_array(data -> 'filePath'))
    where name = 'analyses' and data ? 'filePath';
  end if;
end
$block$;
