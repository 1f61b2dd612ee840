import type { Page } from '@playwright/test';

/** The server of a run takes no payments: the page that a payment leads back to says that it does. */
export async function enablePayments(page: Page): Promise<void> {
  const isReturn = ({ pathname, searchParams }: URL) =>
    pathname === '/account' && searchParams.get('subscription') === 'success';
  await page.route(isReturn, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('takesPayments&quot;:false', 'takesPayments&quot;:true');
    await route.fulfill({ response, body });
  });
}
