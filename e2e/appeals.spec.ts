import { expect, type Page } from '@playwright/test';
import { admin, differentAddress, inNewSession, post, registerUser, signInAs, uniqueName } from './accounts.ts';
import { createDomains, createVerifiedAppeal, withTxtRecords } from './sample-data.ts';
import { test } from './test.ts';

// A visitor can make 30 checks an hour from one IP address.
test.beforeEach(async ({ context }) => {
  await context.setExtraHTTPHeaders(differentAddress());
});

/** Lists a domain. @returns its name */
async function createDomain(page: Page): Promise<string> {
  const name = `${uniqueName('owned')}.example`;
  await createDomains(page, [name]);
  return name;
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('an owner appeals, proves control of the domain, and an admin delists it with a reason', async ({
  browser,
  page,
}) => {
  const name = await createDomain(page);
  await page.goto(`/domain/${name}`);
  await expect(page).toHaveTitle(`${name} is on the paid-link blacklist · Linksieve`);
  await expect(heading(page)).toHaveText(`${name} is on the paid-link blacklist`);
  await page.getByRole('link', { name: 'Sign in to appeal' }).click();
  await expect(page).toHaveURL(/\/auth/);
  await registerUser(page.request);
  await page.goto(`/domain/${name}`);

  await page.getByRole('button', { name: 'Appeal this listing' }).click();
  await page.getByRole('textbox', { name: 'What is wrong?' }).fill('We stopped selling links in May.');
  await page.getByRole('textbox', { name: /^Statement/ }).fill('This site has <b>new</b> owners.');
  await expect(page.getByRole('radio', { name: /TXT record/ })).toBeChecked();
  await page.getByRole('button', { name: 'Continue' }).click();
  const appeal = page.getByRole('list', { name: 'Your appeals' });
  await expect(appeal).toContainText('Proof missing');
  await expect(appeal).toContainText(`_linksieve.${name}`);
  const token = (await appeal.getByText(/^linksieve-/).textContent()) ?? '';
  const txt: Record<string, string[]> = {};
  await withTxtRecords(txt, async () => {
    await page.getByRole('button', { name: 'Check the record' }).click();
    await expect(appeal).toContainText(`There is no TXT record _linksieve.${name} yet.`);
    txt[`_linksieve.${name}`] = [token];
    await page.getByRole('button', { name: 'Check the record' }).click();
    await expect(appeal).toContainText('In review');
  });

  const office = await (await browser.newContext()).newPage();
  await signInAs(office, admin);
  await office.goto(`/admin/inbox?search=${name}`);
  const row = office.getByRole('row').filter({ hasText: `Appeal by the owner of ${name}` });
  await expect(row).toContainText('Verified owner');
  await row.getByRole('button', { name: /^View/ }).click();
  const review = office.getByRole('region', { name: 'Appeal' });
  await expect(review).toContainText('Control of the domain was verified with a TXT record on');
  await expect(review).toContainText(`Delisting removes ${name} from the blacklist`);
  await expect(review.getByRole('button', { name: 'Keep listed' })).toBeDisabled();
  await review.getByRole('textbox', { name: 'Reason' }).fill('The offer is still on your pricing page.');
  await review.getByRole('checkbox', { name: 'Publish the statement' }).check();
  await review.getByRole('button', { name: 'Keep listed' }).click();
  await expect(review).toContainText('Kept listed');

  await page.reload();
  await expect(heading(page)).toHaveText(`${name} is on the paid-link blacklist`);
  await expect(page.getByRole('blockquote')).toHaveText('This site has <b>new</b> owners.');
  await expect(appeal).toContainText('Reason: The offer is still on your pricing page.');

  await review.getByRole('button', { name: 'Change the decision' }).click();
  await review.getByRole('textbox', { name: 'Reason' }).fill('The offer is gone now.');
  await review.getByRole('button', { name: 'Delist' }).click();
  await expect(review).toContainText('Reason: The offer is gone now.');
  await page.reload();
  await expect(heading(page)).toHaveText(`${name} is not on the paid-link blacklist`);
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await expect(appeal).toContainText('Reason: The offer is gone now.');
  await expect(page.getByRole('button', { name: 'Appeal this listing' })).toHaveCount(0);
  await office.close();
});

test('a visitor who signs in on the page of a domain returns to it', async ({ page }) => {
  const name = await createDomain(page);
  const user = await inNewSession(page, async (request) => registerUser(request));
  await page.goto(`/domain/${name}`);
  await page.getByRole('link', { name: 'Sign in to appeal' }).click();
  await page.getByLabel('Username or email').fill(user);
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough secret');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`/domain/${name}`);
  await page.getByRole('button', { name: 'Appeal this listing' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Appeal this listing' })).toBeVisible();
});

test('an appeal for a subdomain delists only this one, unless the admin selects its parent too', async ({ page }) => {
  const name = await createDomain(page);
  await createVerifiedAppeal(page, `shop.${name}`);
  await signInAs(page, admin);
  await page.goto(`/admin/inbox?search=${name}`);
  await page.getByRole('button', { name: /^View/ }).click();
  const review = page.getByRole('region', { name: 'Appeal' });
  await review.getByRole('textbox', { name: 'Reason' }).fill('The shop has new owners.');
  const subdomain = review.getByRole('checkbox', { name: `shop.${name}` });
  const parent = review.getByRole('checkbox', { name: `${name} and all its subdomains` });
  await expect(subdomain).toBeChecked();
  await expect(parent).not.toBeChecked();
  await expect(review).toContainText(`Delisting removes shop.${name} from the blacklist and adds an allow rule.`);
  await expect(review).toContainText(`${name} stays listed.`);
  await subdomain.uncheck();
  await expect(review.getByRole('button', { name: 'Delist' })).toBeDisabled();
  await parent.check();
  await expect(review).toContainText(`Delisting removes ${name} from the blacklist and adds an allow rule.`);
  await parent.uncheck();
  await subdomain.check();
  await review.getByRole('button', { name: 'Delist' }).click();
  await expect(review).toContainText('Delisted on');
  await page.goto(`/domain/shop.${name}`);
  await expect(page.getByRole('heading', { name: 'is not on the paid-link blacklist' })).toBeVisible();
});

test('an unverified appeal can be withdrawn', async ({ page }) => {
  const name = await createDomain(page);
  await registerUser(page.request);
  await post(page.request, `/api/domains/by-name/${name}/appeals`, { message: 'Not us.', proof: 'file' });
  await page.goto(`/domain/${name}`);
  await expect(page.getByText(`https://${name}/.well-known/linksieve.txt`)).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByRole('button', { name: 'Appeal this listing' })).toBeVisible();
});
