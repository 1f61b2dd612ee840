import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openSignedOut, sameOriginHeaders, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { chooseFile, type UploadFile } from './files.ts';
import { holdRequests, onlyMethod, serverError } from './mock-responses.ts';
import { printPages, watchPrintDialog } from './pdf.ts';
import { chooseAction, decisionOf, focusedDomain, listRows, nameOf, reloadWhenStored, row } from './report-page.ts';
import { createReport, getSampleDomains, importCsv } from './sample-data.ts';
import { test } from './test.ts';

/** An export of Ahrefs: UTF-16 with tabs, every cell quoted. */
function buildAhrefsExport(
  site: string,
  links: readonly { page: string; anchor: string; firstSeen: string }[],
): UploadFile {
  const rows = [
    [
      'Referring page title',
      'Referring page URL',
      'Domain rating',
      'Target URL',
      'Anchor',
      'Nofollow',
      'First seen',
      'Lost',
    ],
    ...links.map(({ page, anchor, firstSeen }) => [
      'A "paid" post',
      page,
      '12',
      `https://${site}/offer`,
      anchor,
      'false',
      `${firstSeen} 10:00:00`,
      '',
    ]),
  ];
  const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join('\t')).join('\r\n');
  return { name: 'ahrefs.csv', mimeType: 'text/csv', buffer: Buffer.from(`\ufeff${text}\r\n`, 'utf16le') };
}

