import { expect, type Page, test } from '@playwright/test';

/** Holds the files of the app whose names match. @returns lets them through */
async function hold(page: Page, files: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(files, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('a link pressed while the sign-in page loads wins, and the screen asked for first is remembered', async ({
  page,
}) => {
  const release = await hold(page, '**/assets/auth-page*.js');
  await page.goto('/domains?search=first.example');
  await expect(page).toHaveURL('/auth');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  release();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('redirect-after-login'))).toBe(
    '/domains?search=first.example',
  );
});
