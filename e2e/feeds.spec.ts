import { expect } from '@playwright/test';
import { unreachablePrefix } from '../shared/blacklist/feeds.ts';
import { admin, signInAs, toastOf, uniqueName } from './accounts.ts';
import { failedFeed } from './feeds.ts';
import { startListServer } from './list-server.ts';
import { onlyMethod, serverError } from './mock-responses.ts';
import { createFeedInReview } from './sample-data.ts';
import { test } from './test.ts';

test('an admin adds a list by its address, reviews a copy that shrinks, pauses the feed and withdraws its listings', async ({
  page,
}) => {
  const word = uniqueName('feed');
  const names = Array.from({ length: 60 }, (_, i) => `${word}-${String(i).padStart(2, '0')}.example`);
  await using list = await startListServer([...names, 'https://blog.example/one-page', '10.0.0.1']);
  const name = `${word} list`;
  await signInAs(page, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: /^Feeds/ }).click();
  await expect(page).toHaveURL(/\/admin\/feeds$/);
  await page.getByRole('button', { name: 'Add another list' }).click();
  await expect(page).toHaveURL(/dialog=custom/);

  const form = page.getByRole('dialog', { name: 'Add another list' });
  const addFeed = form.getByRole('button', { name: 'Add feed' });
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Address of the list').fill('example.com/list.txt');
  await addFeed.click();
  await expect(form).toContainText('Please enter the address of the list, starting with https:// or http://');
  await expect(form.getByLabel('Address of the list')).toBeFocused();
  await form.getByLabel('Address of the list').fill(list.url);
  await page.route('**/api/admin/feeds', onlyMethod('POST', serverError));
  await addFeed.click();
  await expect(form).toContainText('Something went wrong. Please try again.');
  await expect(form.getByLabel('Name')).toHaveValue(name);
  await page.unrouteAll();
  await form.getByLabel('Refresh interval').selectOption('Every week');
  await form.getByLabel('Kind of source').selectOption('Disavow file');
  await addFeed.click();
  await expect(form).toHaveCount(0);

  const row = page.getByRole('table', { name: 'Feeds' }).getByRole('row').filter({ hasText: name });
  await expect(row).toContainText('Updated', { timeout: 30_000 });
  await expect(row).toContainText('+60 −0');
  await expect(row).toContainText('Lists domains: Disavow file');
  await expect(row).toContainText('Every week');
  await row.getByRole('link', { name: `60 domains of ${name}` }).click();
  await expect(page).toHaveURL(/\/domains\?source=/);
  await expect(page.getByText('60 matches')).toBeVisible();

  await page.goBack();
  await page.getByRole('link', { name: `History of ${name}` }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  const runs = page.getByRole('table', { name: `Runs of ${name}` });
  await runs.getByText('2 lines').click();
  await expect(runs).toContainText('Single pages: 1');
  await expect(runs).toContainText('IP addresses: 1');
  await runs.getByRole('row').nth(1).getByRole('link').click();
  await page.getByLabel('Search domains').fill('-07');
  await expect(page).toHaveURL(/feed=\d+&run=\d+.*search=-07/);
  await expect(page.getByRole('list', { name: 'Added domains' }).getByRole('listitem')).toHaveText([names[7] ?? '']);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Added domains' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('tab', { name: 'Removed (0)' }).click();
  await expect(page.getByText('No domains were removed')).toBeVisible();
  await page.getByRole('link', { name: `All runs of ${name}` }).click();
  await page.getByRole('link', { name: 'All feeds' }).click();

  list.change(names.slice(0, 20));
  await page.getByRole('button', { name: `Refresh now: ${name}` }).click();
  await expect(toastOf(page)).toContainText(`${name} needs review`, { timeout: 30_000 });
  await expect(row).toContainText('Needs review');
  const alert = page.getByRole('alert').filter({ hasText: 'This copy would remove 40 of 60 domains (67%).' });
  await expect(alert).toContainText(names[20] ?? '');
  await alert.getByRole('link', { name: 'See all 40' }).click();
  await expect(page).toHaveURL(/change=removed/);
  await expect(page.getByRole('list', { name: 'Removed domains' }).getByRole('listitem')).toHaveCount(40);
  await page.goto('/admin');
  await expect(page.getByRole('link', { name: /^Feeds .*need/ })).toBeVisible();
  const item = page.getByRole('listitem').filter({ hasText: `A copy of ${name} needs review.` });
  await item.getByRole('link', { name: 'Review copy' }).click();
  await page.getByRole('button', { name: `Accept this copy of ${name}` }).click();
  const confirm = page.getByRole('dialog', { name: 'Accept this copy' });
  await expect(confirm).toContainText('will no longer list 40 domains');
  await confirm.getByRole('button', { name: 'Accept this copy' }).click();
  const newest = runs.getByRole('row').nth(1);
  await expect(newest).toContainText('Updated', { timeout: 30_000 });
  await expect(newest.getByRole('cell').nth(3)).toHaveText('40');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByRole('link', { name: 'All feeds' }).click();
  await expect(row.getByRole('link', { name: `20 domains of ${name}` })).toBeVisible();
  const more = page.getByRole('button', { name: `More actions for ${name}` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(row).toContainText('Paused');
  await more.press('Enter');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Resume' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();

  await more.click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit feed' });
  await edit.getByLabel('License').fill('CC0-1.0');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('License: CC0-1.0');
  await expect(more).toBeFocused();

  await more.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const deletion = page.getByRole('dialog', { name: 'Delete feed' });
  await expect(deletion.getByLabel('Keep its listings')).toBeChecked();
  await deletion.getByLabel('Withdraw its listings').check();
  await deletion.getByRole('button', { name: 'Delete and withdraw' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add feeds' })).toBeFocused();
  await expect(async () => {
    await page.goto(`/domains?search=${word}`);
    await expect(page.getByText('No domains found')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 30_000 });
});

test('the focus stays in a field that is corrected while another one is invalid', async ({ page }) => {
  await signInAs(page, admin);
  await page.goto('/admin/feeds?dialog=custom');
  const form = page.getByRole('dialog', { name: 'Add another list' });
  await form.getByRole('button', { name: 'Add feed' }).click();
  await expect(form).toContainText('Please enter a name');
  await expect(form).toContainText('Please enter the address of the list');
  const name = form.getByLabel('Name');
  await expect(name).toBeFocused();
  await page.keyboard.type('A list of my own');
  await expect(name).toHaveValue('A list of my own');
  await expect(name).toBeFocused();
  await expect(form.getByLabel('Address of the list')).toHaveValue('');
  await expect(form).toContainText('Please enter the address of the list');
});

test('the history shows a failed refresh next to a copy that needs review, and can change and delete the feed', async ({
  page,
}) => {
  // The server of the list has stopped, so the next refresh fails.
  const feed = await createFeedInReview(page);
  const names = Array.from({ length: 45 }, (_, i) => `${feed.word}-${i}.example`);
  await using list = await startListServer(names);
  await signInAs(page, admin);
  await page.goto(`/admin/feeds?feed=${feed.id}`);
  const review = page.getByRole('alert').filter({ hasText: 'This copy would remove 30 of 40 domains (75%).' });
  await expect(review).toContainText(`${feed.word}-10.example`);
  await page.getByRole('button', { name: `Refresh now: ${feed.name}` }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'The last download failed' });
  await expect(failure).toBeVisible({ timeout: 30_000 });
  await expect(review).toBeVisible();
  await page.getByRole('link', { name: 'All feeds' }).click();
  await expect(failure.filter({ has: page.getByRole('button', { name: `Edit feed ${feed.name}` }) })).toBeVisible();
  await expect(review.filter({ hasText: `${feed.word}-10.example` })).toBeVisible();
  await page.goBack();

  await failure.getByRole('button', { name: `Edit feed ${feed.name}` }).click();
  const edit = page.getByRole('dialog', { name: 'Edit feed' });
  await expect(edit.getByLabel('Name')).toHaveValue(feed.name);
  await edit.getByLabel('Address of the list').fill(list.url);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: list.url })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Text with one domain per lineEvery day');
  const runs = page.getByRole('table', { name: `Runs of ${feed.name}` });
  await expect(runs.getByRole('row').nth(1)).toContainText('Updated', { timeout: 30_000 });
  await expect(runs.getByRole('cell', { name: 'Failed', exact: true })).toHaveCount(1);
  await expect(runs.getByRole('cell', { name: 'Replaced', exact: true })).toHaveCount(1);
  await expect(page.getByText('The address or the format of the list was changed.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await page.getByRole('button', { name: `More actions for ${feed.name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete feed' }).getByRole('button', { name: 'Delete feed' }).click();
  await expect(page).toHaveURL(/\/admin\/feeds$/);
  await expect(page.getByRole('heading', { name: 'Feeds', level: 1 })).toBeVisible();
  await expect(page.getByText(feed.name, { exact: true })).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('the names of a run can be loaded again after the history has failed to load', async ({ page }) => {
  const feed = await createFeedInReview(page);
  await signInAs(page, admin);
  await page.route('**/api/admin/feeds/*/runs?*', serverError);
  await page.route('**/api/admin/feeds/*/runs/*/changes?*', serverError);
  await page.goto(`/admin/feeds?feed=${feed.id}`);
  await expect(page.getByText('The domains that would be removed could not be loaded.')).toBeVisible();
  await page.getByRole('link', { name: 'See all 30' }).click();
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await page.unrouteAll();
  await retry.click();
  await expect(page.getByRole('list', { name: 'Removed domains' }).getByRole('listitem')).toHaveCount(30);
});

test('the catalogue selects recommended lists, and keeps those that could not be added', async ({ page }) => {
  await signInAs(page, admin);
  const { key, name } = { key: 'one', name: 'A list of the catalogue' };
  const entry = {
    key,
    group: 'disavow',
    name,
    description: 'Domains that website owners disavowed.',
    url: 'https://lists.example/one.txt',
    homepage: 'https://lists.example/',
    licence: 'MIT',
    kind: 'block',
    sourceKind: 'disavow',
    family: null,
    approximateSize: 18_100,
    intervalHours: 24,
    isRecommended: true,
    subscribed: false,
  };
  const other = { ...entry, key: 'two', name: 'A broad list', isRecommended: false };
  const known = { ...entry, key: 'three', name: 'A subscribed list', subscribed: true };
  await page.route('**/api/admin/feeds/catalogue', (route) => route.fulfill({ json: [entry, other, known] }));
  const requests: unknown[] = [];
  await page.route(
    '**/api/admin/feeds',
    onlyMethod('POST', (route) => {
      requests.push(route.request().postDataJSON());
      return route.fulfill({
        status: 503,
        json: { error: 'The server is busy.', code: 'unavailable' },
      });
    }),
  );
  await page.goto('/admin/feeds?dialog=catalogue');
  const dialog = page.getByRole('dialog', { name: 'Add feeds' });
  await expect(dialog.getByRole('group', { name: 'Disavow lists' })).toContainText('License: MIT');
  await expect(dialog).toContainText('Subscribed');
  await expect(dialog.getByRole('checkbox')).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Select recommended' }).click();
  await expect(dialog.getByRole('checkbox', { name })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'A broad list' })).not.toBeChecked();
  await expect(dialog).toContainText('1 list selected: about 18,000 domains');
  await dialog.getByRole('button', { name: 'Add feed', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText(`${name}: The server is busy.`);
  await expect(dialog.getByRole('checkbox', { name })).toBeChecked();
  expect(requests).toEqual([{ catalogueKey: key }]);
  await dialog.getByRole('button', { name: 'Add another list…' }).click();
  await expect(page.getByRole('dialog', { name: 'Add another list' })).toBeVisible();
});

test('a feed that does not exist and feeds that cannot be loaded say what to do', async ({ page }) => {
  await signInAs(page, admin);
  await page.route('**/api/admin/feeds', serverError);
  await page.goto('/admin/feeds');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.unrouteAll();
  await page.goto('/admin/feeds?feed=900000000');
  await expect(page.getByRole('heading', { name: 'Feed not found', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Show all feeds' }).click();
  await expect(page.getByRole('heading', { name: 'Feeds', level: 1 })).toBeVisible();
});

test('a server without internet says so once, and tries all feeds again', async ({ page }) => {
  const lastRun = { ...failedFeed.lastRun, error: `${unreachablePrefix}lists.example does not exist.` };
  const feeds = [2, 3].map((id) => ({ ...failedFeed, id, name: `List ${id}`, lastRun: { ...lastRun, id } }));
  await page.route('**/api/admin/feeds', (route) => route.fulfill({ json: feeds }));
  const tried: string[] = [];
  await page.route('**/api/admin/feeds/*/refresh', (route) => {
    tried.push(new URL(route.request().url()).pathname);
    return route.fulfill({ status: 202, json: { runId: 4 } });
  });
  await signInAs(page, admin);
  await page.goto('/admin/feeds');
  const alert = page.getByRole('alert');
  await expect(alert).toHaveCount(1);
  await expect(alert).toContainText('This server cannot reach the internet');
  await expect(alert.getByRole('link', { name: 'Import a CSV' })).toHaveAttribute('href', '/admin/panel');
  await alert.getByRole('button', { name: 'Try all again' }).click();
  await expect.poll(() => tried).toEqual(['/api/admin/feeds/2/refresh', '/api/admin/feeds/3/refresh']);

  // One list that does not respond may be gone.
  feeds.splice(1, 1);
  await page.reload();
  await expect(alert).toContainText('The last download failed');
});
