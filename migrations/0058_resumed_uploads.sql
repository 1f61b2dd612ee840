-- The files of an upload whose connection broke, so that the client can send the rest: a list of path and fileName. Null
-- while the upload is being received. bytes_left is 0 meanwhile.
alter table uploads add column parts jsonb;
