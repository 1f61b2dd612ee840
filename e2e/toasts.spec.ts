import { expect, type Page, test } from '@playwright/test';
import { admin, registerWithForm, signInAs, toastOf } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** Presses the sign-in button of an empty form: 'Missing Information', at once and without a request. */
async function triggerToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toastOf(page)).toContainText('Missing Information');
  await page.mouse.move(5, 5);
}

test('a toast closes by itself after five seconds', async ({ page }) => {
  // How late a timer is depends on the machine: the test knows the one that ran when the toast closed by its length.
  await page.addInitScript(() => {
    const ended: number[] = [];
    const start = setTimeout;
    const setTimer = (run: () => void, milliseconds: number) =>
      start(() => {
        ended.push(milliseconds);
        run();
      }, milliseconds);
    Object.assign(globalThis, { ended, setTimeout: setTimer });
  });
  await page.goto('/auth');
  await triggerToast(page);
  const ended = () => page.evaluate(() => (globalThis as unknown as { ended: number[] }).ended);
  await expect(toastOf(page)).toHaveCount(0);
  expect(await ended()).toContain(5000);
});

test('one toast shows at a time: a new one takes the place of the old', async ({ page }) => {
  await page.goto('/auth');
  await triggerToast(page);
  await page.getByLabel('Username or email').fill('nobody-of-this-name');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.keyboard.press('Enter');
  await expect(toastOf(page)).toContainText('Login Failed');
  await expect(toastOf(page)).toHaveCount(1);
});

test('hovering and focus pause the time', async ({ page }) => {
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

test('a swipe to the right of more than 50 px dismisses, a shorter one or one to the left does not', async ({
  page,
}) => {
  await page.goto('/auth');
  for (const [distance, left] of [
    [40, 1],
    [-80, 1],
    [60, 0],
  ] as const) {
    await triggerToast(page);
    await swipe(page, distance);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(toastOf(page)).toHaveCount(left);
    if (left === 1) await expect(toastOf(page)).toHaveAttribute('data-state', 'open');
  }
});

/** Opens 'Add Domain', whose request is refused, with its two fields filled in. */
async function openAddDomain(page: Page) {
  await signInAs(page, admin);
  await page.route('**/api/domains', (route) => route.fulfill({ status: 500, json: { error: 'It broke.' } }));
  await page.goto('/domains?dialog=add');
  const dialog = page.getByRole('dialog', { name: 'Add Domain' });
  await dialog.getByRole('textbox', { name: 'Domain', exact: true }).fill('dialog-below.example');
  await dialog.getByRole('textbox', { name: 'Source', exact: true }).fill('crawler');
  return dialog;
}

test('Escape closes the toast alone where a dialog is open, wherever the focus is', async ({ page }) => {
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

test('a refusal keeps its place when a success comes by itself, which is shown next', async ({ page }) => {
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

test('the reason of a refused change stays in its dialog', async ({ page }) => {
  const dialog = await openAddDomain(page);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('It broke.');
  await toastOf(page).getByRole('button', { name: 'Close notification' }).click();
  await expect(toastOf(page)).toHaveCount(0);
  await expect(dialog).toContainText('It broke.');
});

test('a message is shown where the part that draws it cannot be loaded', async ({ page }) => {
  await page.route('**/assets/toast-viewport*.js', (route) => route.abort());
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const message = page.getByRole('region', { name: 'Notifications' }).getByRole('alert');
  await expect(message).toContainText('Missing Information');
  await message.getByRole('button', { name: 'Close notification' }).click();
  await expect(message).toHaveCount(0);
});

test('a toast is announced, and its tone can be seen', async ({ page }) => {
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
  const edge = () => toastOf(page).evaluate((toast) => getComputedStyle(toast).borderLeftColor);
  await expect(toastOf(page)).toHaveAttribute('data-tone', 'destructive');
  const destructive = await edge();
  await registerWithForm(page);
  await expect(toastOf(page)).toContainText('Registration successful');
  await expect(toastOf(page)).toHaveAttribute('data-tone', 'success');
  expect(await edge()).not.toBe(destructive);
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
