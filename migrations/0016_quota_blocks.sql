-- requests: what was made, as its owner sees it. granted: what processes were handed in blocks, spent or not; never more than the
-- limit of a day. See docs/decisions/2026-11-21-quota-in-blocks.md.
alter table api_key_usage add column granted integer not null default 0;
update api_key_usage set granted = requests;
alter table api_key_usage add constraint api_key_usage_within_granted check (requests <= granted);
