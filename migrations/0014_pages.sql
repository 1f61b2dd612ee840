-- Whether pages of other sites are visited. Without a row, the environment decides.
create table crawl_setting (
  id boolean primary key default true check (id),
  enabled boolean not null
);

-- When the next request to a host may start, across all processes. The host * has the pace of all requests.
create table crawl_turns (
  host text collate "C" primary key,
  next_at timestamptz not null
);

-- The robots.txt of an origin. Null: it could not be read.
create table crawl_robots (
  origin text collate "C" primary key,
  rules text,
  read_at timestamptz not null default now()
);

-- Domains whose owners stopped the visits, or are about to prove that they may.
create table crawl_opt_outs (
  id bigint generated always as identity primary key,
  user_id bigint references users (id) on delete set null,
  domain text collate "C" not null,
  proof text not null check (proof in ('dns', 'file')),
  token text not null,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  unique (user_id, domain)
);
create index crawl_opt_outs_domain on crawl_opt_outs (domain) where verified_at is not null;

-- Runs that visit the pages with the links of a report.
create table link_checks (
  id bigint generated always as identity primary key,
  report_id bigint not null,
  -- Only undecided domains, or only these. Otherwise all.
  only_undecided boolean not null default false,
  domains text[],
  -- The position of the last domain whose pages were chosen.
  planned_position integer not null default -1,
  pages integer not null default 0,
  visited integer not null default 0,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  progress smallint not null default 0 check (progress between 0 and 100),
  message text not null default '',
  refused boolean not null default false,
  attempts smallint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  progress_at timestamptz
);
create index link_checks_report on link_checks (report_id, id);
create unique index link_checks_open on link_checks (report_id) where status in ('queued', 'running');

-- What was seen on a page that links to the website of a report. States are numbered as in shared/reports/live-links.ts.
create table live_pages (
  report_id bigint not null,
  page_hash bytea not null,
  position integer not null,
  host text collate "C" not null,
  page text not null,
  -- The pages that the links point to, from the export.
  targets text[] not null,
  -- The run that will visit the page.
  wanted_by bigint,
  state smallint,
  reason text,
  http_status smallint,
  final_url text,
  rel text,
  anchor text,
  sentence text,
  text_hash bytea,
  checked_at timestamptz,
  primary key (report_id, page_hash)
);
create index live_pages_position on live_pages (report_id, position);
create index live_pages_wanted on live_pages (wanted_by, host) where wanted_by is not null;

-- The best state of the links of each domain.
create table live_domains (
  report_id bigint not null,
  position integer not null,
  pages integer not null,
  checked_pages integer not null default 0,
  state smallint,
  checked_at timestamptz,
  primary key (report_id, position)
);