test('links are reviewed by keyboard, disavowed, shared and printed, and next month the decisions are still there', async ({
  page,
}) => {
  const word = uniqueName('seller');
  const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${word}-${letter}.example`);
  const [first = '', second = '', third = '', fourth = '', fresh = ''] = names;
  await importCsv(
    page,
    ['domain,source,riskLevel,niche', ...names.map((name) => `${name},fiverr,high,Casino`)].join('\n'),
  );
  await signInAsNewUser(page);
  const waitForPrintDialog = await watchPrintDialog(page);
  const site = `${uniqueName('shop')}.example`;

  await test.step('upload an Ahrefs export', async () => {
    await page.goto('/risk-assessment');
    await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
    await page.getByLabel('Website domain').fill(site);
    const links = [first, second, third, fourth].map((name, index) => ({
      page: `https://${name}/post`,
      anchor: `best offer ${index}`,
      firstSeen: `2026-0${index + 1}-10`,
    }));
    await chooseFile(page, 'Choose backlink exports', buildAhrefsExport(site, links));
    await page.getByRole('button', { name: 'Analyze', exact: true }).click();
    await page.getByRole('link', { name: 'Review domains' }).click();
    await expect(page).toHaveURL(/\/reports\/\d+$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Report on ${site}`);
    await expect(page.getByText('0 of 4 domains reviewed')).toBeVisible();
  });

  await test.step('see the links of a domain and the evidence', async () => {
    await nameOf(page, first).click();
    const links = page.getByRole('table', { name: `Links from ${first}` });
    await expect(links.getByRole('row').nth(1)).toContainText('best offer 0');
    await expect(links.getByRole('row').nth(1)).toContainText('Jan 10, 2026');
    await expect(page.getByRole('list', { name: 'Listings' })).toContainText('Active');
    await page.getByLabel('Note').fill('Sold by a broker');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(row(page, first)).toContainText('Sold by a broker');
    await nameOf(page, first).press('Enter');
    await expect(links).toBeHidden();
  });

  await test.step('decide by keyboard and undo', async () => {
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('j');
    expect(await focusedDomain(page)).toBe(first);
    for (const key of ['d', 'r', 'd', 'e']) await page.keyboard.press(key);
    await expect(page.getByText('4 of 4 domains reviewed')).toBeVisible();
    await expect(decisionOf(page, second, 'Remove')).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('status').filter({ hasText: `Keep: ${fourth}` })).toBeVisible();
    await page.keyboard.press('u');
    await page.keyboard.press('u');
    await expect(page.getByText('2 of 4 domains reviewed')).toBeVisible();
    await nameOf(page, third).focus();
    await page.keyboard.press('e');
    await expect(decisionOf(page, third, 'Keep')).toHaveAttribute('aria-pressed', 'true');
    expect(await focusedDomain(page)).toBe(fourth);
    await page.keyboard.press('d');
    await reloadWhenStored(page, fourth, 'disavow');
    await expect(page.getByText('4 of 4 domains reviewed')).toBeVisible();
    await expect(decisionOf(page, first, 'Disavow')).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('merge with the file in use', async () => {
    await page.getByRole('link', { name: 'Build disavow file' }).click();
    const lines = [`# ours`, `domain:${third}`, `domain:www.${first}`, `domain:old.${first}`, 'spammy.example', ''];
    const file = { name: 'disavow.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\r\n')) };
    await chooseFile(page, 'Choose a disavow file', file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const counts = page.getByRole('group', { name: 'Filter lines by status' });
    for (const [name, count] of [
      ['Stays', 1],
      ['Taken back', 1],
      ['Left out, redundant', 1],
      ['Left out, invalid', 1],
    ] as const) {
      await expect(counts.getByRole('button', { name: new RegExp(`^${name} ${count} `) })).toBeVisible();
    }
    const table = page.getByRole('table', { name: 'Lines of the disavow file' });
    await expect(page.getByRole('heading', { name: /^disavow.txt/ })).toContainText('+1 −3');
    await expect(table).toContainText(`+ domain:${fourth}`);
    await expect(table).toContainText(`− domain:${third}`);
    await expect(table).not.toContainText('# ours');
    await counts.getByRole('button', { name: /^Left out, invalid/ }).click();
    await expect(table).toContainText('Write domain:spammy.example');
    expect(await download(page, 'Download merged file')).toEqual([
      '# ours',
      `domain:${first}`,
      expect.stringMatching(/^# Added by Linksieve on \d{4}-\d\d-\d\d$/),
      `domain:${fourth}`,
    ]);
    expect(await download(page, 'Download take-back list')).toContain(`domain:${third}`);
  });

  await test.step('answer the questions, and see the advice on the report', async () => {
    const answers = [
      [/manual action/, 'No'],
      [/buy links/, 'Yes'],
      [/traffic/, 'I do not know'],
    ] as const;
    for (const [name, answer] of answers) {
      await page.getByRole('group', { name }).getByRole('radio', { name: answer, exact: true }).check();
    }
    await page.getByRole('button', { name: 'Save answers' }).click();
    await expect(page.getByText('Ask for removal first.')).toBeVisible();
    await page.getByRole('link', { name: 'Newest report' }).click();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(page.getByText('Should I disavow? Ask for removal first.')).toBeVisible();
  });

  await test.step('share the report with a client, who has no account', async () => {
    await chooseAction(page, 'Share');
    const dialog = page.getByRole('dialog', { name: 'Share report' });
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const reader = await openSignedOut(page, await dialog.getByRole('textbox', { name: 'Link' }).inputValue());
    await expect(reader.getByRole('heading', { level: 1 })).toHaveText(`Report on ${site}`);
    await expect(row(reader, first)).toContainText('Disavow');
    await expect(row(reader, third)).toContainText('Keep');
    await expect(reader.getByRole('main')).not.toContainText('Sold by a broker');
    await reader.context().close();
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('print the report to PDF', async () => {
    await chooseAction(page, 'Print or save as PDF');
    await waitForPrintDialog();
    const text = (await printPages(page)).join(' ');
    expect(text).toContain(`Report on ${site}`);
    expect(text).toContain('4 domains on the blacklist.');
    expect(text).toContain('Method This report compares');
    const joined = text.replaceAll(' ', '');
    for (const [name, decision] of [
      [first, 'Disavow'],
      [second, 'Remove'],
      [third, 'Keep'],
      [fourth, 'Disavow'],
    ] as const) {
      expect(joined).toMatch(new RegExp(`${name.replaceAll('.', '\\.')}.{0,60}${decision}`));
    }
  });

  await test.step('upload the export of the next month', async () => {
    await page.getByRole('link', { name: 'All reports of this website' }).click();
    await page.getByRole('button', { name: `Upload Backlinks for ${site}` }).click();
    const links = [first, third, fresh].map((name) => ({
      page: `https://${name}/post`,
      anchor: 'a',
      firstSeen: '2026-09-01',
    }));
    await chooseFile(page, 'Choose backlink exports', buildAhrefsExport(site, links));
    await page.getByRole('button', { name: 'Analyze', exact: true }).click();
    await page.getByRole('link', { name: 'Review domains' }).click();
    await expect(page.getByText('2 of 3 domains reviewed')).toBeVisible();
    await expect(page.locator('[data-row]').first()).toContainText(`${fresh}New`);
    await expect(decisionOf(page, first, 'Disavow')).toHaveAttribute('aria-pressed', 'true');
    await expect(decisionOf(page, third, 'Keep')).toHaveAttribute('aria-pressed', 'true');
    await expect(row(page, first)).toContainText('Sold by a broker');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(page.getByText('1 new toxic domain, 2 gone')).toBeVisible();
  });
});

