import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser } from './accounts.ts';
import { delayResponses, maxLayoutShift, readLayoutShifts, recordLayoutShifts } from './layout-shift.ts';
import { changeResponse, noPendingWork } from './mock-responses.ts';
import { createReport, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const adminScreens = [
  '/admin',
  '/admin/submissions',
  '/admin/held',
  '/admin/inbox',
  '/admin/panel?tab=import',
  '/admin/panel?tab=database',
  '/admin/feeds',
  '/admin/sources',
  '/admin/panel?tab=users',
  '/admin/profiles',
  '/admin/panel?tab=audit',
  '/admin/panel?tab=jobs',
  '/admin/panel?tab=system',
];

const files = /\/assets\//;
/** With calls of the API, pages are served without content, as when the server could not render them. */
const filesAndCalls = /\/(?:api|assets)\//;

/** Loads each screen slowly, and expects that nothing on it moves meanwhile. */
async function expectNoShifts(page: Page, paths: readonly string[], delayed = files): Promise<void> {
  await recordLayoutShifts(page);
  await expectNoShiftsOn(page, paths, await delayResponses(page, delayed));
}

async function expectNoShiftsOn(page: Page, paths: readonly string[], resetDelay = () => {}): Promise<void> {
  for (const path of paths) {
    // Another page first, because a change of the hash alone does not load the page.
    await page.goto('about:blank');
    resetDelay();
    await openReady(page, path);
    const { sum, moved } = await readLayoutShifts(page);
    expect.soft(sum, `${path}:\n${moved}`).toBeLessThanOrEqual(maxLayoutShift);
  }
}

for (const [device, viewport] of [
  ['a computer', { width: 1440, height: 900 }],
  ['a phone', { width: 375, height: 740 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });
    test.describe.configure({ mode: 'parallel', timeout: 300_000 });

    test('nothing moves while a screen of a visitor loads slowly', ({ page }) =>
      expectNoShifts(page, ['/', '/no-such-page']));

    test('nothing moves while a screen of a user loads slowly', async ({ page }) => {
      const names = await getSampleDomains(page);
      await signInAsNewUser(page);
      const { reportId, websiteId } = await createReport(page, names.slice(0, 20));
      await expectNoShifts(page, [
        '/',
        `/domains?search=${names[0]?.slice(0, 12)}`,
        '/risk-assessment',
        `/risk-assessment?result=${reportId}`,
        '/risk-assessment?tab=reports',
        '/submit-sites',
        '/account',
        '/account?tab=profile',
        `/reports/${reportId}`,
        `/websites/${websiteId}/disavow`,
        '/alerts',
      ]);
    });

    test('nothing moves while the account loads slowly after the app', async ({ page }) => {
      await signInAsNewUser(page);
      await expectNoShifts(page, ['/account', '/account?tab=notifications', '/account?tab=profile'], filesAndCalls);
    });

    test('nothing moves while the blacklist and the risk assessment load at full speed', async ({ page }) => {
      const names = await getSampleDomains(page);
      await signInAsNewUser(page);
      await createReport(page, names.slice(0, 10));
      await recordLayoutShifts(page);
      await expectNoShiftsOn(page, ['/domains', '/risk-assessment']);
      await signInAs(page, admin);
      await expectNoShiftsOn(page, ['/domains', '/risk-assessment']);
    });

    test('nothing moves while a screen of an admin loads slowly', async ({ page }) => {
      await signInAs(page, admin);
      // Other tests change what needs attention while a screen loads.
      const status = { ...noPendingWork, pendingSubmissions: 1, heldListings: 2, unreadMessages: 1 };
      await page.route('**/api/admin/status', (route) => route.fulfill({ json: status }));
      // A running job of another test would change the list.
      await changeResponse<{ jobs: { state: string }[] }>(page, '**/api/admin/jobs*', ({ jobs, ...response }) => ({
        ...response,
        jobs: jobs.filter(({ state }) => state !== 'running' && state !== 'waiting'),
      }));
      await expectNoShifts(page, ['/domains', ...adminScreens], filesAndCalls);
    });
  });
}
