import { expect, type Page, test } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { buildDomainList, createRandom, generateNames } from '../server/demo/files.ts';
import { adminScreens, open, type Screen, userScreens, visitorScreens } from './all-screens.ts';
import { colourRules, findViolations } from './axe.ts';
import { expectTexts } from './expect-texts.ts';
import { importList } from './sample-data.ts';

/** Where pictures go: `SCREENS=screens npm run test:e2e -- screens` makes one of every screen, role, theme and width. */
const folder = process.env.SCREENS;

const sizes = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
];

// The tests of this file are the longest of all: no worker gets them all.
test.describe.configure({ mode: 'parallel' });
test.use({ viewport: sizes[0] });

// Each role's screens are shared out, one by one, among tests of about the same length.
for (const [role, prepare, parts] of [
  ['visitor', visitorScreens, 2],
  ['user', userScreens, 4],
  ['admin', adminScreens, 3],
] as const) {
  for (let part = 0; part < parts; part++) {
    test(`each screen of the ${role} has its texts and suits everybody, light and dark, wide and narrow (${part + 1} of ${parts})`, async ({
      page,
    }) => {
      test.setTimeout(300_000);
      if (folder) {
        const made = createRandom(3);
        await importList(page, buildDomainList(generateNames(3000, made), made));
      }
      const screens = await prepare(page);
      for (const screen of screens.filter((_, at) => at % parts === part)) await inspect(page, role, screen);
    });
  }
}

/**
 * Expects the texts of the specification, nothing from axe, no sideways scrolling, no broken script or policy. One visit serves
 * both widths and themes, which change under it. Faults are gathered: one run names them all.
 */
async function inspect(page: Page, role: string, screen: Screen): Promise<void> {
  const faults: string[] = [];
  page.removeAllListeners('console').removeAllListeners('pageerror');
  page.on('console', (line) => line.text().includes('Content Security Policy') && faults.push(line.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  let isOpen = false;
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      if (!isOpen) {
        await open(page, screen);
        await endTransitions(page);
        for (const situation of screen.texts ?? []) await expectTexts(page, situation);
        isOpen = true;
      }
      const look = `${screen.name}, ${theme}, ${size.width} px`;
      await waitForLook(page, theme);
      if (folder) {
        // The page behind a dialog does not scroll: a taller picture would show what nobody sees.
        const fullPage = (await page.getByRole('dialog').count()) === 0;
        await page.screenshot({ path: `${folder}/${screen.name}-${role}-${theme}-${size.width}.png`, fullPage });
      }
      expect.soft(await findViolations(page, theme === 'dark' ? colourRules : undefined), look).toEqual([]);
    }
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(sideways, `${screen.name} scrolls sideways at ${size.width} px`).toBeLessThanOrEqual(0);
  }
  expect.soft(faults, screen.name).toEqual([]);
}

/** Colours and sizes are measured on what is painted, not on the way there. */
async function waitForLook(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await waitForReady(page);
}

/** A change of theme passes from parent to child, a transition for each, however short: a page would take many frames. */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
  });
}
