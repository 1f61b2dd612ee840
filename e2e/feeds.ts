import type { Feed, FeedRun } from '../shared/blacklist/feeds.ts';

const run: FeedRun = {
  id: 1,
  startedAt: '2026-11-01T08:00:00.000Z',
  finishedAt: '2026-11-01T08:00:04.000Z',
  status: 'updated',
  added: 18_012,
  removed: 0,
  unchanged: 0,
  held: 3,
  rejected: {},
  isReplaced: false,
  bytes: 412_000,
  error: null,
  progress: 100,
  message: '',
};

/** A feed whose list has been loaded. */
export const loadedFeed: Feed = {
  id: 1,
  name: 'Public Disavow Links',
  url: 'https://lists.example/disavow-links.txt',
  format: 'auto',
  detectedFormat: 'disavow',
  kind: 'block',
  sourceKind: 'disavow',
  intervalHours: 168,
  enabled: true,
  state: 'ok',
  domains: 18_012,
  lastRunAt: '2026-11-01T08:00:04.000Z',
  lastSuccessAt: '2026-11-01T08:00:04.000Z',
  nextRunAt: '2026-11-08T08:00:00.000Z',
  failures: 0,
  licence: 'MIT',
  homepage: 'https://lists.example/',
  catalogueKey: 'public-disavow-links',
  lastRun: run,
  review: null,
};

/** A feed whose first download is running. */
export const waitingFeed: Feed = {
  ...loadedFeed,
  id: 2,
  name: 'Spamdexing Sites',
  catalogueKey: 'spamdexing-sites',
  state: 'new',
  domains: 0,
  lastSuccessAt: null,
  lastRun: { ...run, id: 2, status: 'running', finishedAt: null, progress: 40, message: 'Downloading the list' },
};

/** A feed whose first download has failed. */
export const failedFeed: Feed = {
  ...waitingFeed,
  state: 'failing',
  failures: 1,
  lastRun: {
    ...run,
    id: 2,
    status: 'failed',
    error: 'The server responded with 503 Service Unavailable. Linksieve tries again later.',
  },
};
