import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** The sum of layout shifts that a screen may have while it loads. */
export const maxLayoutShift = 0.02;

interface Shift {
  value: number;
  /** What moved: the element, and its left, top, width and height before and after. */
  moved: string[];
}

/** Records the layout shifts of pages that are opened later, except those within half a second of a press. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { layoutShifts: shifts });
    const describe = ({ node, previousRect, currentRect }: Source) => {
      const element = node instanceof Element ? node : node?.parentElement;
      const place = ({ left, top, width, height }: DOMRectReadOnly) =>
        [left, top, width, height].map(Math.round).join(' ');
      return `${element?.tagName}.${element?.className} "${element?.textContent?.slice(0, 20)}" ${place(previousRect)} -> ${place(currentRect)}`;
    };
    const record = (list: PerformanceObserverEntryList) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (!hadRecentInput) shifts.push({ value, moved: sources.map(describe) });
      }
    };
    new PerformanceObserver(record).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Returns the sum of the layout shifts of the open page, and what moved. */
export async function readLayoutShifts(page: Page): Promise<{ sum: number; moved: string }> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { layoutShifts: Shift[] }).layoutShifts);
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join(', ')}`).join('\n'),
  };
}

/**
 * Delays each response with such a URL a little more than the one before, so that no two parts of a screen appear
 * together.
 * @returns a function to call before each page load
 */
export async function delayResponses(page: Page, urls: RegExp): Promise<() => void> {
  let delayMs = 0;
  await page.route(urls, async (route) => {
    delayMs += 10;
    await delay(delayMs);
    await route.fallback();
  });
  return () => {
    delayMs = 0;
  };
}

interface Source {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

/** https://developer.mozilla.org/docs/Web/API/LayoutShift, which TypeScript does not know. */
interface Entry extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: Source[];
}
