import { open } from 'node:fs/promises';
import { type Page, test } from '@playwright/test';

export interface UploadFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Builds a CSV file for a file picker from its lines. */
export function buildCsvFile(name: string, lines: readonly string[]): UploadFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** Chooses a file, or several, in the picker that this button opens. */
export async function chooseFile(page: Page, button: string, file: UploadFile | UploadFile[] | string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(file);
}

/** Chooses a CSV file of this many megabytes. It is sparse, so it takes no disk space. */
export async function chooseLargeFile(page: Page, megabytes: number): Promise<void> {
  // The browser reads the file when it is uploaded, so it stays until the next run.
  const path = test.info().outputPath('large.csv');
  const file = await open(path, 'w');
  await file.truncate(megabytes * 1024 * 1024);
  await file.close();
  await chooseFile(page, 'Choose a CSV file', path);
}
