-- One job deletes the old rows of all tables. Its predecessors must not be queued any longer.
do $block$
begin
  if to_regclass('pgboss.schedule') is not null then
    delete from pgboss.schedule where name = any(array[
      'tidy-account-events', 'delete-old-alerts', 'delete-email-changes', 'tidy-accounts', 'delete-report-shares', 'delete-old-hosts',
      'delete-matched-changes', 'tidy-webhooks', 'delete-domain-lists', 'tidy-feeds'
    ]);
    delete from pgboss.job where name = any(array[
      'tidy-account-events', 'delete-old-alerts', 'delete-email-changes', 'tidy-accounts', 'delete-report-shares', 'delete-old-hosts',
      'delete-matched-changes', 'tidy-webhooks', 'delete-domain-lists', 'tidy-feeds'
    ]);
  end if;
end
$block$;
