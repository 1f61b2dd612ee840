import { expect, type Locator, type Page } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';

export const row = (page: Page, domain: string) =>
  page.getByRole('table', { name: 'Toxic domains' }).getByRole('row').filter({ hasText: domain }).first();
export const decisionOf = (page: Page, domain: string, decision: string) =>
  page.getByRole('group', { name: `Decision about ${domain}` }).getByRole('button', { name: decision });
/** The button that opens a domain. Its name has the marks of the domain too, such as its patterns. */
export const nameOf = (page: Page, domain: string) => page.locator(`[data-row="${domain}"]`);
export const focusedDomain = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-row'));

/** Chooses what to do with a report. */
export async function chooseAction(on: Page | Locator, name: string | RegExp): Promise<void> {
  await on.getByRole('button', { name: 'Export and share' }).click();
  await on.getByRole('menuitem', { name }).click();
}

/** Returns the domains of the page, in their order. */
export const listRows = (page: Page): Promise<string[]> =>
  page.locator('[data-row]').evaluateAll((rows) => rows.map((one) => one.getAttribute('data-row') ?? ''));

/**
 * Reloads a report of up to 100 domains after its last decision is stored. A reload before that loses decisions: the
 * browser asks the user first, and Playwright answers with yes.
 */
export async function reloadWhenStored(page: Page, domain: string, decision: string): Promise<void> {
  const url = `/api${new URL(page.url()).pathname}/domains?pageSize=100`;
  const readStored = async () => {
    const { domains } = await (await page.request.get(url)).json();
    return domains.find((one: { domain: string }) => one.domain === domain)?.decision;
  };
  await expect.poll(readStored).toBe(decision);
  await page.reload();
  await waitForReady(page);
}
