import { expect, test } from '@playwright/test';
import { demoList } from '../server/demo/demo-lists.ts';
import { chance, madeUpNames } from '../server/demo/made-up.ts';
import { adminScreens, looks, open, userScreens, visitorScreens } from './all-screens.ts';
import { importList } from './sample-data.ts';

/** Where the pictures go: `SCREENS=screens npm run test:e2e -- screens` makes one of every screen, role, theme and width. */
const folder = process.env.SCREENS;

test.skip(!folder, 'SCREENS names no folder.');

for (const [role, prepare] of [
  ['visitor', async () => visitorScreens],
  ['user', userScreens],
  ['admin', adminScreens],
] as const) {
  test(`pictures of each screen of the ${role}`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const made = chance(3);
    await importList(page, demoList(madeUpNames(3000, made), made));
    const screens = await prepare(page);
    await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0);
    for (const { theme, width, height } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      for (const screen of screens) {
        await open(page, screen);
        // Behind a dialog the page stands still: a taller picture would show what nobody sees.
        const fullPage = (await page.getByRole('dialog').count()) === 0;
        await page.screenshot({ path: `${folder}/${screen.name}-${role}-${theme}-${width}.png`, fullPage });
      }
    }
  });
}
