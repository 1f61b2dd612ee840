import { expect, type Page } from '@playwright/test';
import { join } from './person.ts';

/** What the account says of the plan. */
export const support = (page: Page) => page.getByRole('region', { name: 'Support' });
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

/** What the server knows that the person pays for. */
export const paidFor = async (page: Page) => (await page.request.get('/api/subscriptions/mine')).json();

/** Joins, and pays for a plan. */
export async function joinWith(page: Page, plan: 'Standard' | 'Business'): Promise<void> {
  await join(page);
  await page.goto(`/simulate-checkout?tier=${plan.toLowerCase()}`);
  await button(page, `Confirm ${plan} Subscription`).click();
  await expect(support(page)).toContainText(`You support Linksieve with ${plan}`);
}
