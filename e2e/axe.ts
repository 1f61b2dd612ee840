import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

type AxeWindow = Window & { axe?: typeof axe };

/** Half as long as `axe.source`, because each page has to read it. */
const source = readFileSync(join(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');

/** The rules that a change of theme can break, because it changes only colors. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/** The rules that a narrow screen can break: the names of what only it shows, and parts that scroll there. */
export const narrowRules = ['button-name', 'link-name', 'label', 'scrollable-region-focusable'];

/**
 * Returns the axe violations of the page, or only of the open dialog, because the page behind it is dimmed on purpose.
 * @param rules ids of the rules to check; all rules by default
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  return page.evaluate(async (only) => {
    const { axe: loaded } = window as AxeWindow;
    if (!loaded) throw new Error('axe is not loaded on this page.');
    const { violations } = await loaded.run(document.querySelector('[role="dialog"]') ?? document, {
      resultTypes: ['violations'],
      selectors: false,
      ...(only && { runOnly: only }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }, rules);
}
