import type { Page } from '@playwright/test';

/** How a page loads on a slow phone. Times are in milliseconds since the address was opened. */
export interface SlowLoad {
  firstPaint: number;
  /** When the largest text or picture was painted, which on these pages is the content. */
  content: number;
  /** Requests that had started by then. */
  requests: number;
  layoutShift: number;
}

/**
 * Opens a page with a sixth of the processor, 400 ms of latency, 400 kbit/s and an empty cache, and waits until it has
 * loaded.
 */
export async function measureSlowLoad(page: Page, url: string): Promise<SlowLoad> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const bytesPerSecond = 50_000;
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.goto(url, { timeout: 120_000 });
  await page.locator('html[data-ready]').waitFor({ timeout: 120_000 });
  return page.evaluate<SlowLoad>(readLoad);
}

/** Runs in the browser, whose types the programs of Node.js do not have. */
const readLoad = `(async () => {
  const observe = (type) =>
    new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true });
      setTimeout(() => resolve([]), 1000);
    });
  const content = (await observe('largest-contentful-paint')).at(-1)?.startTime ?? 0;
  const shifts = await observe('layout-shift');
  const requests = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < content);
  return {
    firstPaint: performance.getEntriesByName('first-paint')[0]?.startTime ?? 0,
    content,
    requests: requests.length + 1,
    layoutShift: shifts.reduce((sum, { value }) => sum + value, 0),
  };
})()`;
