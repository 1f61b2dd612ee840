import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, registerWithForm, signInAs, toastOf } from './accounts.ts';
import { loadedFeed } from './feeds.ts';
import { holdRequests, onlyMethod, serverError } from './mock-responses.ts';
import { test } from './test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Submits the empty sign-in form, which shows 'Missing Information' without sending a request. */
async function triggerToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toastOf(page)).toContainText('Missing Information');
  await page.mouse.move(5, 5);
}

test('a toast closes automatically after five seconds', async ({ page }) => {
  await page.clock.install();
  // Records the delays of the timers that ran, because the time that passes depends on the machine.
  await page.addInitScript(() => {
    const finishedTimers: number[] = [];
    const originalSetTimeout = setTimeout;
    const recordingSetTimeout = (run: () => void, ms: number) =>
      originalSetTimeout(() => {
        finishedTimers.push(ms);
        run();
      }, ms);
    Object.assign(globalThis, { finishedTimers, setTimeout: recordingSetTimeout });
  });
  await page.goto('/auth');
  await triggerToast(page);
  const getFinishedTimers = () =>
    page.evaluate(() => (globalThis as unknown as { finishedTimers: number[] }).finishedTimers);
  await page.clock.fastForward(5_000);
  await expect(toastOf(page)).toHaveCount(0);
  expect(await getFinishedTimers()).toContain(5000);
});

test('only one toast is visible at a time: a new one replaces the previous one', async ({ page }) => {
  await page.goto('/auth');
  await triggerToast(page);
  await page.getByLabel('Username or email').fill('nobody-of-this-name');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Login Failed');
  await expect(toastOf(page)).toHaveCount(1);
});

test('hover and focus pause the timer of a toast', async ({ page }) => {
  await page.clock.install();
  await page.goto('/auth');
  await triggerToast(page);
  await toastOf(page).hover();
  await page.clock.fastForward(60_000);
  await expect(toastOf(page)).toBeVisible();
  await page.mouse.move(5, 5);
  await page.keyboard.press('F8');
  await page.clock.fastForward(60_000);
  await expect(toastOf(page)).toBeVisible();
  await page.getByLabel('Username or email').focus();
  await page.clock.fastForward(5_000);
  await expect(toastOf(page)).toHaveCount(0);
});

test('a swipe of more than 50 px to the right dismisses a toast; a shorter swipe or one to the left does not', async ({
  page,
}) => {
  await page.goto('/auth');
  for (const [distance, remaining] of [
    [40, 1],
    [-80, 1],
    [60, 0],
  ] as const) {
    await triggerToast(page);
    await swipe(page, distance);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(toastOf(page)).toHaveCount(remaining);
    if (remaining === 1) await expect(toastOf(page)).toHaveAttribute('data-state', 'open');
  }
});

/** Opens the 'Add Domain' dialog with both fields filled in. Its request fails. */
async function openAddDomain(page: Page) {
  await signInAs(page, admin);
  await page.route('**/api/domains', (route) => route.fulfill({ status: 500, json: { error: 'It broke.' } }));
  await page.goto('/domains?dialog=add');
  const dialog = page.getByRole('dialog', { name: 'Add Domain' });
  await dialog.getByRole('textbox', { name: 'Domain', exact: true }).fill('dialog-below.example');
  await dialog.getByRole('textbox', { name: 'Source', exact: true }).fill('crawler');
  return dialog;
}

