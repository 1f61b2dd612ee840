import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser, signInWithForm } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';
import { getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const headerLinks = (page: Page) =>
  page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link').allTextContents();
const publicLinks = ['Features', 'Use Cases', 'About'];
const userLinks = ['Blacklist', 'Risk Assessment', 'Submit Sites'];

/** Expects that the header is not wider than the page, from the width of a small phone up. */
async function expectHeaderFits(page: Page): Promise<void> {
  for (let width = 360; width <= 1440; width += 24) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => {
      const bar = document.querySelector('header > div');
      return (bar ? bar.scrollWidth - bar.clientWidth : 1) + document.body.scrollWidth - window.innerWidth;
    });
    expect(overflow, `at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('the header has the links of visitors, users and admins, and fits at every width', async ({ page }) => {
  await openReady(page, '/features');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Get Free Access' })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
  expect(await headerLinks(page)).toEqual(['Check', ...publicLinks, 'Extension', 'API']);
  await expectHeaderFits(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('navigation', { name: 'Main, small screen' }).getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^About/);
  await page.setViewportSize({ width: 1440, height: 900 });

  await signInAsNewUser(page);
  await openReady(page, '/features');
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
  expect(await headerLinks(page)).toEqual([...userLinks, ...publicLinks]);
  await expect(page.getByRole('link', { name: 'Admin Panel' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Go to Dashboard' }).first()).toHaveAttribute('href', '/account');
  await expectHeaderFits(page);
  await page.setViewportSize({ width: 900, height: 740 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(
    page.getByRole('navigation', { name: 'Main, small screen' }).getByRole('link', { name: 'Use Cases' }),
  ).toBeVisible();

  await signInAs(page, admin);
  await openReady(page, '/about');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Admin Panel' }).first()).toBeVisible();
  await expectHeaderFits(page);
  await page.getByRole('banner').getByRole('link', { name: 'Admin Panel' }).last().click();
  await expect(page).toHaveURL(/\/admin\/panel/);
});

test('the sign-in leads to the use case that was clicked', async ({ page }) => {
  for (const [link, path] of [
    ['Verify a domain', '/dashboard'],
    ['Create a disavow file', '/risk-assessment'],
    ['Open my websites', '/account'],
    ['Analyze a competitor', '/risk-assessment'],
    ['Get an API key', '/account?tab=api-keys'],
  ] as const) {
    await page.goto('/use-cases');
    await page.getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(`/auth?next=${encodeURIComponent(path)}`);
  }
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/account?tab=api-keys');
  await page.goto('/use-cases');
  await page.getByRole('link', { name: 'Verify a domain' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a visitor checks domains on the home page, and the field keeps its value', async ({ page }) => {
  const [, , , veryHigh = ''] = await getSampleDomains(page);
  await page.goto('/');
  await expect(page.getByText(/\d\+$/)).toBeVisible();
  await expect(page.getByText(/^Database updated [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
  const box = page.getByRole('region', { name: 'Is a domain on the blacklist?' });
  const field = box.getByRole('textbox');

  await field.fill(`https://www.blog.${veryHigh}/offer`);
  // The app is loaded when the visitor uses the field.
  await waitForReady(page);
  await field.press('Enter');
  await expect(box).toContainText(`blog.${veryHigh} is listed`);
  await expect(box).toContainText('Very High Risk');
  await expect(box).toContainText(`${veryHigh} and its subdomains are listed`);
  await expect(box).toContainText(/Very High Risk.*1 source/);
  await expect(box).toContainText(/is listed since .*, last updated/);
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

test('without scripts, pages show their numbers, the check opens a page, and other forms say that they need JavaScript', async ({
  browser,
  page: importer,
}) => {
  const [name = ''] = await getSampleDomains(importer);
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/');
  await expect(page.getByText(/^\d[\d,]*\+$/)).toBeVisible();
  await expect(page.getByText(/^Database updated [A-Z][a-z]{2} \d+, \d{4}$/)).toBeVisible();
  await page.getByLabel('Domain or page URL').fill(`https://www.${name}/offer`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/domain/${name}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} is on the paid-link blacklist`);
  await expect(page.locator('noscript p')).toContainText('Appeals require JavaScript.');
  await page.goto('/');
  await page.getByLabel('Domain or page URL').fill('unknown.example');
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('unknown.example is not on the paid-link blacklist');

  await page.goto('/contact');
  await page.getByLabel('Name').fill('Ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeHidden();
  await expect(page.locator('noscript p')).toBeVisible();
  await expect(page.locator('noscript p')).toContainText('Sending this form needs JavaScript');
  await expect(page).toHaveURL('/contact');

  await page.goto('/pricing');
  await expect(page).toHaveURL('/features');
  await page.close();
});

test('the search bar of a browser finds the page of a domain, and for other words the blacklist after the sign-in', async ({
  page,
  baseURL,
}) => {
  await page.goto('/');
  const structuredData = await page.locator('script[type="application/ld+json"]').textContent();
  const description = await page.locator('link[rel=search]').getAttribute('href');
  const text = await (await page.request.get(description ?? '')).text();
  const template = /type="text\/html" template="([^"]+)"/.exec(text)?.[1] ?? '';
  expect(structuredData).toContain(`"urlTemplate":"${template.replace('searchTerms', 'search_term_string')}"`);
  await page.goto(template.replace('{searchTerms}', 'https%3A%2F%2Fwww.clean.example%2Fa'));
  await expect(page).toHaveURL(`${baseURL}/domain/clean.example`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('clean.example');
  await page.goto(template.replace('{searchTerms}', 'online%20casino'));
  await expect(page).toHaveURL(/\/auth\?next=/);
  await waitForReady(page);
  await signInWithForm(page, admin);
  await expect(page).toHaveURL(/\/domains\?search=online(%20|\+)casino$/);
  await expect(page.getByRole('searchbox', { name: 'Search domains' })).toHaveValue('online casino');
});

test('text typed before the app starts is not lost', async ({ page }) => {
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('textbox', { name: 'Message' }).fill('Typed at once');
  release();
  await waitForReady(page);
  await expect(page.getByLabel('Name')).toHaveValue('Ada');
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Typed at once');
});

test('the home page keeps its server-rendered numbers when the app starts, and does not fetch them', async ({
  page,
}) => {
  await getSampleDomains(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await openReady(page, '/');
  await expect(page.getByText(/^\d[\d,]*\+$/)).toBeVisible();
  expect(requested).not.toContain('/api/stats/count');
});

test('the badge on the home page leads to the updates, which have the imports, a feed and the published list', async ({
  browser,
  page,
}) => {
  await getSampleDomains(page);
  const requested: string[] = [];
  await openReady(page, '/');
  await page.getByRole('link', { name: 'Updated monthly' }).click();
  await expect(page).toHaveURL(/\/updates$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Updates');
  const month = page.getByRole('region', { name: /^[A-Z][a-z]+ \d{4}$/ }).first();
  await expect(month).toContainText(/\d domains added/);
  await expect(month.getByRole('row', { name: /imports? by admins/ })).toBeVisible();
  const feed = await page.request.get((await page.getByRole('link', { name: 'Atom feed' }).getAttribute('href')) ?? '');
  expect([feed.status(), feed.headers()['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  const list = page.getByRole('region', { name: 'Subscribe to this blacklist' }).getByRole('link');
  await expect(list).toHaveCount(4);
  for (const link of await list.all()) {
    expect((await page.request.get((await link.getAttribute('href')) ?? '')).status()).toBe(200);
  }

  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await openReady(page, '/updates');
  await expect(month).toContainText(/\d domains added/);
  expect(requested).not.toContain('/api/updates');
  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await visitor.goto('/updates');
  await expect(visitor.getByRole('heading', { name: 'Changes by month' })).toBeVisible();
  await expect(visitor.getByText(/imports? by admins$/).first()).toBeVisible();
  await visitor.close();
});

test('on the smallest phones, no button label is cut off, and every link is at least 24 px high', async ({ page }) => {
  for (const path of [
    '/',
    '/features',
    '/use-cases',
    '/methodology',
    '/updates',
    '/extension',
    '/about',
    '/contact',
    '/api/docs',
  ]) {
    await openReady(page, path);
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const cut = await page
        .locator('main :is(a, button) > span')
        .evaluateAll((labels) => labels.filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.textContent));
      expect(cut, `${path} at ${width} px`).toEqual([]);
      const low = await page
        .locator('main a')
        .evaluateAll((links) =>
          links
            .filter((el) => getComputedStyle(el).display !== 'inline' && el.getBoundingClientRect().height < 24)
            .map((el) => el.textContent),
        );
      expect(low, `${path} at ${width} px`).toEqual([]);
    }
  }
});

test('the pricing page redirects to the features without its query and without a history entry', async ({ page }) => {
  await page.goto('/about');
  const release = await holdRequests(page, '**/features-page*.js');
  await page.goto('/pricing?subscription=canceled');
  await expect(page.getByText('Redirecting to features page...')).toBeVisible();
  release();
  await expect(page).toHaveURL(/\/features$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/about$/);
});

test('an unknown path shows a not-found page with status 404 and a link home', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Protect Your SEO From Harmful Backlinks');
});

test('every link of a public page works', async ({ page }) => {
  const paths = new Set<string>();
  for (const path of [
    '/',
    '/features',
    '/use-cases',
    '/methodology',
    '/updates',
    '/extension',
    '/about',
    '/privacy-policy',
    '/terms-of-service',
    '/accessibility',
    '/crawler',
    '/contact',
    '/api/docs',
  ]) {
    await openReady(page, path);
    const links = await page.getByRole('link').evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    for (const href of links) {
      if (href?.startsWith('#')) await expect(page.locator(href), `${path} ${href}`).toHaveCount(1);
      else if (href?.startsWith('/')) paths.add(href.replace(/[?#].*/, ''));
    }
  }
  for (const path of paths) expect((await page.request.get(path)).status(), path).toBe(200);
});

test('the legal pages have their sections, their date and a link home', async ({ page }) => {
  await page.goto('/terms-of-service');
  await expect(page.locator('article section')).toHaveCount(15);
  await page.goto('/privacy-policy');
  await expect(page.getByText('Last updated: April 21, 2025')).toBeVisible();
  await expect(page.getByText('under the age of 16')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});
