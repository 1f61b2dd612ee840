import { expect, type Locator, type Page } from '@playwright/test';
import { toastOf } from './accounts.ts';
import { type Phrase, type Place, publicTexts, type SpecTexts } from './spec-texts.ts';
import { adminTexts } from './spec-texts-admin.ts';
import { checkoutTexts } from './spec-texts-checkout.ts';
import { userTexts } from './spec-texts-user.ts';

export const allTexts = { ...publicTexts, ...userTexts, ...adminTexts, ...checkoutTexts };

export type Situation = keyof typeof allTexts;

const places: Record<Place, (page: Page) => Locator> = {
  header: (page) => page.getByRole('banner'),
  main: (page) => page.getByRole('main'),
  footer: (page) => page.getByRole('contentinfo'),
  menu: (page) => page.getByRole('menu'),
  dialog: (page) => page.getByRole('dialog'),
  toast: toastOf,
  'table headings': (page) => page.getByRole('columnheader'),
};

/** Waits until the screen has every text of the situation, each in its place. */
export async function expectTexts(page: Page, situation: Situation): Promise<void> {
  const expected: SpecTexts = allTexts[situation];
  await expect
    // A page that is being left cannot be read; the next one can.
    .poll(() => missingTexts(page, expected).catch(({ message }: Error) => [message]), {
      message: `${situation} (${expected.from})`,
      intervals: [50, 100, 200, 500],
    })
    .toEqual([]);
}

/**
 * The texts that the screen lacks now, each with its place.
 *
 * A text is found if it is all that an element shows, an accessible name, a placeholder or an option. A sentence of three
 * words or more may also be part of a longer text, between word boundaries. White space and hyphens of all kinds are equal.
 */
export async function missingTexts(page: Page, { from: _, ...expected }: SpecTexts): Promise<string[]> {
  const missing: string[] = [];
  for (const place of Object.keys(places) as Place[]) {
    const phrases: readonly Phrase[] = expected[place] ?? [];
    if (phrases.length === 0) continue;
    const { whole, all } = await places[place](page).evaluateAll(readWords);
    for (const phrase of phrases) {
      if (!isFound(phrase, whole, all)) missing.push(`${place}: ${phrase}`);
    }
  }
  return missing;
}

function isFound(phrase: Phrase, whole: readonly string[], all: string): boolean {
  if (typeof phrase !== 'string') return whole.some((text) => phrase.test(text));
  if (whole.includes(phrase)) return true;
  if (phrase.split(' ').length < 3) return false;
  const literally = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\w)${literally}(?!\\w)`).test(all);
}

/** Runs in the page. `whole` has the text and the names of each visible element inside, `all` the text of all of them. */
function readWords(roots: readonly Element[]): { whole: string[]; all: string } {
  const plain = (text: string | null | undefined) =>
    (text ?? '')
      .replace(/[\u00ad\u200b\u2060]/g, '')
      .replace(/[\u2010\u2011]/g, '-')
      .replace(/\s+/g, ' ')
      .trim();
  const isVisible = (element: Element) =>
    element.tagName === 'OPTION' || element.checkVisibility({ visibilityProperty: true });
  const textOf = (element: Element) =>
    element instanceof HTMLElement && element.tagName !== 'OPTION' ? element.innerText : element.textContent;
  const whole = roots
    .flatMap((root) => (root.childElementCount === 0 ? [root] : [...root.querySelectorAll('*')]))
    .filter(isVisible)
    .flatMap((element) => [textOf(element), element.getAttribute('aria-label'), element.getAttribute('placeholder')]);
  return { whole: whole.map(plain).filter(Boolean), all: plain(roots.map(textOf).join('\n')) };
}
