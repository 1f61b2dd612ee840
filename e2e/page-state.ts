import type { Page } from '@playwright/test';
import { debugPages } from '../shared/pages.ts';

/**
 * The server of a run has no screens for trying things out: they are put where they would be, on a page that says so. So is the
 * page that a checkout which was tried out leads back to.
 */
export async function enableDebugPages(page: Page): Promise<void> {
  const isDebugPage = ({ pathname }: URL) => debugPages.some((path) => path === pathname);
  const isReturn = ({ pathname, searchParams }: URL) => pathname === '/account' && searchParams.get('test') === 'true';
  await page.route(
    (url) => isDebugPage(url) || isReturn(url),
    async (route) => {
      const url = new URL(route.request().url());
      const response = await route.fetch({ url: isReturn(url) ? url.href : new URL('/auth', url).href });
      await route.fulfill({ response, body: (await response.text()).replace('debug&quot;:false', 'debug&quot;:true') });
    },
  );
}
