import { expect, type Page, test } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser } from './accounts.ts';
import { maxLayoutShift, readLayoutShifts, recordLayoutShifts } from './layout-shift.ts';
import { createReport, importSampleDomains } from './sample-data.ts';

/** Emulates a slow phone on a slow network, where each response arrives on its own. */
async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true });
  const throughput = 200_000; // bytes per second
  const conditions = { offline: false, latency: 150, downloadThroughput: throughput, uploadThroughput: throughput };
  await browser.send('Network.emulateNetworkConditions', conditions);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

for (const [device, viewport] of [
  ['a computer', { width: 1440, height: 900 }],
  ['a phone', { width: 375, height: 740 }],
] as const) {
  test(`nothing moves while a screen loads slowly on ${device}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize(viewport);
    await recordLayoutShifts(page);
    const names = await importSampleDomains(page, 30);
    const open = async (path: string) => {
      await openReady(page, path);
      const { sum, moved } = await readLayoutShifts(page);
      expect.soft(sum, `${path} moves:\n${moved}`).toBeLessThanOrEqual(maxLayoutShift);
    };
    await slowDown(page);
    await open('/');
    await signInAsNewUser(page);
    const { reportId } = await createReport(page, names.slice(0, 20));
    for (const path of ['/', '/domains', '/account', `/risk-assessment?tab=reports`]) await open(path);
    await open(`/risk-assessment?result=${reportId}`);
    await signInAs(page, admin);
    await open('/admin/panel?tab=system');
  });
}
