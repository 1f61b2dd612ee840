import { expect, type Page } from '@playwright/test';

/** Lets the page read the clipboard. */
export const allowClipboard = (page: Page): Promise<void> =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

/** Expects that the clipboard contains exactly this text soon. */
export const expectClipboard = (page: Page, text: string | undefined): Promise<void> =>
  expect.poll(() => readClipboard(page)).toBe(text);

/** Expects that the clipboard soon contains a text with this part. */
export const expectInClipboard = (page: Page, part: string): Promise<void> =>
  expect.poll(() => readClipboard(page)).toContain(part);

/** Reads the clipboard, which all tests of a browser share. */
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
