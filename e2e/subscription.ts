import { expect, type Page } from '@playwright/test';
import { sameOriginHeaders, signInAsNewUser } from './accounts.ts';

/** The part of the account page that shows the subscription. */
export const support = (page: Page) => page.getByRole('region', { name: 'Support' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

/** Returns the user's subscription from the API, or null. */
export const getSubscription = async (page: Page) => (await page.request.get('/api/subscriptions/mine')).json();

/** Subscribes the user to a plan through the API of the simulated checkout. */
export async function createSubscription(page: Page, plan: 'Standard' | 'Business'): Promise<void> {
  const path = `/api/subscriptions/simulate-success?tier=${plan.toLowerCase()}`;
  const response = await page.request.get(path, { headers: sameOriginHeaders });
  expect(response.ok(), await response.text()).toBe(true);
}

/** Registers a new user with a subscription, and opens the account page. */
export async function signInAsSubscriber(page: Page, plan: 'Standard' | 'Business'): Promise<void> {
  await signInAsNewUser(page);
  await createSubscription(page, plan);
  await page.goto('/account');
  await expect(support(page)).toContainText(`You support Linksieve with ${plan}`);
}
