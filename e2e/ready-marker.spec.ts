import { expect, type Page } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';
import { test } from './test.ts';

const root = (page: Page) => page.locator('html');

/** Waits longer than the marker takes to appear if there is nothing to wait for. */
const waitForFrames = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  });

test('a page is marked as ready when its data and scripts are loaded, and not while the next screen loads', async ({
  page,
}) => {
  await signInAsNewUser(page);
  const releaseList = await holdRequests(page, '**/api/domains?*');
  const releaseCounts = await holdRequests(page, '**/api/stats/count*');
  const releaseScreen = await holdRequests(page, '**/assets/risk-assessment-page*.js');
  await page.goto('/domains?search=there-is-no-such-name');
  await waitForFrames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  releaseList();
  await expect(page.getByText('No domains found')).toBeVisible();
  await waitForFrames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  releaseCounts();
  await waitForReady(page);

  await page
    .getByRole('navigation', { name: 'Main', exact: true })
    .getByRole('link', { name: 'Risk Assessment' })
    .click();
  await waitForFrames(page);
  await expect(root(page)).not.toHaveAttribute('data-ready');
  releaseScreen();
  await waitForReady(page);
  await expect(page.getByRole('heading', { name: 'SEO Risk Assessment' })).toBeVisible();
});
