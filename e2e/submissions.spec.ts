import { expect, type Page, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { admin, enter, join, toastOf, unique } from './person.ts';
import { holdEnter } from './press.ts';
import { broken, changeAnswer, hold } from './routes.ts';

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
  await enter(office, admin);
  await office.goto('/admin/submissions');
  return office;
}

const cardOf = (page: Page, domain: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: domain });
const ownOf = (page: Page, domain: string) =>
  page.getByRole('region', { name: 'Your Submissions' }).getByRole('listitem').filter({ hasText: domain });

test('a site is suggested, approved, and stands in the blacklist with its sources', async ({ page }) => {
  const domain = `${unique('paid')}.example`;
  await join(page);
  await page.goto('/submit-sites');
  await fillSite(page, `https://www.${domain}/offer?a=1`);
  await expect(page.getByLabel('Domain Name')).toHaveValue(domain);
  await expect(page.getByText('Not in the blacklist yet.')).toBeVisible();
  const arrive = await hold(page, '**/api/site-submissions');
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expectTexts(page, 'submit sites, on its way');
  arrive();
  await expectTexts(page, 'submit sites, sent');
  await expect(ownOf(page, domain)).toContainText('Pending');

  const office = await reviewer(page);
  const card = cardOf(office, domain);
  await expect(card).toContainText('New: not in the blacklist yet.');
  await expect(card.getByRole('link', { name: domain })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(card.getByRole('link', { name: 'https://offers.example/prices' })).toBeVisible();
  for (const text of ['fiverr', '$80', 'Health', '40', '@mail.example']) await expect(card).toContainText(text);
  await card.getByRole('button', { name: 'Approve' }).click();
  await expectTexts(office, 'submission decided');
  await expect(toastOf(office)).toContainText(`${domain} was added to the blacklist.`);
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
  const office = await reviewOf(page, [domain]);
  await cardOf(office, domain).getByRole('link', { name: domain }).focus();
  await office.keyboard.press('g');
  await office.keyboard.press('x');
  await office.keyboard.press('r');
  const dialog = office.getByRole('dialog', { name: `Reject ${domain}` });
  await dialog.getByLabel('Reason').fill('There are no offers on a page about rare animals.');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expectTexts(office, 'submission decided');
  await expect(dialog).toHaveCount(0);
  await office.getByRole('tab', { name: 'Rejected' }).click();
  await expect(cardOf(office, domain)).toContainText('There are no offers on a page about rare animals.');
  await expect(cardOf(office, domain).getByRole('button')).toHaveCount(0);

  await page.goto('/submit-sites');
  await expect(ownOf(page, domain)).toContainText('Rejected');
  await expect(ownOf(page, domain)).toContainText('There are no offers on a page about rare animals.');
});

test('errors show beside their fields, and the entries survive a reload and a failure', async ({ page }) => {
  await join(page);
  await page.goto('/submit-sites');
  const send = page.getByRole('button', { name: 'Submit Site' });
  await send.click();
  await expectTexts(page, 'submit sites, nothing filled in');
  await expect(page.getByLabel('Domain Name')).toBeFocused();
  const tooMuch = {
    'Domain Name': `${'long-name'.repeat(12)}.example`,
    Evidence: 'e'.repeat(1001),
    Source: 's'.repeat(101),
    'Link Cost': '$'.repeat(51),
    'Site Niche': 'n'.repeat(101),
    'Domain Rating': '101',
  };
  for (const [name, text] of Object.entries(tooMuch)) await page.getByLabel(name).fill(text);
  await page.getByLabel('Domain Name').focus();
  await expectTexts(page, 'submit sites, too much filled in');
  await expect(page.getByText('1001/1000')).toBeVisible();
  await fillSite(page, 'no domain');
  await page.getByLabel('Source').focus();
  await expectTexts(page, 'submit sites, no domain name');
  await page.reload();
  await expect(page.getByLabel('Domain Name')).toHaveValue('no domain');
  await expect(page.getByLabel('Domain Rating')).toHaveValue('40');
  await page.getByLabel('Domain Name').fill('wordpress.com');
  await page.route('**/api/site-submissions', broken);
  await send.click();
  await expectTexts(page, 'submit sites, fails');
  await page.unroute('**/api/site-submissions');
  await send.click();
  await expect(page.getByLabel('Domain Name')).toHaveAccessibleDescription(
    /wordpress.com hosts the websites of many owners/,
  );
  await expect(toastOf(page)).toContainText('Submission failed');
});

test('the review keeps its tab, page and page size in the address, and a failure can be tried again', async ({
  page,
}) => {
  const word = unique('many');
  const office = await reviewOf(
    page,
    [0, 1, 2, 3, 4, 5].map((i) => `${word}-${i}.example`),
  );
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

  await office.route('**/api/site-submissions*', broken);
  await office.reload();
  await expectTexts(office, 'submissions not loaded');
  await office.unroute('**/api/site-submissions*');
  await office.getByRole('button', { name: 'Retry' }).click();
  await expect(cardOf(office, `${word}-0.example`)).toBeVisible();

  // The pending ones fill two pages and have notes, until there is nothing at all.
  let isEmpty = false;
  await changeAnswer(office, '**/api/site-submissions*', (answer, { searchParams }) => {
    if (isEmpty || searchParams.get('status') !== 'pending') return { submissions: [], total: 0 };
    const submissions = answer.submissions as object[];
    return { submissions: submissions.map((each) => ({ ...each, additionalNotes: 'Seen twice.' })), total: 12 };
  });
  await office.goto('/admin/submissions');
  await expectTexts(office, 'submissions, notes');
  await expectTexts(office, 'submissions, several pages');
  await office.getByRole('tab', { name: 'Approved' }).click();
  await expectTexts(office, 'submissions, none approved');
  await office.getByRole('tab', { name: 'Rejected' }).click();
  await expectTexts(office, 'submissions, none rejected');
  isEmpty = true;
  await office.getByRole('tab', { name: 'Pending' }).click();
  await office.getByLabel('Submissions per page').selectOption('20');
  await expectTexts(office, 'submissions, none');
});

test('the second of two admins learns that the first has decided, and the card goes', async ({ page }) => {
  const domain = `${unique('twice')}.example`;
  const first = await reviewOf(page, [domain]);
  const second = await reviewer(page);
  await second.route('**/api/site-submissions/*', broken);
  await cardOf(second, domain).getByRole('button', { name: 'Approve' }).click();
  await expectTexts(second, 'submission not decided');
  const dialog = second.getByRole('dialog');
  const refusal = dialog.getByText('Something went wrong. Please try again.');
  const reject = dialog.getByRole('button', { name: 'Reject' });
  // Each refusal shows where it was asked for, and only there.
  await cardOf(second, domain).getByRole('button', { name: 'Reject' }).click();
  await expect(reject).toBeVisible();
  await expect(refusal).toHaveCount(0);
  await reject.click();
  await expect(refusal).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await cardOf(second, domain).getByRole('button', { name: 'Reject' }).click();
  await expect(reject).toBeVisible();
  await expect(refusal).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await second.unroute('**/api/site-submissions/*');
  await cardOf(first, domain).getByRole('link', { name: domain }).focus();
  await first.keyboard.press('a');
  await expect(toastOf(first)).toContainText('Status updated');
  await cardOf(second, domain).getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(second)).toContainText('was already approved');
  await expect(toastOf(second)).toContainText('Failed to update status');
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

test('a double click decides one site, once, also when it is slow', async ({ page }) => {
  const word = unique('double');
  const domains = ['c', 'b', 'a'].map((letter) => `${word}-${letter}.example`);
  const office = await reviewOf(page, domains);
  let decisions = 0;
  office.on('request', (request) => {
    if (request.method() === 'PUT') decisions++;
  });
  for (const [at, isSlow] of [
    ['a', false],
    ['b', true],
  ] as const) {
    const card = cardOf(office, `${word}-${at}.example`);
    const box = await card.getByRole('button', { name: 'Approve' }).boundingBox();
    if (!box) throw new Error('The button is not on the screen.');
    const [x, y] = [box.x + 20, box.y + 10];
    // A decided card keeps its place for as long as the clock stands still.
    await office.clock.pauseAt(Date.now() + 1000);
    await office.mouse.click(x, y, { clickCount: 1 });
    if (isSlow) await expect(card).toContainText('Approved');
    await office.mouse.click(x, y, { clickCount: 2 });
    await expect(card).toContainText('Approved');
    await office.clock.resume();
    await expect(card).toHaveCount(0);
    await expect(toastOf(office)).toContainText('Status updated');
  }
  await expect(cardOf(office, `${word}-c.example`)).toContainText('Pending');
  expect(decisions).toBe(2);
});

test('an Enter that is held approves one site, and the focus goes to the next', async ({ page }) => {
  const word = unique('held');
  const domains = ['c', 'b', 'a'].map((letter) => `${word}-${letter}.example`);
  const office = await reviewOf(page, domains);
  await cardOf(office, `${word}-a.example`).getByRole('button', { name: 'Approve' }).focus();
  const next = cardOf(office, `${word}-b.example`).getByRole('button', { name: 'Approve' });
  await holdEnter(office, next.and(office.locator(':focus')));
  await expect(cardOf(office, `${word}-a.example`)).toHaveCount(0);
  await expect(cardOf(office, `${word}-b.example`)).toContainText('Pending');
  await expect(next).toBeFocused();
  await office.keyboard.press('r');
  await office.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(cardOf(office, `${word}-b.example`).getByRole('button', { name: 'Reject' })).toBeFocused();
});
