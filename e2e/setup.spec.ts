import { expect, type Page } from '@playwright/test';
import { admin, signInWithForm } from './accounts.ts';
import { failedFeed } from './feeds.ts';
import { onlyMethod, serverError } from './mock-responses.ts';
import { expectStep } from './setup-step.ts';
import { test } from './test.ts';

test('an admin who signs in to an empty blacklist comes to the lists, and can skip them', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  await expect(page.getByRole('heading', { name: 'Fill your blacklist' })).toBeVisible();
  await page.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(/\/domains$/);
  await page.getByRole('link', { name: 'Load public lists' }).click();
  await expect(page).toHaveURL(/\/setup$/);
});

test('an admin who wanted another screen comes to that screen after signing in', async ({ page }) => {
  await showEmptyInstallation(page);
  await page.goto('/account');
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test('a double click adds each list once, and the last step names a list that could not be added', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  const added: string[] = [];
  await page.route('**/api/admin/feeds', async (route) => {
    if (route.request().method() === 'GET') {
      // The lists that were added end without a domain.
      return added.length === 0
        ? route.fallback()
        : route.fulfill({ json: [{ ...failedFeed, catalogueKey: added[0] }] });
    }
    const { catalogueKey } = route.request().postDataJSON();
    added.push(catalogueKey);
    const isBroken = catalogueKey === 'spamdexing-sites';
    // The others were added in another tab.
    await route.fulfill({
      status: isBroken ? 503 : 409,
      json: isBroken
        ? { error: 'The server is busy.', code: 'unavailable' }
        : { error: 'You already subscribe to this list.', code: 'conflict', existingId: 1 },
    });
  });
  await page.getByRole('button', { name: /^Load \d+ lists$/ }).dblclick();
  await expect(page.getByRole('heading', { name: 'Your blacklist is still empty' })).toBeFocused();
  await expectStep(page, 'Load lists');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('1 list could not be added');
  await expect(alert).toContainText('Spamdexing Sites: The server is busy.');
  expect(new Set(added).size).toBe(added.length);
  await expect(page.getByText('Try the failed lists again, or import a list of your own.')).toBeVisible();
  await page.getByRole('link', { name: 'Choose more lists' }).click();
  await expect(page).toHaveURL(/\/admin\/feeds\?dialog=catalogue$/);
});

test('if no list can be added, the selection stays', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  await page.route('**/api/admin/feeds', onlyMethod('POST', serverError));
  const load = page.getByRole('button', { name: /^Load \d+ lists$/ });
  const label = await load.innerText();
  await load.click();
  await expect(page.getByRole('alert')).toContainText(/\d+ lists could not be added/);
  await expectStep(page, 'Choose lists');
  await expect(page.getByRole('button', { name: label })).toBeEnabled();
});

/** Other tests fill the blacklist of the shared server. */
async function showEmptyInstallation(page: Page): Promise<void> {
  const counts = { low: 0, medium: 0, high: 0, veryHigh: 0, total: 0, lastUpdated: null };
  await page.route('**/api/stats/count', (route) => route.fulfill({ json: counts }));
  await page.route('**/api/admin/feeds', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.fallback(),
  );
  const pagination = { page: 0, pageSize: 50, total: 0, totalPages: 0 };
  await page.route('**/api/domains?*', (route) => route.fulfill({ json: { domains: [], pagination } }));
}
