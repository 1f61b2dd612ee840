import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { adminScreens, open, type Screen, userScreens, visitorScreens } from './all-screens.ts';

/** One sign-in and one set of samples a role and width; each screen is looked at in both themes, which change under it. */
for (const [role, prepare] of [
  ['visitor', async () => visitorScreens],
  ['user', userScreens],
  ['admin', adminScreens],
] as const) {
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    test.describe(`${width} px`, () => {
      test.setTimeout(360_000);
      test.use({ contextOptions: { reducedMotion: 'reduce' }, viewport: { width, height } });
      test(`axe finds nothing on each screen of the ${role}, light and dark`, async ({ page }) => {
        for (const screen of await prepare(page)) await inspect(page, screen);
      });
    });
  }
}

/** Expects no broken script or policy, nothing from axe, no sideways scrolling. Faults are gathered: one run names them all. */
async function inspect(page: Page, screen: Screen): Promise<void> {
  const faults: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (line) => line.text().includes('Content Security Policy') && faults.push(line.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, screen);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    // Colours are measured on what is painted, not on the way there.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    // Without the second page that frames of other sites would need: there are none.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    // What lies under a dialog is dimmed on purpose, and looked at on a screen of its own.
    if ((await page.getByRole('dialog').count()) > 0) axe.include('[role="dialog"]');
    // A theme changes colours and nothing else: what does not ask for them is asked once.
    const { violations } = await (theme === 'light'
      ? axe
      : axe.withRules(['color-contrast', 'link-in-text-block'])
    ).analyze();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
    );
    expect.soft(found, `${screen.name}, ${theme}`).toEqual([]);
  }
  expect.soft(faults, screen.name).toEqual([]);
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(sideways, `${screen.name} scrolls sideways`).toBeLessThanOrEqual(0);
}
