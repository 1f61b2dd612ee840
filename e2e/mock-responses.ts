import type { Page, Route } from '@playwright/test';
import type { AdminStatus } from '../shared/operations/admin.ts';

/** Responds with a 500 without a message, as a proxy does if the server does not respond. */
export const serverError = (route: Route) => route.fulfill({ status: 500, json: { error: '', code: 'internal' } });

/** Aborts the request before it reaches the server. */
export const networkError = (route: Route) => route.abort();

/** Applies a handler to requests with one method. Others pass. */
export const onlyMethod = (method: string, handle: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === method ? handle(route) : route.fallback();

/** Changes the JSON of the server's response to requests for this URL. */
export async function changeResponse<Body = Record<string, unknown>>(
  page: Page,
  pattern: string | RegExp,
  change: (json: Body, url: URL) => unknown,
): Promise<void> {
  await page.route(pattern, async (route) => {
    // A test must not fail if it ends while a request is in flight or before its response is read.
    const fetched = await route
      .fetch()
      .then(async (response) => ({ response, json: await response.json() }))
      .catch(() => undefined);
    if (!fetched) return route.abort();
    await route.fulfill({ ...fetched, json: change(fetched.json, new URL(route.request().url())) });
  });
}

/**
 * Holds requests for this URL, so that a test can check the screen in the meantime.
 * @returns a function that releases the requests
 */
export async function holdRequests(page: Page, pattern: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Hides running imports from the page. Otherwise the import dialog would show an import that another test started. */
export async function hideRunningImports(page: Page): Promise<void> {
  await changeResponse<{ status: string }[]>(page, '**/api/domains/imports', (imports) =>
    imports.filter(({ status }) => status !== 'processing'),
  );
}

/** The status of an installation where nothing waits for an admin. */
export const noPendingWork: AdminStatus = {
  unreadMessages: 0,
  pendingSubmissions: 0,
  heldListings: 0,
  feeds: [],
  failedJobs: [],
  runningJobs: 0,
  hasUnknownProxy: false,
  replicaFailure: null,
  disk: { freeBytes: 50 * 1024 ** 3, totalBytes: 100 * 1024 ** 3 },
  backup: null,
  newerVersion: null,
};
