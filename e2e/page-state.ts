import type { Page } from '@playwright/test';
import { debugPages } from '../shared/pages.ts';

/**
 * Enables debug mode on the debug pages and on the page that a test checkout returns to. The test server runs without
 * debug mode and returns 404 for the debug pages, so their HTML comes from another page, with a changed page state.
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

/** Changes the page state of the return from a payment as if the test server took payments. */
export async function enablePayments(page: Page): Promise<void> {
  const isReturn = ({ pathname, searchParams }: URL) =>
    pathname === '/account' && searchParams.get('subscription') === 'success';
  await page.route(isReturn, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('takesPayments&quot;:false', 'takesPayments&quot;:true');
    await route.fulfill({ response, body });
  });
}

/** Changes the page state of the risk assessment screen as if the test server sent no email. */
export async function disableMail(page: Page): Promise<void> {
  await page.route(/\/risk-assessment(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('sendsMail&quot;:true', 'sendsMail&quot;:false');
    await route.fulfill({ response, body });
  });
}
