import { expect } from '@playwright/test';
import { admin, signInAs, toastOf } from './accounts.ts';
import { serverError } from './mock-responses.ts';
import { importCopiedLists } from './sample-data.ts';
import { test } from './test.ts';

test('an admin renames, rates, publishes and merges sources, and the domains follow', async ({ page }) => {
  const { original, copy, word } = await importCopiedLists(page);
  await signInAs(page, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: /^Sources/ }).click();
  await expect(page).toHaveURL(/\/admin\/sources$/);
  await page.getByLabel('Search sources').fill(word);
  await expect(page).toHaveURL(new RegExp(`search=${word}`));
  const table = page.getByRole('table', { name: 'Sources' });
  const row = (name: string) => table.getByRole('row').filter({ hasText: name });
  await expect(row(original)).toContainText('60');

  await page.getByText('What the kinds mean').click();
  await expect(page.getByText('A marketplace or seller offers links on the domain.')).toBeVisible();
  const kind = page.getByLabel(`Kind of ${original}`, { exact: true });
  await kind.selectOption("Seller's offer");
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(kind).toHaveValue('manual');
  await kind.selectOption("Seller's offer");
  await page.getByRole('dialog').getByRole('button', { name: 'Change kind' }).click();
  await expect(kind).toHaveValue('inventory');
  await expect(toastOf(page)).toContainText(/Kind changed|Domains updated/);
  await page.getByLabel('Filter by kind').selectOption("Seller's offer");
  await expect(row(copy)).toHaveCount(0);
  await expect(row(original)).toBeVisible();
  await page.getByLabel('Filter by kind').selectOption('All kinds');

  await page.getByLabel(`Everyone sees the name ${copy}`).press('Space');
  await page.getByRole('dialog').getByRole('button', { name: 'Make source public' }).click();
  await expect(page.getByLabel(`Everyone sees the name ${copy}`)).toBeChecked();

  await page.getByRole('button', { name: `Rename ${copy}`, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(original);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(
    dialog.getByText(`There is already a source with the name ${original}. You can merge the two.`),
  ).toBeVisible();
  const renamed = `${word} renamed`;
  await dialog.getByLabel('Name').fill(renamed);
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(row(renamed)).toBeVisible();

  await page.getByRole('button', { name: `Merge into… from ${renamed}` }).click();
  await dialog.getByRole('combobox', { name: 'Merge into' }).fill(original);
  await dialog.getByRole('option', { name: new RegExp(original) }).click();
  await expect(dialog).toContainText(`55 domains of ${renamed} will be listed by ${original}`);
  await dialog.getByRole('button', { name: 'Merge' }).click();
  await expect(row(renamed)).toHaveCount(0, { timeout: 30_000 });
  await row(original)
    .getByRole('link', { name: /^60 domains/ })
    .click();
  await expect(page).toHaveURL(/\/domains\?source=/);
  await expect(page.getByText('60 matches')).toBeVisible();
});

test('a suggested family is confirmed, loses a source and is deleted; its progress survives a reload', async ({
  page,
}) => {
  const { original, copy, word } = await importCopiedLists(page);
  await signInAs(page, admin);
  await page.route('**/api/admin/families/suggestions', serverError);
  await page.goto('/admin/sources?tab=families');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  const suggestion = page
    .getByRole('list', { name: 'Suggested families' })
    .getByRole('listitem')
    .filter({ hasText: word });
  await expect(suggestion).toContainText(`100% of ${copy}'s 55 domains are also in ${original}.`);

  const run = {
    id: 1,
    status: 'processing',
    progress: 40,
    title: `Create the family ${original}`,
    message: '24 domains were checked',
    startedBy: 'admin',
    dateStarted: new Date().toISOString(),
    dateFinished: null,
  };
  await page.route('**/api/admin/source-runs', (route) => route.fulfill({ json: [run] }));
  await suggestion.getByRole('button', { name: /^Confirm the family/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm family' });
  await expect(dialog.getByLabel('Name of the family')).toHaveValue(original);
  const confirm = dialog.getByRole('button', { name: 'Confirm family' });
  await dialog.getByLabel(`${copy} (55 domains)`).uncheck();
  await expect(confirm).toBeDisabled();
  await dialog.getByLabel(`${copy} (55 domains)`).check();
  await confirm.click();
  const progress = page.getByRole('progressbar', { name: run.title });
  await expect(progress).toHaveAttribute('aria-valuenow', '40');
  await page.reload();
  await expect(progress).toBeVisible();
  await page.unrouteAll();
  await expect(progress).toHaveCount(0);
  await expect(suggestion).toHaveCount(0);

  const families = page.getByRole('list', { name: 'Families', exact: true });
  await expect(families).toContainText(copy);
  await page.getByRole('button', { name: `Remove ${copy} from ${original}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click();
  await expect(page.getByRole('button', { name: `Remove ${copy} from ${original}` })).toHaveCount(0);
  await expect(suggestion).toHaveCount(1);
  await suggestion.getByRole('button', { name: /^Confirm the family/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add to family' }).click();
  await expect(page.getByRole('button', { name: `Remove ${copy} from ${original}` })).toBeVisible();
  await page.getByRole('button', { name: `Delete family ${original}` }).click();
  await expect(page.getByRole('dialog')).toContainText('Its 2 sources will count separately again.');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete family' }).click();
  await expect(page.getByRole('button', { name: `Delete family ${original}` })).toHaveCount(0);

  await page.route('**/api/admin/source-runs', (route) =>
    route.fulfill({ json: [{ ...run, status: 'failed', message: 'Something went wrong on our side.' }] }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText(`Failed: ${run.title}`);
  await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
});
