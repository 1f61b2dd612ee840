import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';

/** Prints the page on A4 paper as the browser does. @returns the texts of the pages, with single spaces */
export async function printPages(page: Page): Promise<string[]> {
  const pdf = await page.pdf({ format: 'A4' });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: false });
  return text.map((one) => one.replace(/\s+/g, ' '));
}

/** Makes the page remember that it opened the print dialog, which a test cannot close. */
export async function watchPrintDialog(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  return async () => {
    await page.locator(':root[data-printed]').waitFor();
  };
}
