import type { Page } from '@playwright/test';

export const row = (page: Page, domain: string) =>
  page.getByRole('table', { name: 'Toxic domains' }).getByRole('row').filter({ hasText: domain }).first();
export const decisionOf = (page: Page, domain: string, decision: string) =>
  page.getByRole('group', { name: `Decision about ${domain}` }).getByRole('button', { name: decision });
/** The button that opens a domain. Its name has the marks of the domain too, such as its patterns. */
export const nameOf = (page: Page, domain: string) => page.locator(`[data-row="${domain}"]`);
export const focusedDomain = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-row'));
