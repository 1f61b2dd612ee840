import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, sameOriginHeaders, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { holdEnter } from './hold-enter.ts';
import { changeResponse, holdRequests, serverError } from './mock-responses.ts';
import { test } from './test.ts';

const evidence = 'They sell posts: see https://offers.example/prices, third row.';

async function fillSite(page: Page, domain: string): Promise<void> {
  await page.getByLabel('Domain Name').fill(domain);
  await page.getByLabel('Evidence').fill(evidence);
  await page.getByLabel('Source').fill('fiverr');
  await page.getByLabel('Link Cost').fill('$80');
  await page.getByLabel('Site Niche').fill('Health');
  await page.getByLabel('Domain Rating').fill('40');
}

/** Opens the review as the admin in a separate browser context. */
async function openReview(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page does not belong to a browser that can open another context.');
  const adminPage = await (await browser.newContext()).newPage();
  await signInAs(adminPage, admin);
  await openReady(adminPage, '/admin/submissions');
  return adminPage;
}

const cardOf = (page: Page, domain: string) =>
  page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: domain });
const ownSubmissionOf = (page: Page, domain: string) =>
  page.getByRole('region', { name: 'Your Submissions' }).getByRole('listitem').filter({ hasText: domain });

test('a submitted site is approved and appears on the blacklist with its sources', async ({ page }) => {
  const domain = `${uniqueName('paid')}.example`;
  await signInAsNewUser(page);
  await page.goto('/submit-sites');
  await fillSite(page, `https://www.${domain}/offer?a=1`);
  await expect(page.getByLabel('Domain Name')).toHaveValue(domain);
  await expect(page.getByText('Not on the blacklist yet.')).toBeVisible();
  const release = await holdRequests(page, '**/api/site-submissions');
  await page.getByRole('button', { name: 'Submit Site' }).click();
  await expectTexts(page, 'submit sites, submitting');
  release();
  await expectTexts(page, 'submit sites, sent');
  await expect(ownSubmissionOf(page, domain)).toContainText('Pending');

  const adminPage = await openReview(page);
  const card = cardOf(adminPage, domain);
  await expect(card).toContainText('Not on the blacklist yet.');
  await expect(card.getByRole('link', { name: domain })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  await expect(card.getByRole('link', { name: 'https://offers.example/prices' })).toBeVisible();
  for (const text of ['fiverr', '$80', 'Health', '40', '@mail.example']) await expect(card).toContainText(text);
  await card.getByRole('button', { name: 'Approve' }).click();
  await expectTexts(adminPage, 'submission decided');
  await expect(toastOf(adminPage)).toContainText(`${domain} was added to the blacklist.`);
  await expect(card).toHaveCount(0);
  await adminPage.getByRole('tab', { name: 'Approved' }).click();
  await expect(adminPage).toHaveURL(/status=approved/);
  await expect(cardOf(adminPage, domain)).toContainText('by admin');
  await cardOf(adminPage, domain).getByRole('link', { name: 'View entry' }).click();
  await expect(adminPage.getByRole('dialog')).toContainText('fiverr');
  await expect(adminPage.getByRole('dialog')).toContainText('community');

  await page.getByRole('button', { name: 'Submit Another Site' }).click();
  await page.reload();
  await expect(ownSubmissionOf(page, domain)).toContainText('Approved');
  await page.getByLabel('Domain Name').fill(`blog.${domain}`);
  await expect(page.getByRole('status').filter({ hasText: `${domain} is already listed` })).toContainText('Low Risk');
  await page.getByRole('link', { name: domain, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/domains\\?search=${domain}`));
});

test('the submitter sees the reason of a rejection', async ({ page }) => {
  const domain = `${uniqueName('clean')}.example`;
  const adminPage = await openReviewOf(page, [domain]);
  await cardOf(adminPage, domain).getByRole('link', { name: domain }).focus();
  await adminPage.keyboard.press('g');
  await adminPage.keyboard.press('x');
  await adminPage.keyboard.press('r');
  const dialog = adminPage.getByRole('dialog', { name: `Reject ${domain}` });
  await dialog.getByLabel('Reason').fill('There are no offers on a page about rare animals.');
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expectTexts(adminPage, 'submission decided');
  await expect(dialog).toHaveCount(0);
  await adminPage.getByRole('tab', { name: 'Rejected' }).click();
  await expect(cardOf(adminPage, domain)).toContainText('There are no offers on a page about rare animals.');
  await expect(cardOf(adminPage, domain).getByRole('button')).toHaveCount(0);

  await page.goto('/submit-sites');
  await expect(ownSubmissionOf(page, domain)).toContainText('Rejected');
  await expect(ownSubmissionOf(page, domain)).toContainText('There are no offers on a page about rare animals.');
});

test('errors appear next to their fields, and the form keeps its values after a reload and an error', async ({
  page,
}) => {
  await signInAsNewUser(page);
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
  await expectTexts(page, 'submit sites, values too long');
  await expect(page.getByText('1001/1000')).toBeVisible();
  await fillSite(page, 'no domain');
  await page.getByLabel('Source').focus();
  await expectTexts(page, 'submit sites, invalid domain name');
  await page.reload();
  await expect(page.getByLabel('Domain Name')).toHaveValue('no domain');
  await expect(page.getByLabel('Domain Rating')).toHaveValue('40');
  await page.getByLabel('Domain Name').fill('wordpress.com');
  await page.route('**/api/site-submissions', serverError);
  await send.click();
  await expectTexts(page, 'submit sites, fails');
  await page.unroute('**/api/site-submissions');
  await send.click();
  await expect(page.getByLabel('Domain Name')).toHaveAccessibleDescription(
    /wordpress.com hosts the websites of many owners/,
  );
  await expect(toastOf(page)).toContainText('Submission failed');
});

test('the review keeps its tab, page and page size in the URL, and loading can be retried', async ({ page }) => {
  const word = uniqueName('many');
  const adminPage = await openReviewOf(
    page,
    [0, 1, 2, 3, 4, 5].map((i) => `${word}-${i}.example`),
  );
  await adminPage.getByLabel('Submissions per page').selectOption('5');
  await expect(adminPage).toHaveURL(/pageSize=5/);
  await expect(adminPage.getByText(/Page 1 of \d/)).toBeVisible();
  await adminPage.getByRole('button', { name: 'Next' }).click();
  await expect(adminPage).toHaveURL(/page=2/);
  await expect(cardOf(adminPage, `${word}-0.example`)).toBeVisible();
  await adminPage.getByRole('tab', { name: 'Approved' }).click();
  await expect(adminPage).not.toHaveURL(/page=2/);
  await adminPage.goBack();
  await expect(cardOf(adminPage, `${word}-0.example`)).toBeVisible();

  await adminPage.route('**/api/site-submissions*', serverError);
  await adminPage.reload();
  await expectTexts(adminPage, 'submissions not loaded');
  await adminPage.unroute('**/api/site-submissions*');
  await adminPage.getByRole('button', { name: 'Retry' }).click();
  await expect(cardOf(adminPage, `${word}-0.example`)).toBeVisible();

  // The mocked pending submissions have notes and fill two pages. Later there are none.
  let isEmpty = false;
  await changeResponse(adminPage, '**/api/site-submissions*', (body, { searchParams }) => {
    if (isEmpty || searchParams.get('status') !== 'pending') return { submissions: [], total: 0 };
    const submissions = body.submissions as object[];
    return { submissions: submissions.map((each) => ({ ...each, additionalNotes: 'Seen twice.' })), total: 12 };
  });
  await adminPage.goto('/admin/submissions');
  await expectTexts(adminPage, 'submissions, notes');
  await expectTexts(adminPage, 'submissions, several pages');
  await adminPage.getByRole('tab', { name: 'Approved' }).click();
  await expectTexts(adminPage, 'submissions, none approved');
  await adminPage.getByRole('tab', { name: 'Rejected' }).click();
  await expectTexts(adminPage, 'submissions, none rejected');
  isEmpty = true;
  await adminPage.getByRole('tab', { name: 'Pending' }).click();
  await adminPage.getByLabel('Submissions per page').selectOption('20');
  await expectTexts(adminPage, 'submissions, none');
});

test('an admin sees an error if another admin has already decided a submission, and its card disappears', async ({
  page,
}) => {
  const domain = `${uniqueName('twice')}.example`;
  const first = await openReviewOf(page, [domain]);
  const second = await openReview(page);
  await second.route('**/api/site-submissions/*', serverError);
  await cardOf(second, domain).getByRole('button', { name: 'Approve' }).click();
  await expectTexts(second, 'submission not decided');
  const dialog = second.getByRole('dialog');
  const refusal = dialog.getByText('Something went wrong. Please try again.');
  const reject = dialog.getByRole('button', { name: 'Reject' });
  // An error appears only in the place where the request was made.
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

/** Submits these sites as a new user and opens the review as the admin, newest first. */
async function openReviewOf(page: Page, domains: readonly string[]): Promise<Page> {
  await signInAsNewUser(page);
  for (const domain of domains) {
    const data = { domain, evidence, source: 'fiverr', cost: '$1', niche: 'Pets' };
    expect((await page.request.post('/api/site-submissions', { data, headers: sameOriginHeaders })).status()).toBe(201);
  }
  return await openReview(page);
}

test('a fast or slow double click approves one submission once', async ({ page }) => {
  const word = uniqueName('double');
  const domains = ['c', 'b', 'a'].map((letter) => `${word}-${letter}.example`);
  const adminPage = await openReviewOf(page, domains);
  let decisions = 0;
  adminPage.on('request', (request) => {
    if (request.method() === 'PUT') decisions++;
  });
  for (const [suffix, isSlow] of [
    ['a', false],
    ['b', true],
  ] as const) {
    const card = cardOf(adminPage, `${word}-${suffix}.example`);
    const box = await card.getByRole('button', { name: 'Approve' }).boundingBox();
    if (!box) throw new Error('The button is not on the screen.');
    const [x, y] = [box.x + 20, box.y + 10];
    // A decided card stays on the screen while the clock is paused.
    await adminPage.clock.pauseAt(Date.now() + 1000);
    await adminPage.mouse.click(x, y, { clickCount: 1 });
    if (isSlow) await expect(card).toContainText('Approved');
    await adminPage.mouse.click(x, y, { clickCount: 2 });
    await expect(card).toContainText('Approved');
    await adminPage.clock.resume();
    await expect(card).toHaveCount(0);
    await expect(toastOf(adminPage)).toContainText('Status updated');
  }
  await expect(cardOf(adminPage, `${word}-c.example`)).toContainText('Pending');
  expect(decisions).toBe(2);
});

test('holding Enter approves one submission and moves the focus to the next', async ({ page }) => {
  const word = uniqueName('held');
  const domains = ['c', 'b', 'a'].map((letter) => `${word}-${letter}.example`);
  const adminPage = await openReviewOf(page, domains);
  await cardOf(adminPage, `${word}-a.example`).getByRole('button', { name: 'Approve' }).focus();
  const next = cardOf(adminPage, `${word}-b.example`).getByRole('button', { name: 'Approve' });
  await holdEnter(adminPage, next.and(adminPage.locator(':focus')));
  await expect(cardOf(adminPage, `${word}-a.example`)).toHaveCount(0);
  await expect(cardOf(adminPage, `${word}-b.example`)).toContainText('Pending');
  await expect(next).toBeFocused();
  await adminPage.keyboard.press('r');
  await adminPage.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(cardOf(adminPage, `${word}-b.example`).getByRole('button', { name: 'Reject' })).toBeFocused();
});
