-- The end of the last period with a digest, so that an alert that is committed late does not cause a second one for the same period.
alter table alert_settings add column daily_digest_end timestamptz, add column weekly_digest_end timestamptz;

-- The Atom feed finds the newest runs of each website.
create index alerts_profile_run on alerts (profile_id, run_id desc);