async function download(page: Page, button: string): Promise<string[]> {
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return (await readFile(await (await started).path(), 'utf8')).trimEnd().split('\n');
}

test('filters are in the URL, decided domains stay until the list is opened again, and all matches can be decided', async ({
  page,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 70);
  await signInAsNewUser(page);
  const { reportId } = await createReport(page, names);
  await page.goto(`/reports/${reportId}?decision=undecided`);
  await expect(page.getByText('Showing 1 to 50 of 70 results')).toBeVisible();
  const firstRow = (await page.locator('[data-row]').first().getAttribute('data-row')) ?? '';
  await decisionOf(page, firstRow, 'Keep').click();
  await expect(page.getByText('1 of 70 domains reviewed')).toBeVisible();

  // The last row leads to the next page, which is not shifted by the decision.
  const last = page.locator('[data-row]').last();
  const lastOfPage = (await last.getAttribute('data-row')) ?? '';
  await last.focus();
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/page=2/);
  await expect(page.locator('[data-row]')).toHaveCount(20);
  await expect.poll(() => focusedDomain(page)).toBe((await listRows(page))[0]);
  await page.goBack();
  await expect(decisionOf(page, lastOfPage, 'Disavow')).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('link', { name: /Very High/ }).click();
  await expect(page).toHaveURL(/riskLevel=very/);
  const filter = page.getByRole('button', { name: 'Remove filter: Decision: To review' });
  await filter.click();
  await expect(filter).toHaveCount(0);
  const outdatedRows = page.locator('[data-row]').and(page.locator('[aria-busy="true"] *'));
  await expect(outdatedRows).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Disavow', exact: true }).first().click();
  const veryHigh = await page.locator('[data-row]').count();
  await expect(page.getByRole('status').filter({ hasText: /^Disavow: \d+ domains$/ })).toBeVisible();
  await reloadWhenStored(page, (await listRows(page)).at(-1) ?? '', 'disavow');
  const pressed = page.getByRole('group', { name: /^Decision about/ }).getByRole('button', { pressed: true });
  await expect(pressed).toHaveCount(veryHigh);
  await expect(pressed).toHaveText(Array.from({ length: veryHigh }, () => 'Disavow'));

  const clearAll = page.getByRole('button', { name: 'Clear all' });
  await clearAll.click();
  await expect(clearAll).toHaveCount(0);
  await expect(outdatedRows).toHaveCount(0);
  await page.getByRole('checkbox', { name: `Select ${firstRow}` }).check();
  await page.getByRole('button', { name: 'Keep all' }).click();
  await expect(page.getByText('70 of 70 domains reviewed')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(`${veryHigh + 1} of 70 domains reviewed`)).toBeVisible();
});

