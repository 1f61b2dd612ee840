import type { Page } from '@playwright/test';
import { debugPages, type PageState } from '../shared/pages.ts';
import { emptyPage } from './served-page.ts';

/**
 * Enables debug mode on the debug pages and on the page that a test checkout returns to. The test server runs without
 * debug mode and returns 404 for the debug pages, so their HTML comes from another page, with a changed page state.
 */
export async function enableDebugPages(page: Page): Promise<void> {
  const isDebugPage = ({ pathname }: URL) => debugPages.some((path) => path === pathname);
  const isReturn = ({ pathname, searchParams }: URL) => pathname === '/account' && searchParams.get('test') === 'true';
  await changeState(
    page,
    (url) => isDebugPage(url) || isReturn(url),
    { debug: true },
    (url) => (isReturn(url) ? url : new URL('/auth', url)),
  );
}

/** Changes the page state of the return from a payment as if the test server took payments. */
export async function enablePayments(page: Page): Promise<void> {
  const isReturn = ({ pathname, searchParams }: URL) =>
    pathname === '/account' && searchParams.get('subscription') === 'success';
  await changeState(page, isReturn, { takesPayments: true });
}

/** Changes the page state of some screens as if the test server sent no email. */
export async function disableMail(page: Page): Promise<void> {
  const screens = ['/risk-assessment', '/auth'];
  await changeState(page, ({ pathname }) => screens.includes(pathname), { sendsMail: false });
}

/** Changes the page state of the about page as if the operator had published a name and a link to book a call. */
export async function publishOperator(page: Page): Promise<void> {
  const isAbout = ({ pathname }: URL) => pathname === '/about';
  const operator = { name: 'Example Ltd', url: 'https://operator.example/' };
  await changeState(page, isAbout, { operator, bookACallUrl: 'https://calls.example/' });
}

/** Serves pages without content, and with other values of the page state. */
async function changeState(
  page: Page,
  matches: (url: URL) => boolean,
  values: Partial<PageState>,
  toServed: (url: URL) => URL = (url) => url,
): Promise<void> {
  await page.route(matches, async (route) => {
    const response = await route.fetch({ url: toServed(new URL(route.request().url())).href });
    const body = emptyPage(await response.text()).replace(
      /"state":(\{.*?\})(?=,"timeZone")/,
      (_, state) => `"state":${JSON.stringify({ ...JSON.parse(state), ...values })}`,
    );
    await route.fulfill({ response, body });
  });
}
