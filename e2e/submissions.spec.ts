import { expect, type Page, test } from '@playwright/test';
import { admin, join, signIn, signUp, toastOf, unique } from './person.ts';

const evidence = 'They sell posts: see https://offers.example/prices, third row.';

async function fillSite(page: Page, domain: string): Promise<void> {
  await page.getByLabel('Domain Name').fill(domain);
  await page.getByLabel('Evidence').fill(evidence);
  await page.getByLabel('Source').fill('fiverr');
  await page.getByLabel('Link Cost').fill('$80');
  await page.getByLabel('Site Niche').fill('Health');
  await page.getByLabel('Domain Rating').fill('40');
}

/** An admin in a browser of their own, on the review. */
async function reviewer(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page has no browser of its own.');
  const office = await (await browser.newContext()).newPage();
  await signIn(office, admin);
  await office.goto('/admin/submissions');
  return office;
}

const cardOf = (page: Page, domain: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: domain });
const ownOf = (page: Page, domain: string) =>
  page.getByRole('region', { name: 'Your Submissions' }).getByRole('listitem').filter({ hasText: domain });

test('a site is suggested, approved, and stands in the blacklist with its sources', async ({ page }) => {
  const domain = `${unique('paid')}.example`;
  await signUp(page);
  await page.goto('/submit-sites');
  await fillSite(page, `https://www.${domain}/offer?a=1`);
  await expect(page.getByLabel('Domain Name')).toHaveValue(domain);
  await expect(page.getByText('Not in the blacklist yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expect(toastOf(page)).toContainText('Submission received!');
  await expect(toastOf(page)).toContainText('Thank you for helping improve our database.');
  await expect(page.getByRole('heading', { name: 'Thank You for Your Submission!' })).toBeVisible();
  await expect(ownOf(page, domain)).toContainText('Pending');

  const office = await reviewer(page);
  const card = cardOf(office, domain);
  await expect(card).toContainText('New: not in the blacklist yet.');
  await expect(card.getByRole('link', { name: domain })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(card.getByRole('link', { name: 'https://offers.example/prices' })).toBeVisible();
  for (const text of ['fiverr', '$80', 'Health', '40', '@mail.example']) await expect(card).toContainText(text);
  await card.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(office)).toContainText('Status updated');
  await expect(toastOf(office)).toContainText(
    `The submission has been processed. ${domain} was added to the blacklist.`,
  );
  await expect(card).toHaveCount(0);
  await office.getByRole('tab', { name: 'Approved' }).click();
  await expect(office).toHaveURL(/status=approved/);
  await expect(cardOf(office, domain)).toContainText('by admin');
  await cardOf(office, domain).getByRole('link', { name: 'Open the entry' }).click();
  await expect(office.getByRole('dialog')).toContainText('fiverr');
  await expect(office.getByRole('dialog')).toContainText('community');

  await page.getByRole('button', { name: 'Submit Another Site' }).click();
  await page.reload();
  await expect(ownOf(page, domain)).toContainText('Approved');
  await page.getByLabel('Domain Name').fill(`blog.${domain}`);
  await expect(page.getByRole('status').filter({ hasText: `${domain} is already listed` })).toContainText(
    'Medium Risk',
  );
  await page.getByRole('link', { name: domain, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/domains\\?search=${domain}`));
});

test('a rejection tells the submitter why', async ({ page }) => {
  const domain = `${unique('clean')}.example`;
  await signUp(page);
  await page.goto('/submit-sites');
  await fillSite(page, domain);
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expect(ownOf(page, domain)).toContainText('Pending');

  const office = await reviewer(page);
  await cardOf(office, domain).getByRole('link', { name: domain }).focus();
  await office.keyboard.press('g');
  await office.keyboard.press('x');
  await office.keyboard.press('r');
  const dialog = office.getByRole('dialog', { name: `Reject ${domain}` });
  await dialog.getByLabel('Reason').fill('There are no offers on a page about rare animals.');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(toastOf(office)).toContainText('The submission has been processed.');
  await expect(dialog).toHaveCount(0);
  await office.goto('/admin/submissions?status=rejected');
  await expect(cardOf(office, domain)).toContainText('There are no offers on a page about rare animals.');
  await expect(cardOf(office, domain).getByRole('button')).toHaveCount(0);

  await page.reload();
  await expect(ownOf(page, domain)).toContainText('Rejected');
  await expect(ownOf(page, domain)).toContainText('There are no offers on a page about rare animals.');
});

test('what is missing is told beside its field, and what was typed survives a reload', async ({ page }) => {
  await signUp(page);
  await page.goto('/submit-sites');
  await page.getByRole('button', { name: 'Submit Site' }).click();
  for (const sentence of [
    'Domain must be at least 4 characters',
    'Please provide more details about your evidence',
    'Source is required',
    'Cost is required',
    'Niche is required',
  ]) {
    await expect(page.getByText(sentence)).toBeVisible();
  }
  await expect(page.getByLabel('Domain Name')).toBeFocused();
  await page.getByLabel('Domain Name').fill('no domain');
  await page.getByLabel('Domain Rating').fill('101');
  await page.getByLabel('Evidence').fill('x'.repeat(1001));
  await page.getByLabel('Source').focus();
  await expect(page.getByText('Please enter a valid domain name (e.g., example.com)')).toBeVisible();
  await expect(page.getByText('Domain rating must be a number between 0-100')).toBeVisible();
  await expect(page.getByText('Evidence must be less than 1000 characters')).toBeVisible();
  await expect(page.getByText('1001/1000')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Domain Name')).toHaveValue('no domain');
  await expect(page.getByLabel('Domain Rating')).toHaveValue('101');
  await page.getByLabel('Evidence').fill(evidence);
  await page.getByLabel('Domain Rating').fill('');
  await page.getByLabel('Source').fill('fiverr');
  await page.getByLabel('Link Cost').fill('$5');
  await page.getByLabel('Site Niche').fill('Pets');
  await page.getByLabel('Domain Name').fill('wordpress.com');
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expect(toastOf(page)).toContainText('Submission failed');
  await expect(page.getByLabel('Domain Name')).toHaveAccessibleDescription(
    /Sites of many people live under wordpress.com/,
  );
});

test('the review keeps its tab, page and page size in the address, and a failure can be tried again', async ({
  page,
}) => {
  const word = unique('many');
  await signUp(page);
  for (let i = 0; i < 6; i++) {
    const data = { domain: `${word}-${i}.example`, evidence, source: 'fiverr', cost: '$1', niche: 'Pets' };
    const sent = await page.request.post('/api/site-submissions', {
      data,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(sent.status()).toBe(201);
  }
  const office = await reviewer(page);
  await office.getByLabel('Submissions per page').selectOption('5');
  await expect(office).toHaveURL(/pageSize=5/);
  await expect(office.getByText(/Page 1 of \d/)).toBeVisible();
  await office.getByRole('button', { name: 'Next' }).click();
  await expect(office).toHaveURL(/page=2/);
  await expect(cardOf(office, `${word}-0.example`)).toBeVisible();
  await office.getByRole('tab', { name: 'Approved' }).click();
  await expect(office).not.toHaveURL(/page=2/);
  await office.goBack();
  await expect(cardOf(office, `${word}-0.example`)).toBeVisible();

  await office.route('**/api/site-submissions*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await office.reload();
  await expect(office.getByText('Error Loading Submissions')).toBeVisible({ timeout: 20_000 });
  await expect(office.getByText('There was a problem loading the site submissions. Please try again.')).toBeVisible();
  await office.unroute('**/api/site-submissions*');
  await office.getByRole('button', { name: 'Retry' }).click();
  await expect(cardOf(office, `${word}-0.example`)).toBeVisible();
});

test('of two admins the second is told that the first decided, and the card goes', async ({ page }) => {
  const domain = `${unique('twice')}.example`;
  await signUp(page);
  await page.goto('/submit-sites');
  await fillSite(page, domain);
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expect(ownOf(page, domain)).toBeVisible();
  const [first, second] = [await reviewer(page), await reviewer(page)];
  await expect(cardOf(second, domain)).toBeVisible();
  await cardOf(first, domain).getByRole('link', { name: domain }).focus();
  await first.keyboard.press('a');
  await expect(toastOf(first)).toContainText('Status updated');
  await cardOf(second, domain).getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(second)).toContainText('Failed to update status');
  await expect(toastOf(second)).toContainText('is already decided');
  await expect(cardOf(second, domain)).toHaveCount(0);
});

/** An admin at the review, where these sites wait. The newest stands first. */
async function reviewOf(page: Page, domains: readonly string[]): Promise<Page> {
  await join(page);
  for (const domain of domains) {
    const data = { domain, evidence, source: 'fiverr', cost: '$1', niche: 'Pets' };
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await page.request.post('/api/site-submissions', { data, headers })).status()).toBe(201);
  }
  return await reviewer(page);
}

for (const delay of [0, 150]) {
  test(`a double click of ${delay} ms decides one site, once`, async ({ page }) => {
    const word = unique('double');
    const [below, above] = [`${word}-a.example`, `${word}-b.example`] as const;
    const office = await reviewOf(page, [below, above]);
    let decisions = 0;
    office.on('request', (request) => {
      if (request.method() === 'PUT') decisions++;
    });
    const box = await cardOf(office, above).getByRole('button', { name: 'Approve' }).boundingBox();
    if (!box) throw new Error('The button is not on the screen.');
    await office.mouse.move(box.x + 20, box.y + 10);
    await office.mouse.click(box.x + 20, box.y + 10, { clickCount: 1 });
    if (delay > 0) await office.waitForTimeout(delay);
    await office.mouse.click(box.x + 20, box.y + 10, { clickCount: 2 });
    await expect(cardOf(office, above)).toContainText('Approved');
    await expect(cardOf(office, above)).toHaveCount(0);
    await expect(cardOf(office, below)).toContainText('Pending');
    await expect(toastOf(office)).toContainText('Status updated');
    expect(decisions).toBe(1);
  });
}

test('an Enter that is held approves one site, and the focus goes to the next', async ({ page }) => {
  const word = unique('held');
  const domains = ['c', 'b', 'a'].map((letter) => `${word}-${letter}.example`);
  const office = await reviewOf(page, domains);
  await cardOf(office, `${word}-a.example`).getByRole('button', { name: 'Approve' }).focus();
  for (let press = 0; press < 20; press++) {
    await office.keyboard.down('Enter');
    await office.waitForTimeout(50);
  }
  await office.keyboard.up('Enter');
  await expect(cardOf(office, `${word}-a.example`)).toHaveCount(0);
  await expect(cardOf(office, `${word}-b.example`)).toContainText('Pending');
  await expect(cardOf(office, `${word}-b.example`).getByRole('button', { name: 'Approve' })).toBeFocused();
  await office.keyboard.press('r');
  await office.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(cardOf(office, `${word}-b.example`).getByRole('button', { name: 'Reject' })).toBeFocused();
});