test('Escape closes only the toast while a dialog is open, wherever the focus is', async ({ page }) => {
  const dialog = await openAddDomain(page);
  const field = dialog.getByRole('textbox', { name: 'Source', exact: true });
  for (const place of ['toast', 'field', 'button'] as const) {
    await field.focus();
    await page.keyboard.press('Enter');
    await expect(toastOf(page)).toContainText('Failed to add domain');
    if (place === 'toast') {
      await page.keyboard.press('F8');
      await expect(page.getByRole('region', { name: /^Notifications/ }).locator(':focus')).toHaveCount(1);
    } else if (place === 'button') await dialog.getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press('Escape');
    await expect(toastOf(page)).toHaveCount(0);
    await expect(field).toHaveValue('crawler');
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('an error toast stays when a success toast is queued, which appears next', async ({ page }) => {
  const release = await holdRequests(page, '**/api/auth/login');
  await page.goto('/auth');
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.keyboard.press('Enter');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toastOf(page)).toContainText('Registration failed');
  await toastOf(page).hover();
  release();
  await expect(page).not.toHaveURL(/\/auth/);
  await expect(toastOf(page)).toContainText('Registration failed');
  await toastOf(page).getByRole('button', { name: 'Close notification' }).click();
  await expect(toastOf(page)).toContainText('Signed in successfully!');
});

test('the error of a failed change stays in its dialog', async ({ page }) => {
  const dialog = await openAddDomain(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('It broke.');
  await toastOf(page).getByRole('button', { name: 'Close notification' }).click();
  await expect(toastOf(page)).toHaveCount(0);
  await expect(dialog).toContainText('It broke.');
});

for (const [name, path, method, request, error] of [
  ['Run Maintenance', '/admin/panel?tab=database', 'POST', 'admin/maintenance', 'Something went wrong.'],
  ['Update Risk Levels', '/admin/panel?tab=database', 'POST', 'risk/update-risk-levels', 'There was an error updating'],
  [`Refresh now: ${loadedFeed.name}`, '/admin/feeds', 'POST', 'admin/feeds/*/refresh', 'Something went wrong.'],
  ['Download my data', '/account?tab=privacy', 'GET', 'account/data', 'There was a problem exporting the data.'],
] as const) {
  test(`the error of '${name}' stays next to the button until it is pressed again`, async ({ page }) => {
    await signInAs(page, admin);
    await page.route('**/api/admin/feeds', (route) => route.fulfill({ json: [loadedFeed] }));
    await page.route(`**/api/${request}`, onlyMethod(method, serverError));
    await page.clock.install();
    await openReady(page, path);
    const button = page.getByRole('button', { name });
    const message = page.getByRole('main').getByRole('alert').filter({ hasText: error });
    await button.click();
    await expect(toastOf(page)).toHaveCount(1);
    await page.mouse.move(5, 5);
    await page.clock.fastForward(5_000);
    await expect(toastOf(page)).toHaveCount(0);
    await expect(message).toBeVisible();
    await holdRequests(page, `**/api/${request}`);
    await button.click();
    await expect(message).toHaveCount(0);
  });
}

test('a message appears even if the toast component cannot be loaded', async ({ page }) => {
  await page.route('**/assets/toast-viewport*.js', (route) => route.abort());
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const message = page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
  await expect(message).toContainText('Missing Information');
  await message.getByRole('button', { name: 'Close notification' }).click();
  await expect(message).toHaveCount(0);
});

test('a toast is announced to screen readers, and its border color shows its tone', async ({ page }) => {
  await page.addInitScript(() => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    new MutationObserver(() => {
      const text = document.querySelector('[role="status"][aria-live="assertive"]')?.textContent;
      if (text) announced.push(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto('/auth');
  await triggerToast(page);
  const announced = () => page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced.join('\n'));
  await expect.poll(announced).toContain('Missing Information');
  const borderColor = () => toastOf(page).evaluate((toast) => getComputedStyle(toast).borderLeftColor);
  await expect(toastOf(page)).toHaveAttribute('data-tone', 'destructive');
  const destructive = await borderColor();
  await registerWithForm(page);
  await expect(toastOf(page)).toContainText('Registration successful');
  await expect(toastOf(page)).toHaveAttribute('data-tone', 'success');
  expect(await borderColor()).not.toBe(destructive);
});

async function swipe(page: Page, distance: number): Promise<void> {
  const box = await toastOf(page).boundingBox();
  if (!box) throw new Error('There is no toast to swipe.');
  const [x, y] = [box.x + 90, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + distance / 2, y, { steps: 4 });
  await page.mouse.move(x + distance, y, { steps: 4 });
  await page.mouse.up();
}
