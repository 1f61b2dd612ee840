import { expect, type Page } from '@playwright/test';
import { signInAsNewUser } from './accounts.ts';

/** What the account says of the plan. */
export const support = (page: Page) => page.getByRole('region', { name: 'Support' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

/** What the server knows that the person pays for. */
export const getSubscription = async (page: Page) => (await page.request.get('/api/subscriptions/mine')).json();

/** Pays for a plan with the request of the simulated checkout. */
export async function createSubscription(page: Page, plan: 'Standard' | 'Business'): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const paid = await page.request.get(`/api/subscriptions/simulate-success?tier=${plan.toLowerCase()}`, { headers });
  expect(paid.ok(), await paid.text()).toBe(true);
}

/** Joins, pays for a plan, and opens the account. */
export async function signInAsSubscriber(page: Page, plan: 'Standard' | 'Business'): Promise<void> {
  await signInAsNewUser(page);
  await createSubscription(page, plan);
  await page.goto('/account');
  await expect(support(page)).toContainText(`You support Linksieve with ${plan}`);
}
