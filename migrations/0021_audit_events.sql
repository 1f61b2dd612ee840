-- The audit log contains events. Its table, column, indexes, function and triggers get the names that the code uses.
alter table admin_acts rename to audit_events;
alter table audit_events rename column act to event;
alter index admin_acts_pkey rename to audit_events_pkey;
alter index admin_acts_user rename to audit_events_user;
alter index admin_acts_username rename to audit_events_username;
alter index admin_acts_act rename to audit_events_event;
alter sequence admin_acts_id_seq rename to audit_events_id_seq;
alter function keep_admin_acts() rename to protect_audit_events;
alter trigger admin_acts_kept on audit_events rename to audit_events_protected;
alter trigger admin_acts_not_emptied on audit_events rename to audit_events_not_truncated;
