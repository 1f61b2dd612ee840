import { expect, test } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { delayResponses, maxLayoutShift, readLayoutShifts, recordLayoutShifts } from './layout-shift.ts';
import { createReport, importSampleDomains } from './sample-data.ts';

for (const [device, viewport] of [
  ['a computer', { width: 1440, height: 900 }],
  ['a phone', { width: 375, height: 740 }],
] as const) {
  test(`nothing moves while a screen loads slowly on ${device}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize(viewport);
    await recordLayoutShifts(page);
    const resetDelay = await delayResponses(page);
    const open = async (path: string) => {
      resetDelay();
      await openReady(page, path);
      const { sum, moved } = await readLayoutShifts(page);
      expect.soft(sum, `${path}:\n${moved}`).toBeLessThanOrEqual(maxLayoutShift);
    };
    const names = await importSampleDomains(page, 30);
    await open('/');
    await open('/no-such-page');
    await signInAsNewUser(page);
    const { reportId, profileId } = await createReport(page, names.slice(0, 20));
    const results = `/risk-assessment?result=${reportId}`;
    const list = `/domains?search=${names[0]?.slice(0, 12)}`;
    for (const path of ['/', list, results, '/risk-assessment?tab=reports', '/submit-sites', '/account'])
      await open(path);
    for (const path of [`/reports/${reportId}`, `/websites/${profileId}/disavow`, '/alerts']) await open(path);
    await open('/account?tab=security');
  });
}
