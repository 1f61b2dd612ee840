import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { findFreePort } from '../server/platform/net/ports.ts';
import {
  admin,
  inNewSession,
  sameOriginHeaders,
  signInAs,
  signInAsNewUser,
  toastOf,
  userPassword,
} from './accounts.ts';
import { startSeparateServer } from './separate-server.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const generateCode = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

async function enterPassword(page: Page, username: string): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username or email').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(userPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
}

test('a user turns on two-factor authentication, signs in with codes, and turns it off', async ({ page }) => {
  const username = await signInAsNewUser(page);
  await page.goto('/account?tab=profile');
  // The server asks for a proof of identity if the user signed in some time ago.
  await page.route(
    '**/api/account/second-factor',
    (route) => route.fulfill({ status: 403, json: { error: 'Please confirm.', code: 'reauthentication_required' } }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog(page)).toContainText('Confirm that it is you');
  await expect(dialog(page).getByRole('textbox', { name: 'Your password' })).toBeFocused();
  await dialog(page).getByRole('textbox', { name: 'Your password' }).fill('wrong');
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog(page)).toContainText('This is not your current password.');
  await dialog(page).getByRole('textbox', { name: 'Your password' }).fill(userPassword);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();

  await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = ((await dialog(page).locator('code').textContent()) ?? '').replaceAll(' ', '');
  const code = dialog(page).getByRole('textbox', { name: '6-digit code' });
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(code).toHaveAttribute('inputmode', 'numeric');
  await code.fill(generateCode(secret, 50));
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  await expect(code).toHaveAccessibleDescription(/This code is wrong/);
  await code.fill(generateCode(secret, 0));
  await code.press('Enter');
  const codes = dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expect(dialog(page).getByText('Your recovery codes')).toBeFocused();
  const [first = '', second = ''] = await codes.allTextContents();
  const download = page.waitForEvent('download');
  await dialog(page).getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('linksieve-recovery-codes.txt');
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await expect(section).toContainText('10 recovery codes left.');

  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect(page).toHaveURL('/');
  await enterPassword(page, username);
  const field = page.getByRole('textbox', { name: '6-digit code' });
  await expect(field).toBeFocused();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(field).toHaveAccessibleDescription('Please enter a code');
  // The code that turned it on was used, and the next one is valid only later.
  await field.fill(generateCode(secret, 50));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(field).toHaveAccessibleDescription(/This code is wrong/);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByRole('textbox', { name: 'Recovery code' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(first.toLowerCase());
  await page.getByLabel('Remember this device for 30 days').check();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/dashboard');

  await page.goto('/account?tab=profile');
  await expect(section).toContainText('9 recovery codes left.');
  await section.getByRole('button', { name: 'Renew recovery codes' }).click();
  await dialog(page).getByRole('button', { name: 'Renew recovery codes' }).click();
  await expect(codes).toHaveCount(10);
  const [renewed = '', ...others] = await codes.allTextContents();
  expect([renewed, ...others]).not.toContain(second);
  await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
  await expect(dialog(page)).toHaveCount(0);

  // The proof includes a code now.
  await page.route(
    '**/api/account/second-factor',
    (route) => route.fulfill({ status: 403, json: { error: 'Please confirm.', code: 'reauthentication_required' } }),
    { times: 1 },
  );
  await section.getByRole('button', { name: 'Turn off' }).click();
  await dialog(page).getByRole('button', { name: 'Turn off' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByRole('textbox', { name: 'Your password' }).fill(userPassword);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toContainText('Please enter a code');
  await proof.getByRole('textbox', { name: '6-digit code or recovery code' }).fill(renewed);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(toastOf(page)).toContainText('Two-factor authentication turned off');
  await expect(section.getByRole('button', { name: 'Turn on' })).toBeVisible();
});

test('an admin unlocks an account and resets its second factor', async ({ page }) => {
  const username = await signInAsNewUser(page);
  const post = (path: string, data: object = {}) => page.request.post(path, { data, headers: sameOriginHeaders });
  const { secret } = await (await post('/api/account/second-factor')).json();
  expect((await post('/api/account/second-factor/confirm', { code: generateCode(secret, 0) })).status()).toBe(200);
  const statuses = await inNewSession(page, async (request) => {
    const codes: number[] = [];
    for (let i = 0; i < 11; i++) {
      const data = { username, password: 'wrong' };
      const headers = { ...sameOriginHeaders, 'x-forwarded-for': '198.51.100.44' };
      codes.push((await request.post('/api/auth/login', { data, headers })).status());
    }
    return codes;
  });
  expect(statuses.at(-1)).toBe(429);

  await signInAs(page, admin);
  await page.goto(`/admin/panel?tab=users&search=${username}`);
  const filtered = page.waitForResponse((response) => response.url().includes('show=locked'));
  await page.getByRole('combobox', { name: 'Filter accounts' }).selectOption('Locked accounts');
  await filtered;
  const table = page.getByRole('table', { name: 'Accounts' });
  await expect(table).toContainText('Locked');
  await page.getByRole('button', { name: `Unlock: ${username}` }).click();
  await dialog(page).getByRole('button', { name: 'Unlock account' }).click();
  await expect(toastOf(page)).toContainText(`${username} can sign in again.`);
  await expect(page.getByRole('heading', { name: 'No accounts found' })).toBeVisible();
  await page.goto(`/admin/panel?tab=users&search=${username}`);
  await page.getByRole('button', { name: `Reset two-factor: ${username}` }).click();
  await dialog(page).getByRole('button', { name: 'Reset two-factor authentication' }).click();
  await expect(toastOf(page)).toContainText(`${username} can sign in without a code.`);
  await signInAs(page, { username, password: userPassword });
});

test('a server that requires a second factor of admins shows them only the page that turns it on', async ({ page }) => {
  const settings = {
    REQUIRE_ADMIN_SECOND_FACTOR: '1',
    ADMIN_USERNAME: 'founder',
    ADMIN_EMAIL: 'founder@mail.example',
    ADMIN_PASSWORD: userPassword,
  };
  const server = await startSeparateServer(await findFreePort(), settings);
  try {
    await page.goto(`${server.address}/auth`);
    await page.getByLabel('Username or email').fill('founder');
    await page.getByRole('textbox', { name: 'Password' }).fill(userPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const title = page.getByRole('heading', { name: 'Two-factor authentication required' });
    await expect(title).toBeVisible();
    await page.goto(`${server.address}/admin`);
    await expect(title).toBeVisible();
    await page.getByRole('button', { name: 'Turn on' }).click();
    const secret = ((await dialog(page).locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog(page).getByRole('textbox', { name: '6-digit code' }).fill(generateCode(secret, 0));
    await dialog(page).getByRole('button', { name: 'Turn on' }).click();
    await expect(dialog(page).getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
    await dialog(page).getByRole('button', { name: 'I have saved them' }).click();
    await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible();
  } finally {
    await server.stop();
  }
});
