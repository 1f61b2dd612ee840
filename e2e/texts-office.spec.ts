import { type Page, test } from '@playwright/test';
import { broken, expectTexts } from './expect-texts.ts';
import { admin, enter, join } from './person.ts';
import { addProfile, messageSample, submissionSample } from './sample-data.ts';

const dialog = (page: Page) => page.getByRole('dialog');

/** Answers a call with this, whatever stands in the database. */
const answer = (page: Page, path: string | RegExp, json: unknown) =>
  page.route(path, (route) => (route.request().method() === 'GET' ? route.fulfill({ json }) : route.continue()));

test('website profiles', async ({ page, browser }) => {
  const theirs = await (await browser.newContext()).newPage();
  const owner = await join(theirs);
  const { domain } = await addProfile(theirs);
  await enter(page, admin);
  const list = `/admin/profiles?search=${domain}`;
  await page.goto(list);
  await expectTexts(page, 'profiles');
  const transfer = page.getByRole('button', { name: `Transfer: ${domain}` }).first();
  await transfer.click();
  await dialog(page).getByRole('textbox').press('Enter');
  await expectTexts(page, 'transfer without an owner');
  const handOver = async () => {
    await page.goto(list);
    await transfer.click();
    await dialog(page).getByRole('textbox').fill('admin');
    await dialog(page).getByRole('button', { name: 'Find account' }).click();
    await dialog(page).getByRole('button', { name: 'Transfer to admin' }).click();
  };
  await page.route('**/api/admin/transfer-profile', broken);
  await handOver();
  await expectTexts(page, 'transfer fails');
  await page.unrouteAll();
  await handOver();
  await expectTexts(page, 'profile transferred');

  await page.route('**/api/profiles/*', broken);
  await page.route('**/api/admin/profiles/*', broken);
  await page.goto(list);
  await page
    .getByRole('button', { name: `Delete: ${domain}` })
    .first()
    .click();
  await dialog(page).getByRole('button', { name: 'Delete Profile' }).click();
  await expectTexts(page, 'profile deletion fails');
  await page.goto(`/admin/profiles?search=nothing-of-${owner}`);
  await expectTexts(page, 'profiles, none');
  await answer(page, '**/api/admin/orphaned-profiles*', []);
  await page.goto('/admin/profiles?dialog=orphaned');
  await expectTexts(page, 'profiles, no orphaned');
});

test('the inbox', async ({ page }) => {
  const subject = await messageSample(page);
  await enter(page, admin);
  const list = `/admin/inbox?search=${subject}`;
  await page.route('**/api/admin/messages/*/read', broken);
  await page.goto(list);
  await expectTexts(page, 'inbox');
  const view = page
    .getByRole('button', { name: /^View the message/ })
    .or(page.getByRole('link', { name: /^View/ }))
    .first();
  await view.click();
  await expectTexts(page, 'inbox, read not kept');
  await page.unrouteAll();
  await page.goto(list);
  await view.click();
  await expectTexts(page, 'inbox, message');
  await page.route('**/api/admin/messages/*/replied', broken);
  await dialog(page).getByRole('button', { name: 'Mark as Replied' }).click();
  await expectTexts(page, 'inbox, reply not kept');
  await page.unrouteAll();
  await dialog(page).getByRole('button', { name: 'Mark as Replied' }).click();
  await expectTexts(page, 'inbox, replied');
  await page.route(/\/api\/admin\/messages(\?|$)/, broken);
  await page.goto('/admin/inbox');
  await expectTexts(page, 'inbox not loaded');
});

test('site submissions', async ({ page }) => {
  await submissionSample(page);
  await enter(page, admin);
  await page.goto('/admin/submissions');
  await expectTexts(page, 'submissions');
  const approve = async () => {
    await page
      .getByRole('button', { name: /^Approve / })
      .first()
      .click();
  };
  await page.route('**/api/site-submissions/*', broken);
  await approve();
  await expectTexts(page, 'submission not decided');
  await page.unrouteAll();
  await approve();
  await expectTexts(page, 'submission decided');
  const query = /\/api\/site-submissions\?/;
  await answer(page, query, { submissions: [], total: 0 });
  await page.goto('/admin/submissions');
  await expectTexts(page, 'submissions, none');
  await page.goto('/admin/submissions?status=approved');
  await expectTexts(page, 'submissions, none approved');
  await page.unrouteAll();
  await page.route(query, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), total: 12 } });
  });
  await page.goto('/admin/submissions?status=rejected');
  await expectTexts(page, 'submissions, several pages');
  await page.unrouteAll();
  await page.route(query, broken);
  await page.goto('/admin/submissions');
  await expectTexts(page, 'submissions not loaded');
});
