import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { admin, signIn, signUp } from './person.ts';
import { importSample, reportSample } from './sample-data.ts';

const looks = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 360, height: 740 },
  { theme: 'dark', width: 360, height: 740 },
] as const;

for (const look of looks) {
  const name = `${look.theme}, ${look.width} px`;
  test.describe(name, () => {
    test.setTimeout(240_000);
    test.use({
      colorScheme: look.theme,
      contextOptions: { reducedMotion: 'reduce' },
      viewport: { width: look.width, height: look.height },
    });

    test(`a visitor's screens (${name})`, async ({ page }) => {
      for (const path of ['/', '/auth', '/auth?tab=register', '/no-such-page']) await inspect(page, path);
    });

    test(`a user's screens (${name})`, async ({ page }) => {
      const names = await importSample(page);
      await signUp(page);
      const { profileId, reportId } = await reportSample(page, names.slice(0, 30));
      const { domains } = await (await page.request.get(`/api/domains?search=${names[0]}`)).json();
      for (const path of [
        '/dashboard',
        `/domains?search=${names[0]?.slice(0, 12)}&riskLevel=high&sort=risk-desc`,
        '/domains?search=there-is-no-such-name',
        `/domains?domain=${domains[0].id}`,
        '/risk-assessment',
        '/risk-assessment?tab=reports',
        `/risk-assessment?result=${reportId}`,
        `/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`,
        '/account',
        '/admin/panel',
      ]) {
        await inspect(page, path);
      }
    });

    test(`an admin's screens (${name})`, async ({ page }) => {
      await importSample(page);
      await signIn(page, admin);
      for (const path of [
        '/domains',
        '/domains?dialog=add',
        '/domains?dialog=import',
        '/admin',
        '/admin/panel',
        '/admin/panel?tab=database',
        '/admin/panel?tab=users',
        '/admin/panel?tab=system',
      ]) {
        await inspect(page, path);
      }
    });
  });
}

/** Opens a screen, waits until it has settled, and expects no broken script or policy, nothing from axe, no sideways scrolling. */
async function inspect(page: Page, path: string): Promise<void> {
  const faults: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (line) => line.text().includes('Content Security Policy') && faults.push(line.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  expect(found, path).toEqual([]);
  expect(faults, path).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(sideways, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
}
