import type { Page } from '@playwright/test';
import { debugPages } from '../shared/pages.ts';
import { emptyPage } from './served-page.ts';

/**
 * Enables debug mode on the debug pages and on the page that a test checkout returns to. The test server runs without
 * debug mode and returns 404 for the debug pages, so their HTML comes from another page, with a changed page state.
 */
export async function enableDebugPages(page: Page): Promise<void> {
  const isDebugPage = ({ pathname }: URL) => debugPages.some((path) => path === pathname);
  const isReturn = ({ pathname, searchParams }: URL) => pathname === '/account' && searchParams.get('test') === 'true';
  await changeState(page, (url) => isDebugPage(url) || isReturn(url), ['debug', true], (url) =>
    isReturn(url) ? url : new URL('/auth', url),
  );
}

/** Changes the page state of the return from a payment as if the test server took payments. */
export async function enablePayments(page: Page): Promise<void> {
  const isReturn = ({ pathname, searchParams }: URL) =>
    pathname === '/account' && searchParams.get('subscription') === 'success';
  await changeState(page, isReturn, ['takesPayments', true]);
}

/** Changes the page state of the risk assessment screen as if the test server sent no email. */
export async function disableMail(page: Page): Promise<void> {
  await changeState(page, ({ pathname }) => pathname === '/risk-assessment', ['sendsMail', false]);
}

/** Serves pages without content, and with another value of the page state. */
async function changeState(
  page: Page,
  matches: (url: URL) => boolean,
  [name, value]: [name: string, value: boolean],
  toServed: (url: URL) => URL = (url) => url,
): Promise<void> {
  await page.route(matches, async (route) => {
    const response = await route.fetch({ url: toServed(new URL(route.request().url())).href });
    const body = emptyPage(await response.text()).replace(`"${name}":${!value}`, `"${name}":${value}`);
    await route.fulfill({ response, body });
  });
}
