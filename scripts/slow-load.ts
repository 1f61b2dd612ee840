import type { Page } from '@playwright/test';

/** How a page loads on a slow phone. Times are in milliseconds since the address was opened. */
export interface SlowLoad {
  firstPaint: number;
  /** When the largest text or picture was painted, which on these pages is the content. */
  content: number;
  /** Requests that had started by then. */
  requests: number;
  layoutShift: number;
  /** From a press of the account menu or the theme menu to the next paint. */
  interaction: number;
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
  const load = await page.evaluate<Omit<SlowLoad, 'interaction'>>(readLoad);
  const press = page.evaluate<number>(waitForPress);
  const menu = page.getByRole('banner').getByRole('button', { name: /^(?:Account menu|Theme)/ });
  await menu.last().click();
  return { ...load, interaction: await press };
}

/** Resolves with the duration of the next press, which is a multiple of 8 ms (https://w3c.github.io/event-timing/). */
const waitForPress = `new Promise((resolve) => {
  const presses = new Set(['pointerdown', 'pointerup', 'click']);
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (presses.has(name)) longest = Math.max(longest, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  addEventListener('click', () => setTimeout(() => resolve(longest), 1000), { once: true, capture: true });
})`;

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
