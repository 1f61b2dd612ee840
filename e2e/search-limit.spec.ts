import { expect } from '@playwright/test';
import { signInAsNewUser, toastOf } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { serverError } from './mock-responses.ts';
import { button } from './subscription.ts';
import { test } from './test.ts';

test('Try Again resets the search limit, and a failed reset shows an error', async ({ page }) => {
  await signInAsNewUser(page);
  const limitReached = {
    error: 'Search limit reached',
    code: 'search_limit',
    message: 'You have used all your searches.',
    searchesUsed: 100,
    searchLimit: 100,
  };
  await page.route('**/api/domains?*', (route) => route.fulfill({ status: 403, json: limitReached }));
  await page.route('**/api/reset-search-limit/*', serverError);
  await page.goto('/domains?search=casino');
  await expectTexts(page, 'search limit reached');
  await button(page, 'Try Again').click();
  await expect(toastOf(page)).toContainText('Your search limit could not be reset. Please try again.');
  await page.unroute('**/api/reset-search-limit/*');
  const reset = page.waitForResponse('**/api/reset-search-limit/*');
  await page.unroute('**/api/domains?*');
  await button(page, 'Try Again').click();
  expect((await reset).status()).toBe(200);
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Results' })).toBeFocused();
});

test('a 403 that is not about the search limit shows its own message', async ({ page }) => {
  await signInAsNewUser(page);
  const json = { error: 'This list is closed to you.', code: 'forbidden' };
  await page.route('**/api/domains?*', (route) => route.fulfill({ status: 403, json }));
  await page.goto('/domains?search=casino');
  await expect(page.getByText('This list is closed to you.')).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);
});
