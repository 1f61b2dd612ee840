import { type BrowserContext, test as base, type Page, type Route } from '@playwright/test';
import { emptyPage } from './served-page.ts';

/**
 * A page contains the responses of the API that it shows, so that a test could not replace them. Once a page or a
 * context routes calls of the API, and until it removes all routes, its pages are served without their content and
 * without responses, and the app requests them.
 */
export const test = base.extend({
  context: async ({ browser, context }, use) => {
    watch(context);
    const newContext = browser.newContext;
    browser.newContext = async (options) => watch(await newContext.call(browser, options));
    await use(context);
    browser.newContext = newContext;
  },
});

function watch(context: BrowserContext): BrowserContext {
  watchRoutes(context);
  return context.on('page', watchRoutes);
}

function watchRoutes(routed: Page | BrowserContext): void {
  const route = routed.route.bind(routed);
  const unrouteAll = routed.unrouteAll.bind(routed);
  let isEmptied = false;
  routed.route = async (url, ...others) => {
    if (!isEmptied && isApi(url)) {
      isEmptied = true;
      await route(isPage, serveEmpty);
    }
    return route(url, ...others);
  };
  routed.unrouteAll = async (options) => {
    isEmptied = false;
    await unrouteAll(options);
  };
}

/** A function could mean any call. */
const isApi = (url: unknown) =>
  url instanceof RegExp ? url.source.includes('api') : typeof url !== 'string' || url.includes('/api/');

const isPage = ({ pathname }: URL) => !/^\/(?:api\/(?!docs$)|assets\/)|\.\w+$/.test(pathname);

async function serveEmpty(route: Route): Promise<void> {
  if (route.request().resourceType() !== 'document') return route.fallback();
  const response = await route.fetch({ maxRedirects: 0 }).catch(() => undefined);
  if (!response) return route.abort();
  await route.fulfill({ response, body: emptyPage(await response.text()) });
}
