import { expect, type Page, test } from '@playwright/test';
import { broken, expectTexts, slow } from './expect-texts.ts';
import { admin, chooseFile, enter, fileOf, noOtherImports, unique } from './person.ts';
import { importSample } from './sample-data.ts';

const dialog = (page: Page) => page.getByRole('dialog');

test.beforeEach(({ page }) => enter(page, admin));

test('the blacklist as admins have it', async ({ page }) => {
  const [name = ''] = await importSample(page, 6);
  const list = `/domains?search=${name.split('-')[0]}`;
  await page.goto(list);
  await expectTexts(page, 'header, admin');
  await expectTexts(page, 'blacklist, admin');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expectTexts(page, 'account menu, admin');
  await page.keyboard.press('Escape');
  const { domains } = await (await page.request.get(`/api/domains?search=${name}`)).json();
  await page.goto(`/domains?domain=${domains[0].id}`);
  await expectTexts(page, 'domain details, admin');

  const remove = async () => {
    await page
      .getByRole('button', { name: `Delete ${name}` })
      .first()
      .click();
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
  };
  await page.goto(list);
  await page.route('**/api/domains/*', (route) =>
    route.request().method() === 'DELETE' ? broken(route) : route.continue(),
  );
  await remove();
  await expectTexts(page, 'one not deleted');
  await page.unrouteAll();
  await page.goto(list);
  await remove();
  await expectTexts(page, 'one deleted');

  const removeTwo = async () => {
    await page.goto(list);
    for (const at of [1, 2]) await page.getByRole('row').nth(at).getByRole('checkbox').check();
    await expectTexts(page, 'rows chosen');
    await page.getByRole('button', { name: 'Delete Selected' }).click();
    await expectTexts(page, 'deletion of several');
    await dialog(page)
      .getByRole('button', { name: /^Delete/ })
      .click();
  };
  await page.route('**/bulk-delete', broken);
  await removeTwo();
  await expectTexts(page, 'several not deleted');
  await page.unrouteAll();
  await removeTwo();
  await expectTexts(page, 'several deleted');
});

test('adding, changing and importing domains', async ({ page }) => {
  const name = `${unique('added')}.example`;
  await page.goto('/domains?dialog=add');
  await dialog(page).getByRole('textbox', { name: 'Domain', exact: true }).fill(name);
  await dialog(page).getByRole('textbox', { name: 'Source', exact: true }).fill('crawler');
  await page.route('**/api/domains', broken);
  await page.keyboard.press('Enter');
  await expectTexts(page, 'domain not added');
  await page.unrouteAll();
  await page.keyboard.press('Enter');
  await expectTexts(page, 'domain added');

  await page.goto(`/domains?search=${name}`);
  await page
    .getByRole('link', { name: `Edit ${name}` })
    .first()
    .click();
  await dialog(page).getByRole('textbox', { name: 'Niche' }).fill('Travel');
  await page.route('**/api/domains/*', (route) =>
    route.request().method() === 'PUT' ? broken(route) : route.continue(),
  );
  await page.keyboard.press('Enter');
  await expectTexts(page, 'domain not changed');
  await page.unrouteAll();
  await page.keyboard.press('Enter');
  await expectTexts(page, 'domain changed');

  await noOtherImports(page);
  await page.goto('/domains?dialog=import');
  await expectTexts(page, 'import dialog');
  const start = dialog(page).getByRole('button', { name: 'Import', exact: true });
  await start.click();
  await expectTexts(page, 'import without a file');
  await chooseFile(page, 'Choose a CSV file', fileOf('list.pdf', ['x']));
  await expectTexts(page, 'import of another kind');
  await page.goto('/domains?dialog=import');
  await chooseFile(
    page,
    'Choose a CSV file',
    fileOf('list.csv', ['domain,source', `${unique('new')}.example,crawler`]),
  );
  await start.click();
  await expectTexts(page, 'import done');
  await page.goto('/domains?dialog=import');
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await chooseFile(page, 'Choose a CSV file', { name: 'list.csv', mimeType: 'text/csv', buffer: picture });
  await start.click();
  await expectTexts(page, 'import fails');
});

test('the dashboard and the panel', async ({ page }) => {
  await page.goto('/admin');
  await expectTexts(page, 'dashboard');
  await page
    .getByRole('button', { name: /^Delete All/ })
    .first()
    .click();
  await dialog(page).getByRole('textbox').fill('delete all domains');
  await page.keyboard.press('Enter');
  await expectTexts(page, 'all domains, wrong words');

  await page.goto('/admin/panel');
  await expectTexts(page, 'panel');
  await expectTexts(page, 'panel, importer');
  await chooseFile(
    page,
    'Choose a CSV file',
    fileOf('list.csv', ['domain,source', `${unique('new')}.example,crawler`]),
  );
  await page.getByRole('button', { name: 'Start Import' }).click();
  await expectTexts(page, 'panel, import done');
  await page.goto('/admin/panel?tab=users');
  await expectTexts(page, 'panel, users');
  await page.goto('/admin/panel?tab=system');
  await expectTexts(page, 'panel, system');

  await page.goto('/admin/panel?tab=database');
  await expectTexts(page, 'panel, database');
  const update = page.getByRole('button', { name: 'Update Risk Levels' });
  await page.route('**/api/risk/update-risk-levels', slow);
  await update.click();
  await expectTexts(page, 'panel, risk update runs');
  await expectTexts(page, 'panel, risk levels updated');
  await page.unrouteAll();
  await page.route('**/api/risk/update-risk-levels', broken);
  await update.click();
  await expectTexts(page, 'panel, risk update fails');
  await page.route('**/api/stats/count', broken);
  await page.reload();
  await expectTexts(page, 'panel, counts not loaded');
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
});
