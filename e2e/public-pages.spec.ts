import { expect, type Page, test } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, enter, join } from './person.ts';
import { importSample } from './sample-data.ts';

const headerLinks = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').allTextContents();
const openLinks = ['Features', 'Use Cases', 'About'];
const ownLinks = ['Blacklist', 'Risk Assessment', 'Submit Sites'];

/** The header keeps within the page at every width from the smallest phone on. */
async function expectHeaderFits(page: Page): Promise<void> {
  for (let width = 360; width <= 1440; width += 24) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate(() => {
      const bar = document.querySelector('header > div');
      return (bar ? bar.scrollWidth - bar.clientWidth : 1) + document.body.scrollWidth - window.innerWidth;
    });
    expect(over, `at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('the header has what each person may use, and fits at every width', async ({ page }) => {
  await openReady(page, '/features');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Free Access' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
  expect(await headerLinks(page)).toEqual(openLinks);
  await expectHeaderFits(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('navigation', { name: 'Main, small screen' }).getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^About/);
  await page.setViewportSize({ width: 1440, height: 900 });

  await join(page);
  await openReady(page, '/features');
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  expect(await headerLinks(page)).toEqual([...ownLinks, ...openLinks]);
  await expect(page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Go to Dashboard' }).first()).toHaveAttribute('href', '/account');
  await expectHeaderFits(page);
  await page.setViewportSize({ width: 900, height: 740 });
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(
    page.getByRole('navigation', { name: 'Main, small screen' }).getByRole('link', { name: 'Use Cases' }),
  ).toBeVisible();

  await enter(page, admin);
  await openReady(page, '/about');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Admin Panel' }).first()).toBeVisible();
  await expectHeaderFits(page);
  await page.getByRole('banner').getByRole('link', { name: 'Admin Panel' }).last().click();
  await expect(page).toHaveURL(/\/admin\/panel/);
});

test('a use case is remembered over the sign-in', async ({ page }) => {
  for (const [words, path] of [
    ['Verify a domain', '/dashboard'],
    ['Create a disavow file', '/risk-assessment'],
    ['Open my websites', '/account'],
    ['Analyze a competitor', '/risk-assessment'],
    ['Get an API key', '/account'],
  ] as const) {
    await page.goto('/use-cases');
    await page.getByRole('link', { name: words }).click();
    await expect(page).toHaveURL(/\/auth$/);
    expect(await page.evaluate(() => sessionStorage.getItem('redirect-after-login'))).toBe(path);
  }
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/account$/);
  await page.goto('/use-cases');
  await page.getByRole('link', { name: 'Verify a domain' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('anybody checks a domain on the home page, and what was typed stays', async ({ page }) => {
  const [, , , veryHigh = ''] = await importSample(page, 4);
  await page.goto('/');
  await expect(page.getByText(/\d\+$/)).toBeVisible();
  await expect(page.getByText(/^Database updated [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
  const box = page.getByRole('region', { name: 'Is a domain on the blacklist?' });
  const field = box.getByRole('textbox');

  await field.fill(`https://www.blog.${veryHigh}/offer`);
  await field.press('Enter');
  await expect(box).toContainText(`blog.${veryHigh} is listed`);
  await expect(box).toContainText('Very High Risk');
  await expect(box).toContainText(`The list names ${veryHigh}`);
  await expect(box).toContainText('Named by 1 source since');
  await expect(field).toHaveValue(`https://www.blog.${veryHigh}/offer`);

  await field.fill('there-is-no-such-name.example');
  await box.getByRole('button', { name: 'Check' }).click();
  await expect(box).toContainText('there-is-no-such-name.example is not listed');

  await field.fill('192.0.2.1');
  await field.press('Enter');
  await expect(box).toContainText('This is an IP address: enter a domain name such as example.com.');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(' ');
  await field.press('Enter');
  await expect(box).toContainText('Please enter a domain');

  await field.fill('co.uk');
  await field.press('Enter');
  await expect(box).toContainText('co.uk is never listed as a whole');
  await expect(box.getByRole('link', { name: 'Submit it' })).toHaveCount(0);
  await field.fill('bücher.example');
  await field.press('Enter');
  await expect(box).toContainText('bücher.example (xn--bcher-kva.example) is not listed');

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
});

