import type { Page, Route } from '@playwright/test';

/** Answers a call as a proxy does in place of a broken server: with nothing that says what happened. */
export const serverError = (route: Route) => route.fulfill({ status: 500, json: { error: '', code: 'internal' } });

/** Lets a call never arrive. */
export const networkError = (route: Route) => route.abort();

/** The same for calls of one method; the others pass. */
export const onlyMethod = (method: string, answer: (route: Route) => Promise<void>) => (route: Route) =>
  route.request().method() === method ? answer(route) : route.fallback();

/** Changes what the server answers to a call. */
export async function changeResponse<Answer = Record<string, unknown>>(
  page: Page,
  address: string | RegExp,
  change: (json: Answer, url: URL) => unknown,
): Promise<void> {
  await page.route(address, async (route) => {
    // A test may end while a call is on its way, or before its answer is read. That must not fail it.
    const answer = await route
      .fetch()
      .then(async (response) => ({ response, json: await response.json() }))
      .catch(() => undefined);
    if (!answer) return route.abort();
    await route.fulfill({ ...answer, json: change(answer.json, new URL(route.request().url())) });
  });
}

/** Holds the calls to an address for as long as the test looks at what a person sees meanwhile. @returns what lets them go */
export async function holdRequests(page: Page, address: string | RegExp): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}
