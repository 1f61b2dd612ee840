-- second_factor_at: when the user turned on the second factor; null while it is off.
alter table users add column second_factor_at timestamptz;

-- The secret of one-time codes, encrypted with the secret key. It counts once users.second_factor_at is set; before that, it waits for
-- the first code. last_step: the time step (30 seconds) of the last accepted code. No code of this step or an earlier one is accepted.
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret bytea not null,
  last_step bigint not null default 0
);

-- SHA-256 of the recovery codes that are not used yet.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);
