import { expect, test } from '@playwright/test';
import { broken, expectTexts, slow } from './expect-texts.ts';
import { join } from './person.ts';
import { addProfile, importSample } from './sample-data.ts';

test('the header and the blacklist', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [name = ''] = await importSample(page, 60);
  const word = name.split('-')[0];
  await join(page);
  await page.goto(`/domains?search=${word}`);
  await expectTexts(page, 'header, signed in');
  await expectTexts(page, 'blacklist');
  await expectTexts(page, 'blacklist, levels');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expectTexts(page, 'account menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await expectTexts(page, 'blacklist, advanced filters');
  await page.goto('/domains?search=there-is-no-such-name');
  await expectTexts(page, 'blacklist, nothing found');

  const { domains } = await (await page.request.get(`/api/domains?search=${name}`)).json();
  await page.goto(`/domains?domain=${domains[0].id}`);
  const details = page.getByRole('dialog');
  await expectTexts(page, 'domain details');
  await details.getByRole('button', { name: 'Copy URL' }).click();
  await expectTexts(page, 'domain details, copied');
  await details.getByRole('button', { name: 'Report incorrect information' }).click();
  await details.getByLabel('What is incorrect?').fill('It has another owner since the spring.');
  await details.getByRole('button', { name: /^Send/ }).click();
  await expectTexts(page, 'domain details, reported');

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/domains?search=${word}`);
  await expectTexts(page, 'blacklist, phone');
});

test('the search limit', async ({ page }) => {
  await join(page);
  await page.route('**/api/domains?*', (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: 'Search limit reached',
        code: 'search_limit',
        message: 'You have used all your searches.',
        searchesUsed: 100,
        searchLimit: 100,
      },
    }),
  );
  await page.goto('/domains?search=casino');
  await expectTexts(page, 'search limit reached');
});

test('the account and its websites', async ({ page }) => {
  await join(page);
  await addProfile(page);
  await page.goto('/account');
  await expectTexts(page, 'account');
  await page.route('**/api/profiles', broken);
  await page.reload();
  await expectTexts(page, 'websites not loaded');
});

test('API keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await join(page);
  await page.goto('/account?tab=api-keys');
  const create = page.getByRole('button', { name: 'Create API Key' });
  await create.click();
  await expectTexts(page, 'API key made');
  await expectTexts(page, 'API keys');
  await page.getByRole('button', { name: 'Copy API Key' }).click();
  await expectTexts(page, 'API key copied');
  await page.route('**/api/api-keys**', broken);
  await page.route('**/api/api-keys/*', broken);
  await create.click();
  await expectTexts(page, 'API key not made');
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete API Key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click();
  };
  await remove();
  await expectTexts(page, 'API key not deleted');
  await page.unrouteAll();
  await page.reload();
  await remove();
  await expectTexts(page, 'API key deleted');
  await page.route('**/api/users/*/api-keys', broken);
  await page.reload();
  await expectTexts(page, 'API keys not loaded');
});

test('submitting a site', async ({ page }) => {
  await join(page);
  await page.goto('/submit-sites');
  await expectTexts(page, 'submit sites');
  const form = page.getByRole('form', { name: 'Submit a paid link site' });
  const field = (name: string) => form.getByRole('textbox', { name, exact: true });
  const fill = async (texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) await field(name).fill(text);
  };
  const send = form.getByRole('button', { name: 'Submit Site' });
  await send.click();
  await expectTexts(page, 'submit sites, nothing filled in');
  await fill({
    'Domain Name': `${'long-name'.repeat(12)}.example`,
    Evidence: 'e'.repeat(1001),
    Source: 's'.repeat(101),
    'Link Cost': '$'.repeat(51),
    'Site Niche': 'n'.repeat(101),
    'Domain Rating': '101',
  });
  await send.click();
  await expectTexts(page, 'submit sites, too much filled in');
  await fill({
    'Domain Name': 'not a name!',
    Evidence: 'Their page /advertise lists guest posts at fixed prices.',
    Source: 'A marketplace',
    'Link Cost': '$80 per link',
    'Site Niche': 'Travel',
    'Domain Rating': '40',
  });
  await send.click();
  await expectTexts(page, 'submit sites, no domain name');
  await field('Domain Name').fill(`offer-${Date.now()}.example`);
  await page.route('**/api/site-submissions', broken);
  await send.click();
  await expectTexts(page, 'submit sites, fails');
  await page.unroute('**/api/site-submissions');
  await page.route('**/api/site-submissions', slow);
  await send.click();
  await expectTexts(page, 'submit sites, on its way');
  await expectTexts(page, 'submit sites, sent');
});

test('screens that are not for everybody', async ({ page }) => {
  await join(page);
  await page.goto('/admin');
  await expectTexts(page, 'admin screen, no admin');
  await expect(page).toHaveURL('/', { timeout: 10_000 });
  await page.goto('/admin/inbox');
  await expectTexts(page, 'inbox, no admin');
});
