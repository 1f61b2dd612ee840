import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { type Page, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { admin, enter, fileOf, join, noOtherImports, unique } from './person.ts';
import { importSample, reportSample } from './sample-data.ts';

/** Chooses a file of this many megabytes, all of it holes. */
async function chooseHoles(page: Page, megabytes: number): Promise<void> {
  const folder = await mkdtemp(joinPath(tmpdir(), 'linksieve-holes-'));
  const path = joinPath(folder, 'list.csv');
  const file = await open(path, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await chooser).setFiles(path);
  await rm(folder, { recursive: true });
}

async function choose(page: Page, file: ReturnType<typeof fileOf>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await chooser).setFiles(file);
}

test('the importer with files of other kinds and sizes', async ({ page }) => {
  await enter(page, admin);
  await page.goto('/admin/panel');
  await choose(page, fileOf('list.pdf', ['x']));
  await expectTexts(page, 'importer, another kind of file');
  await page.goto('/admin/panel');
  await chooseHoles(page, 60);
  await expectTexts(page, 'importer, a large file');
  await page.goto('/admin/panel');
  await chooseHoles(page, 201);
  await expectTexts(page, 'importer, too large a file');
});

test('an import under way', async ({ page }) => {
  await enter(page, admin);
  const job = {
    jobId: '3f8f7f3e-58c5-4c0c-9a5e-6f0a6d7b1c11',
    status: 'processing',
    progress: 40,
    imported: 1200,
    updated: 0,
    failedCount: 0,
    totalCount: 3000,
    processedCount: 1200,
    timeTaken: 14,
    message: '',
    fileName: 'list.csv',
    failures: [],
  };
  await page.route('**/api/domains/upload', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await route.fulfill({ status: 202, json: job });
  });
  await page.route('**/api/domains/import-status/*', (route) => route.fulfill({ json: job }));
  await page.goto('/admin/panel');
  await choose(page, fileOf('list.csv', ['domain,source', `${unique('new')}.example,crawler`]));
  await page.getByRole('button', { name: 'Start Import' }).click();
  await expectTexts(page, 'importer, uploading');
  await expectTexts(page, 'importer, processing');
});

test('an import that stands still', async ({ page }) => {
  await enter(page, admin);
  await page.clock.install();
  await page.route('**/api/domains/upload', () => undefined);
  await noOtherImports(page);
  await page.goto('/domains?dialog=import');
  await chooseHoles(page, 6);
  const sent = page.waitForRequest('**/api/domains/upload');
  await page.getByRole('dialog').getByRole('button', { name: 'Import', exact: true }).click();
  await sent;
  await page.clock.fastForward(301_000);
  await expectTexts(page, 'import timed out');
});

test('a blacklist without sources, and with dates that are missing or no dates', async ({ page }) => {
  const [name = ''] = await importSample(page, 2);
  await enter(page, admin);
  await page.route('**/api/domains/sources', (route) => route.fulfill({ json: [] }));
  await page.goto('/domains');
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await page.getByRole('form', { name: 'Advanced filters' }).getByLabel('Source', { exact: true }).first().click();
  await expectTexts(page, 'blacklist, no sources');
  const { domains } = await (await page.request.get(`/api/domains?search=${name}`)).json();
  await page.route(/\/api\/domains(\/\d+)?(\?|$)/, async (route) => {
    const body = await (await route.fetch()).json();
    const spoil = (domain: object) => ({ ...domain, dateAdded: 'some day', lastUpdated: null });
    await route.fulfill({ json: body.domains ? { ...body, domains: body.domains.map(spoil) } : spoil(body) });
  });
  await page.goto(`/domains?search=${name}`);
  await expectTexts(page, 'blacklist, dates');
  await page.goto(`/domains?domain=${domains[0].id}`);
  await expectTexts(page, 'domain details, dates');
});

test('a report that holds nothing', async ({ page }) => {
  await join(page);
  const { profileId, reportId } = await reportSample(page, []);
  await page.route(`**/api/reports/${reportId}`, async (route) => {
    const report = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...report, totalBacklinks: 0, uniqueDomains: 0, toxicDomains: 0, reportData: '[]' },
    });
  });
  await page.goto(`/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`);
  await expectTexts(page, 'report without data');
});
