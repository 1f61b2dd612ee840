import { open } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';

/** Chooses a CSV file of this many megabytes, all of them holes that take no space on the disk. */
export async function chooseLargeFile(page: Page, megabytes: number): Promise<void> {
  // The browser reads the file when it is sent, so it stays until the next run.
  const path = test.info().outputPath('large.csv');
  const file = await open(path, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await chooser).setFiles(path);
}
