import type { Page, Route } from '@playwright/test';
import type { Alert } from '../shared/reports/alerts.ts';

const listed: Alert = {
  id: 1,
  runId: 2,
  profileId: 1,
  website: 'garden-tools.example',
  domain: 'city-guide.example',
  event: 'listed',
  from: null,
  to: 'high',
  backlinks: 12,
  confidence: 'confirmed',
  sourceCount: 4,
  independentSourceCount: 4,
  at: '2026-11-24T08:12:00.000Z',
  readAt: null,
  decision: null,
  reportId: 7,
};

/** Alerts of two websites with every event, some of them read. */
export const sampleAlerts: readonly Alert[] = [
  listed,
  {
    ...listed,
    id: 2,
    domain: 'a-rather-long-name-of-a-travel-magazine-with-guest-posts.example',
    to: 'very high',
    backlinks: 1204,
    confidence: 'probable',
    sourceCount: 5,
    independentSourceCount: 5,
    reportId: null,
  },
  {
    ...listed,
    id: 3,
    domain: 'recipes-daily.example',
    event: 'raised',
    from: 'medium',
    to: 'very high',
    decision: 'disavow',
  },
  {
    ...listed,
    id: 4,
    profileId: 2,
    website: 'a-quite-long-name-of-a-shop-for-garden-furniture.example',
    domain: 'links4u.example',
    event: 'lowered',
    from: 'high',
    to: 'low',
    backlinks: 1,
    confidence: 'reported',
    sourceCount: 1,
    independentSourceCount: 1,
    readAt: '2026-11-24T09:00:00.000Z',
  },
  {
    ...listed,
    id: 5,
    runId: 1,
    domain: 'old-directory.example',
    event: 'delisted',
    from: 'low',
    to: null,
    confidence: null,
    sourceCount: null,
    independentSourceCount: null,
    at: '2026-11-20T08:12:00.000Z',
    readAt: '2026-11-24T09:00:00.000Z',
    decision: 'keep',
    reportId: null,
  },
];

/** Responds to requests for alerts with these, filtered and paged as the server does. */
export async function routeAlerts(page: Page, alerts: readonly Alert[]): Promise<void> {
  await page.route('**/api/alerts?*', (route) => fulfillWith(route, alerts));
}

async function fulfillWith(route: Route, alerts: readonly Alert[]): Promise<void> {
  const query = new URL(route.request().url()).searchParams;
  const pageSize = Number(query.get('pageSize'));
  const page = Number(query.get('page') ?? 0);
  const isFound = ({ profileId: websiteId, event, readAt }: Alert) =>
    websiteId === Number(query.get('profileId') ?? websiteId) &&
    event === (query.get('event') ?? event) &&
    (query.get('unread') === null || readAt === null);
  const found = alerts.filter(isFound);
  await route.fulfill({
    json: {
      alerts: found.slice(page * pageSize, (page + 1) * pageSize),
      pagination: { page, pageSize, total: found.length, totalPages: Math.ceil(found.length / pageSize) },
      unread: alerts.filter(({ readAt }) => readAt === null).length,
    },
  });
}