test('a decision that cannot be saved is taken back with a message, and presses during a slow request are all saved', async ({
  page,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 6);
  await signInAsNewUser(page);
  const { reportId } = await createReport(page, names);
  await page.goto(`/reports/${reportId}`);
  await expect(page.locator('[data-row]')).toHaveCount(6);
  const domains = await page
    .locator('[data-row]')
    .evaluateAll((rows) => rows.map((one) => one.getAttribute('data-row') ?? ''));
  const [first = '', second = '', third = ''] = domains;
  await page.route('**/decisions', onlyMethod('PUT', serverError));
  await decisionOf(page, first, 'Disavow').click();
  await expect(toastOf(page)).toContainText('Decision Not Saved');
  await expect(decisionOf(page, first, 'Disavow')).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByText('0 of 6 domains reviewed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  await page.unrouteAll();

  const release = await holdRequests(page, '**/decisions');
  await decisionOf(page, first, 'Disavow').click();
  await decisionOf(page, second, 'Keep').click();
  await decisionOf(page, third, 'Remove').dblclick();
  await decisionOf(page, first, 'Remove').click();
  await expect(page.getByText('2 of 6 domains reviewed')).toBeVisible();
  release();
  await expect
    .poll(async () => {
      const { domains } = await (await page.request.get(`/api/reports/${reportId}/domains?sort=review`)).json();
      return domains.map(({ decision }: { decision: string | null }) => decision).slice(0, 3);
    })
    .toEqual(['remove', 'keep', null]);
});

test('a report of someone else and a wrong address are not found', async ({ page, browser }) => {
  const names = (await getSampleDomains(page)).slice(0, 3);
  await signInAsNewUser(page);
  const { reportId, websiteId } = await createReport(page, names);
  const other = await (await browser.newContext()).newPage();
  await signInAsNewUser(other);
  for (const path of [`/reports/${reportId}`, '/reports/none']) {
    await other.goto(path);
    await expect(other.getByRole('heading', { name: 'Report not found' })).toBeVisible();
  }
  await other.goto(`/websites/${websiteId}/disavow`);
  await expect(other.getByRole('heading', { name: 'Website not found' })).toBeVisible();
});

test('a wrong disavow file is explained beside the picker, and a website can start without a file', async ({
  page,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 3);
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, names);
  await page.goto(`/websites/${websiteId}/disavow`);
  const table = {
    name: 'links.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Source URL,Target URL\na.example,b.example\n'),
  };
  await chooseFile(page, 'Choose a disavow file', table);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('This is a table, such as a backlink export, not a disavow file.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove links.csv' }).click();
  await page.getByRole('button', { name: 'I have no disavow file yet' }).click();
  await expect(page.getByRole('heading', { name: 'no-disavow-file.txt' })).toBeVisible();
  await expect(page.getByText('Merging changes nothing.')).toBeVisible();

  const text = { name: 'second.txt', mimeType: 'text/plain', buffer: Buffer.from(`domain:${names[0]}\n`) };
  await page.getByRole('button', { name: 'Upload another file' }).click();
  await chooseFile(page, 'Choose a disavow file', text);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: 'Compare second.txt with the file before' }).click();
  await expect(page.getByText('Added: 1 entry')).toBeVisible();
  await page.getByRole('button', { name: `Take back ${names[0]}` }).click();
  await expect(page.getByText('takes back 1 line')).toBeVisible();
  await page.getByRole('button', { name: 'Delete second.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByRole('heading', { name: 'no-disavow-file.txt' })).toBeVisible();
});

