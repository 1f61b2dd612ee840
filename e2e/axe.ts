import type { Page } from '@playwright/test';
import axe from 'axe-core';

type AxeWindow = Window & { axe?: typeof axe };

/** What a change of theme alone can break: it changes colours and nothing else. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Violations that axe finds on the page, or in the dialog that is open: the page below it is dimmed on purpose.
 * @param rules the rules to check; all of them without it
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (only) => {
    const { axe: ready } = window as AxeWindow;
    if (!ready) throw new Error('axe is not on this page.');
    const { violations } = await ready.run(document.querySelector('[role="dialog"]') ?? document, {
      resultTypes: ['violations'],
      selectors: false,
      ...(only && { runOnly: only }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  }, rules);
}
