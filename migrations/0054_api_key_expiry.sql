-- expires_at: null if the key never expires. last_address: the address of the last charged request.
-- previous_hash: the value before the last rotation, which works until previous_expires_at. It stays afterwards, so that programs
-- which still send it learn that it was replaced.
alter table api_keys
  add column expires_at timestamptz,
  add column last_address text,
  add column previous_hash bytea,
  add column previous_expires_at timestamptz,
  add constraint api_keys_previous check ((previous_hash is null) = (previous_expires_at is null));

create unique index api_keys_previous_hash on api_keys (previous_hash) where previous_hash is not null;
