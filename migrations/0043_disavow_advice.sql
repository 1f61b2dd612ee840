-- Answers to the questions of "Should I disavow?": { manualAction, boughtLinks, suddenDrop }, each yes, no or unsure.
alter table profiles
  add column disavow_answers jsonb,
  add column disavow_answered_at timestamptz;
