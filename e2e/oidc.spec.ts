import { expect, type Page } from '@playwright/test';
import { startProvider } from '../server/accounts/accounts/oidc/provider.fixtures.ts';
import { findFreePort } from '../server/platform/net/ports.ts';
import { findViolations } from './axe.ts';
import { startSeparateServer } from './separate-server.ts';
import { test } from './test.ts';

const providerLink = (page: Page) => page.getByRole('link', { name: 'Continue with Acme' });

test('a member of a firm signs in with its provider, on a site without passwords, and reaches the requested screen', async ({
  page,
}) => {
  const port = await findFreePort();
  const provider = await startProvider(`http://localhost:${port}`, 'acme');
  const server = await startSeparateServer(
    port,
    { ...provider.getSettings(), OIDC_NAME: 'Acme', OIDC_ADMIN_GROUP: 'admins', LOCAL_SIGN_IN: '0' },
    'web',
  );
  try {
    provider.signInAs({ sub: 'ada', email: 'ada@mail.example', email_verified: true, name: 'Ada', groups: ['admins'] });
    await page.goto(`${server.address}/risk-assessment?tab=reports`);
    await expect(providerLink(page)).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    expect(await findViolations(page)).toEqual([]);
    await providerLink(page).click();
    await page.getByRole('button', { name: 'Sign in here' }).click();
    await expect(page).toHaveURL(`${server.address}/risk-assessment?tab=reports`);

    await page.goto(`${server.address}/account?tab=profile`);
    const methods = page.getByRole('region', { name: 'Sign-in methods' });
    await expect(methods.getByRole('button', { name: 'Unlink Acme' })).toBeVisible();
    await methods.getByRole('button', { name: 'Unlink Acme' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await expect(page.getByText('This is your only way to sign in.').first()).toBeVisible();
    await page.goto(`${server.address}/admin/panel`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

    await page.request.post(`${server.address}/api/auth/logout`, { headers: { 'sec-fetch-site': 'same-origin' } });
    provider.signInAs({ sub: 'nobody' });
    await page.context().clearCookies();
    await page.goto(`${server.address}/auth`);
    await providerLink(page).click();
    await page.getByRole('button', { name: 'Sign in here' }).click();
    await expect(page.getByRole('alert')).toContainText('The provider did not send a valid email address.');
  } finally {
    await server.stop();
    provider.stop();
  }
});
