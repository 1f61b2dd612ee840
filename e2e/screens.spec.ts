import { expect, type Page } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { buildDomainList, createRandom, generateNames } from '../server/operations/demo/files.ts';
import {
  openScreen,
  prepareAdminScreens,
  prepareUserScreens,
  prepareVisitorScreens,
  type Screen,
} from './all-screens.ts';
import { colorRules, findViolations, narrowRules } from './axe.ts';
import { expectTexts } from './expect-texts.ts';
import { maxLayoutShift, readLayoutShifts, recordLayoutShifts } from './layout-shift.ts';
import { importCsv } from './sample-data.ts';
import { test } from './test.ts';

/**
 * `SCREENS=screens npm run test:e2e -- screens` saves a picture of every screen, role, theme and width in this folder.
 */
const folder = process.env.SCREENS;

const computer = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** How a screen is looked at after it has opened in the light theme on a computer, and the axe rules for it. */
const views: { theme: 'light' | 'dark'; size: typeof phone; rules?: string[] }[] = [
  { theme: 'light', size: computer },
  { theme: 'dark', size: computer, rules: colorRules },
  { theme: 'dark', size: phone, rules: narrowRules },
];
if (folder) views.push({ theme: 'light', size: phone, rules: narrowRules });

// The tests of this file are the slowest, so they are spread over the workers.
test.describe.configure({ mode: 'parallel' });
// Another time zone than that of the server, which the first pages do not know.
test.use({ viewport: computer, colorScheme: 'light', timezoneId: 'America/Los_Angeles' });

// The screens of each role are distributed over several tests of about the same duration.
for (const [role, prepare, parts] of [
  ['user', prepareUserScreens, 4],
  ['admin', prepareAdminScreens, 2],
  ['visitor', prepareVisitorScreens, 1],
] as const) {
  for (let part = 0; part < parts; part++) {
    test(`${role} screens have their texts and pass axe in both themes and widths (${part + 1} of ${parts})`, async ({
      page,
    }) => {
      test.setTimeout(300_000);
      if (folder) {
        const random = createRandom(3);
        await importCsv(page, buildDomainList(generateNames(3000, random), random));
      }
      const screens = await prepare(page);
      await recordLayoutShifts(page);
      for (const screen of screens.filter((_, index) => index % parts === part)) await checkScreen(page, role, screen);
    });
  }
}

/**
 * Expects the texts of the specification, no axe violations, no horizontal scrolling, no parts that move while the
 * screen loads, no script errors and no violations of the Content Security Policy. The screen opens once for all views.
 * The expectations are soft, so that one run reports every failure.
 */
async function checkScreen(page: Page, role: string, screen: Screen): Promise<void> {
  const pageErrors: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (line) => line.text().includes('Content Security Policy') && pageErrors.push(line.text()));
  page.on('pageerror', (error) => pageErrors.push(error.message));
  await page.setViewportSize(computer);
  await page.emulateMedia({ colorScheme: 'light' });
  await openScreen(page, screen);
  const { sum, moved } = await readLayoutShifts(page);
  expect.soft(sum, `${screen.name} moves while it loads:\n${moved}`).toBeLessThanOrEqual(maxLayoutShift);
  await disableTransitions(page);
  for (const situation of screen.texts ?? []) await expectTexts(page, situation);
  for (const { theme, size, rules } of views) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme });
    await waitForTheme(page, theme);
    const label = `${screen.name}, ${theme}, ${size.width} px`;
    if (folder) {
      // The page behind a dialog does not scroll, so a full-page picture would show parts that no user can see.
      const fullPage = (await page.getByRole('dialog').count()) === 0;
      await page.screenshot({ path: `${folder}/${screen.name}-${role}-${theme}-${size.width}.png`, fullPage });
    }
    expect.soft(await findViolations(page, rules), label).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${label}: scrolls horizontally`).toBeLessThanOrEqual(0);
  }
  expect.soft(pageErrors, screen.name).toEqual([]);
  await page.unrouteAll();
}

/** Waits until the theme is painted, because colors and sizes are measured on the painted page. */
async function waitForTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await waitForReady(page);
}

/** Disables transitions. With them, a theme change passes from parents to children and takes many frames. */
async function disableTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
  });
}
