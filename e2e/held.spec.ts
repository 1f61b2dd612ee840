import { expect, type Page } from '@playwright/test';
import { admin, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { hideRunningImports } from './mock-responses.ts';
import { createDomains, createSubmission, importCsv } from './sample-data.ts';
import { test } from './test.ts';

const rowOf = (page: Page, domain: string) =>
  page.getByRole('table', { name: 'Held listings' }).getByRole('row').filter({ hasText: domain });

/** Opens the queue and searches for a word, because other tests fill the queue too. */
async function openQueue(page: Page, word: string): Promise<void> {
  await page.goto(`/admin/held?search=${word}`);
  await expect(page.getByRole('heading', { name: 'Held for Review' })).toBeVisible();
}

test('an import holds sites of public institutions, and the admin lists one of them and rejects the others', async ({
  page,
}) => {
  const word = uniqueName('school');
  await signInAs(page, admin);
  await hideRunningImports(page);
  await page.goto('/admin/panel');
  const rows = ['one', 'two', 'three'].map((name) => `${name}-${word}.edu,Seller`);
  await chooseFile(page, 'Choose a CSV file', buildCsvFile('schools.csv', ['domain,source', ...rows]));
  await page.getByRole('button', { name: 'Start Import' }).click();
  await expect(page.getByText('3 rows are held for review.')).toBeVisible();
  const imports = page.getByRole('table', { name: 'Recent imports' });
  await expect(imports.getByRole('row').filter({ hasText: 'schools.csv' })).toBeVisible();
  await page.getByRole('link', { name: 'Review them' }).click();
  await expect(page).toHaveURL(/\/admin\/held$/);

  await page.getByLabel('Search domains and sources').fill(word);
  await expect(page).toHaveURL(new RegExp(`search=${word}`));
  await expect(rowOf(page, `one-${word}.edu`)).toContainText('Names under .edu belong to public institutions.');
  await expect(rowOf(page, `one-${word}.edu`)).toContainText('Seller');

  await page.getByRole('button', { name: `Add to blacklist: one-${word}.edu of Seller` }).click();
  const confirm = page.getByRole('dialog', { name: 'Add to blacklist' });
  await expect(confirm).toContainText('later imports of exactly this name are not held again');
  await confirm.getByRole('button', { name: 'Add to blacklist' }).click();
  await expect(toastOf(page)).toContainText('1 listing added to the blacklist');
  await expect(rowOf(page, `one-${word}.edu`)).toHaveCount(0);

  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Reject selected' }).click();
  await page.getByRole('dialog', { name: 'Reject' }).getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByRole('heading', { name: 'No held listings found' })).toBeVisible();

  await page.goto(`/domains?search=${word}`);
  await expect(page.getByText(`one-${word}.edu`).first()).toBeVisible();
  await expect(page.getByText(`two-${word}.edu`)).toHaveCount(0);
});

test('the dashboard counts the held listings', async ({ page }) => {
  await importCsv(page, `domain,source\n${uniqueName('counted')}.edu,Seller\n`);
  await signInAs(page, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: /Held for Review.*\d+ waiting/ }).click();
  await expect(page).toHaveURL(/\/admin\/held$/);
});

test('an allow rule removes a listed site, and the dialogs of the blacklist ask before they list it again', async ({
  page,
}) => {
  const domain = `${uniqueName('friend')}.example`;
  await createDomains(page, [domain], 'Seller');
  await signInAs(page, admin);
  await page.goto('/admin/held?tab=rules');
  await page.getByRole('button', { name: 'Add allow rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add allow rule' });
  // The dialog moves the focus when it opens.
  await expect(dialog.getByLabel('Domain')).toBeFocused();
  await dialog.getByLabel('Domain').fill('localhost');
  await dialog.getByLabel('Reason').fill('Our partner');
  await dialog.getByRole('button', { name: 'Add allow rule' }).click();
  await expect(dialog).toContainText('This is not a domain name');
  await dialog.getByLabel('Domain').fill(`https://www.${domain}/about`);
  await dialog.getByRole('button', { name: 'Add allow rule' }).click();
  await expect(toastOf(page)).toContainText('1 listing moved to the review queue');
  await openQueue(page, domain);
  await expect(rowOf(page, domain)).toContainText(`An admin added an allow rule for ${domain}: Our partner`);

  await page.goto('/domains?dialog=add');
  const form = page.getByRole('dialog', { name: 'Add Domain' });
  await form.getByRole('textbox', { name: 'Domain', exact: true }).fill(domain);
  await form.getByRole('textbox', { name: 'Source', exact: true }).fill('manual');
  await form.getByRole('button', { name: 'Add Domain' }).click();
  const confirm = page.getByRole('dialog', { name: 'List a protected site?' });
  await expect(confirm).toContainText(`An allow rule protects ${domain}: Our partner.`);
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await form.getByRole('button', { name: 'Add Domain' }).click();
  await confirm.getByRole('button', { name: 'Add to blacklist' }).click();
  await expect(toastOf(page)).toContainText('Domain added');

  await page.goto(`/admin/held?tab=rules&search=${domain}`);
  await expect(page.getByRole('heading', { name: 'No allow rules found' })).toBeVisible();
});

test('an allow rule can be deleted', async ({ page }) => {
  const domain = `${uniqueName('short')}.example`;
  await signInAs(page, admin);
  await page.goto('/admin/held?tab=rules');
  await page.getByRole('button', { name: 'Add allow rule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add allow rule' });
  await expect(dialog.getByLabel('Domain')).toBeFocused();
  await dialog.getByLabel('Domain').fill(domain);
  await dialog.getByLabel('Reason').fill('For a while');
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Add allow rule' }).click();
  await page.getByRole('button', { name: `Delete the allow rule for ${domain}` }).click();
  await page.getByRole('dialog', { name: 'Delete allow rule' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: `Delete the allow rule for ${domain}` })).toHaveCount(0);
});

test('approving a protected site asks first', async ({ page }) => {
  await signInAsNewUser(page);
  const domain = `${uniqueName('college')}.edu`;
  await createSubmission(page.request, domain);
  await signInAs(page, admin);
  await page.goto('/admin/submissions');
  const card = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: domain });
  await card.getByRole('button', { name: 'Approve' }).click();
  const confirm = page.getByRole('dialog', { name: 'Approve a protected site?' });
  await expect(confirm).toContainText('Names under .edu belong to public institutions.');
  await confirm.getByRole('button', { name: 'Approve' }).click();
  await expect(toastOf(page)).toContainText(`${domain} was added to the blacklist.`);
});

test('an admin adds a shared host after seeing what it changes, and deletes it again', async ({ page }) => {
  const host = `${uniqueName('blogs')}.example`;
  await signInAs(page, admin);
  await importCsv(
    page,
    ['domain,source,evidenceUrl', `${host},Seller,https://casino.${host}/post`, `spam.${host},Seller,`].join('\n'),
  );
  await page.goto('/admin/held?tab=hosts');
  await page.getByRole('button', { name: 'Add shared host' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Host').fill(host);
  await dialog.getByLabel('Reason').fill('Free blogs');
  await dialog.getByRole('button', { name: 'Show changes' }).click();
  await expect(dialog.getByRole('status')).toHaveText(
    `1 listing of ${host} will move to a subdomain, 0 listings will be held for review. 1 subdomain already listed.`,
  );
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Add shared host' }).click();
  await expect(toastOf(page)).toContainText('Shared host added');
  const row = page.getByRole('row').filter({ hasText: host });
  await expect(row).toContainText('Free blogs');
  await page.getByRole('button', { name: `Delete ${host}` }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
});
