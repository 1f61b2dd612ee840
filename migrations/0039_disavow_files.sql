-- The disavow files that a user uploaded for a website. Everything about a file is computed from its text on request, because decisions and
-- the blacklist change. Only `counts` is of the moment of the upload, for the history.
create table disavow_files (
  id bigint generated always as identity primary key,
  profile_id bigint not null references profiles on delete cascade,
  file_name text not null,
  -- The size of the uploaded file, which may be in another encoding than `content`.
  bytes integer not null,
  content text not null,
  counts jsonb not null,
  uploaded_at timestamptz not null default now()
);

create index disavow_files_profile on disavow_files (profile_id);