test('without scripts the pages have their numbers, and what needs a script says so and sends nothing', async ({
  browser,
  page: importer,
}) => {
  await importSample(importer, 4);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/');
  await expect(page.getByText(/^\d[\d,]*\+$/)).toBeVisible();
  await expect(page.getByText(/^Database updated [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
  await page.getByLabel('Domain, or the address of a page').fill('sold.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Check' })).toBeDisabled();
  await expect(page.locator('noscript p')).toBeVisible();
  await expect(page.locator('noscript p')).toContainText('Checking a domain needs JavaScript');
  await expect(page).toHaveURL('/');

  await page.goto('/contact');
  await page.getByLabel('Name').fill('Ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeDisabled();
  await expect(page.locator('noscript p')).toBeVisible();
  await expect(page.locator('noscript p')).toContainText('Sending this form needs JavaScript');
  await expect(page).toHaveURL('/contact');

  await page.goto('/pricing');
  await expect(page).toHaveURL('/features');
  await page.close();
});

test('text typed before the app starts stays', async ({ page }) => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('textbox', { name: 'Message' }).fill('Typed at once');
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeDisabled();
  go();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
  await expect(page.getByLabel('Name')).toHaveValue('Ada');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Typed at once');
});

test('the home page keeps its numbers when the app comes, and asks for none', async ({ page }) => {
  await importSample(page, 4);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await openReady(page, '/');
  await expect(page.getByText(/^\d[\d,]*\+$/)).toBeVisible();
  expect(asked.filter((path) => path.startsWith('/api/'))).not.toContain('/api/stats/count');
});

test("on the smallest phones no button's words are cut, and every link is large enough for a thumb", async ({
  page,
}) => {
  for (const path of ['/', '/features', '/use-cases', '/about', '/contact', '/api/docs']) {
    await openReady(page, path);
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const cut = await page
        .locator('main :is(a, button) > span')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
      expect(cut, `${path} at ${width} px`).toEqual([]);
      const low = await page
        .locator('main a')
        .evaluateAll((all) =>
          all
            .filter((one) => getComputedStyle(one).display !== 'inline' && one.getBoundingClientRect().height < 24)
            .map((one) => one.textContent),
        );
      expect(low, `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('pricing leads to the features, without its query and without a trace in the history', async ({ page }) => {
  await page.goto('/about');
  await page.route('**/features-page*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.goto('/pricing?subscription=canceled');
  await expect(page.getByText('Redirecting to features page...')).toBeVisible();
  await expect(page).toHaveURL(/\/features$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

test('an address where nothing is says so, with a true 404 and ways on', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Your SEO From Harmful Backlinks');
});

test('every link of a public page leads somewhere', async ({ page }) => {
  const seen = new Set<string>();
  for (const path of [
    '/',
    '/features',
    '/use-cases',
    '/about',
    '/privacy-policy',
    '/terms-of-service',
    '/contact',
    '/api/docs',
  ]) {
    await openReady(page, path);
    const links = await page.getByRole('link').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    for (const href of links) {
      if (href?.startsWith('#')) await expect(page.locator(href), `${path} ${href}`).toHaveCount(1);
      else if (href?.startsWith('/')) seen.add(href.replace(/[?#].*/, ''));
    }
  }
  for (const href of seen) expect((await page.request.get(href)).status(), href).toBe(200);
});

test('the legal texts have their date, their sections, and a way home', async ({ page }) => {
  await page.goto('/terms-of-service');
  await expect(page.locator('article section')).toHaveCount(15);
  await page.goto('/privacy-policy');
  await expect(page.getByText('Last updated: April 21, 2025')).toBeVisible();
  await expect(page.getByText('under the age of 16')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});
