-- What visits to the evidence of listings found.
create table evidence_proofs (
  name text collate "C" not null,
  source_id integer not null,
  -- The visited page. If the listing has another one now, the rest does not count.
  url text not null,
  status text check (status in ('seen', 'changed', 'gone', 'unreachable')),
  quote text,
  text_hash bytea,
  checked_at timestamptz,
  next_at timestamptz not null,
  -- Since when each visit that reached the server found the page gone.
  gone_since timestamptz,
  -- Whether two visits at least 30 days apart found the page gone, and none saw it since.
  is_gone boolean not null default false,
  primary key (name, source_id)
);
create index evidence_proofs_due on evidence_proofs (next_at);
create index evidence_proofs_url on evidence_proofs (url, next_at);
create index evidence_proofs_gone on evidence_proofs (name, source_id) where is_gone;

create index listings_evidence on listings (name, source_id) where evidence_url is not null and withdrawn_at is null;

-- The proof of a listing whose evidence is gone is that of a listing without evidence.
create function listing_proof(kind text, price text, evidence_url text, is_gone boolean) returns smallint
language sql immutable parallel safe
return case when is_gone then listing_proof(kind, null, null) else listing_proof(kind, price, evidence_url) end;