test('Undo gives a line its status back and restores the decisions that Take back replaced', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 3);
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, names);
  const [parent = '', other = ''] = names;
  const child = `blog.${parent}`;
  const decide = (domains: string[], decision: string) =>
    page.request.put(`/api/profiles/${websiteId}/decisions`, {
      data: { domains, decision },
      headers: sameOriginHeaders,
    });
  await decide([parent, other], 'disavow');
  await decide([child], 'keep');
  const readDecisions = async () => {
    const { decisions } = await (await page.request.get(`/api/profiles/${websiteId}/decisions`)).json();
    return Object.fromEntries(
      decisions.map(({ domain, decision }: { domain: string; decision: string }) => [domain, decision]),
    );
  };
  await page.goto(`/websites/${websiteId}/disavow`);
  const lines = [`domain:${parent}`, `domain:${other}`, `http://page.${child}/post`, 'http://192.0.2.1/post', ''];
  const file = { name: 'disavow.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) };
  await chooseFile(page, 'Choose a disavow file', file);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('button', { name: /^Whole file/ }).click();
  const rows = page.getByRole('table', { name: 'Lines of the disavow file' }).getByRole('row');
  const line = (text: string) => rows.filter({ has: page.getByText(text, { exact: true }) });
  await expect(line('http://192.0.2.1/post')).toContainText('Stays, not listed');
  await expect(line('http://192.0.2.1/post').getByRole('button')).toHaveCount(0);

  await page.getByRole('button', { name: `Take back ${other}` }).click();
  await expect(line(`domain:${other}`)).toContainText('Taken back');
  expect(await readDecisions()).toEqual({ [parent]: 'disavow', [other]: 'keep', [child]: 'keep' });
  await page.getByRole('button', { name: `Undo taking back ${other}` }).click();
  await expect(line(`domain:${other}`)).toContainText('Stays');
  expect(await readDecisions()).toEqual({ [parent]: 'disavow', [other]: 'disavow', [child]: 'keep' });

  await expect(line(`domain:${parent}`)).toContainText(`You decided to keep ${child}.`);
  await expect(line(`http://page.${child}/post`)).toContainText('Taken back');
  await line(`domain:${parent}`)
    .getByRole('button', { name: `Undo taking back ${child}` })
    .click();
  await expect(line(`domain:${parent}`)).toContainText('Stays');
  await expect(line(`http://page.${child}/post`)).toContainText('Left out, redundant');
  expect(await readDecisions()).toEqual({ [parent]: 'disavow', [other]: 'disavow' });
});

test('a line about the own website has a red warning and no fix', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 3);
  const [first = ''] = names;
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, names);
  const websites = await (await page.request.get('/api/profiles')).json();
  const { domain } = websites.find(({ id }: { id: number }) => id === websiteId);
  await page.goto(`/websites/${websiteId}/disavow`);
  const lines = [`domain:${domain}`, `http://${first}/`, `${domain},`];
  const file = { name: 'disavow.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) };
  await chooseFile(page, 'Choose a disavow file', file);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText(`Line 1, “domain:${domain}”, disavows your own website.`)).toBeVisible();
  const table = page.getByRole('table', { name: 'Lines of the disavow file' });
  await page.getByRole('button', { name: /^Whole file/ }).click();
  await expect(table).toContainText(`Write domain:${first}`);
  await expect(table).not.toContainText(`Write domain:${domain}`);
  expect(await findViolations(page)).toEqual([]);
});

test('deleting an older disavow file leaves the shown one, and a website card leads to the files', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 1);
  await signInAsNewUser(page);
  await createReport(page, names);
  await page.goto('/risk-assessment?tab=reports');
  await page.getByRole('link', { name: /^Build disavow file for / }).click();
  for (const name of ['first.txt', 'second.txt', 'third.txt']) {
    await expect(page.getByRole('heading', { name: 'Should I disavow?' })).toBeVisible();
    const another = page.getByRole('button', { name: 'Upload another file' });
    if (name !== 'first.txt') await another.click();
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(`domain:${names[0]}\n`) };
    await chooseFile(page, 'Choose a disavow file', file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await page.getByRole('button', { name: 'second.txt', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'second.txt' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete first.txt' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByRole('button', { name: 'first.txt', exact: true })).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'second.txt' })).toBeVisible();
});
