import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

/** Chooses a CSV file of this many megabytes, all of them holes that take no space on the disk. */
export async function chooseLargeFile(page: Page, megabytes: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-e2e-file-'));
  const path = join(folder, 'large.csv');
  const file = await open(path, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a CSV file' }).click();
  await (await chooser).setFiles(path);
  await rm(folder, { recursive: true });
}
