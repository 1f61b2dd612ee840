import { expect, type Page, test } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';

const root = (page: Page) => page.locator('html');

/** Longer than the marker takes when there is nothing to wait for. */
const frames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  });

test('a page is marked as ready when its first data and every part are there, and not while the next screen loads', async ({
  page,
}) => {
  await signInAsNewUser(page);
  const sendSession = await holdRequests(page, '**/api/auth/current-user');
  const sendCounts = await holdRequests(page, '**/api/stats/count*');
  const sendReports = await holdRequests(page, '**/assets/risk-assessment-page*.js');
  await page.goto('/domains?search=there-is-no-such-name');
  await frames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  sendSession();
  await expect(page.getByText('No domains found')).toBeVisible();
  await frames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  sendCounts();
  await waitForReady(page);

  await page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name: 'Risk Assessment' })
    .click();
  await frames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  sendReports();
  await waitForReady(page);
  await expect(page.getByRole('heading', { name: 'SEO Risk Assessment' })).toBeVisible();
});
