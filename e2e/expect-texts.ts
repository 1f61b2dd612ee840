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
  'admin navigation': (page) => page.getByRole('navigation', { name: 'Admin', exact: true }),
  'table headings': (page) => page.getByRole('columnheader'),
};

/** Expects every text of the situation in its place, and waits for it. */
export async function expectTexts(page: Page, situation: Situation): Promise<void> {
  const expected: SpecTexts = allTexts[situation];
  await expect
    // Reading fails while the browser navigates. The next attempt reads the new page.
    .poll(() => missingTexts(page, expected).catch(({ message }: Error) => [message]), {
      message: `${situation} (${expected.from})`,
      intervals: [50, 100, 200, 500],
    })
    .toEqual([]);
}

/**
 * Returns the texts that are missing on the screen, each with its place.
 *
 * A text is found if it is the whole text of an element, an accessible name, a placeholder or an option. A phrase of
 * three or more words may also be part of a longer text, between word boundaries. All kinds of spaces and hyphens match
 * each other.
 */
export async function missingTexts(page: Page, { from: _, ...expected }: SpecTexts): Promise<string[]> {
  const missing: string[] = [];
  for (const place of Object.keys(places) as Place[]) {
    const phrases: readonly Phrase[] = expected[place] ?? [];
    if (phrases.length === 0) continue;
    const { elementTexts, fullText } = await places[place](page).evaluateAll(readTexts);
    for (const phrase of phrases) {
      if (!isFound(phrase, elementTexts, fullText)) missing.push(`${place}: ${phrase}`);
    }
  }
  return missing;
}

function isFound(phrase: Phrase, elementTexts: readonly string[], fullText: string): boolean {
  if (typeof phrase !== 'string') return elementTexts.some((text) => phrase.test(text));
  if (elementTexts.includes(phrase)) return true;
  if (phrase.split(' ').length < 3) return false;
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\w)${escaped}(?!\\w)`).test(fullText);
}

/** Runs in the page. Returns the texts, labels and placeholders of visible elements in the roots, and the full text. */
function readTexts(roots: readonly Element[]): { elementTexts: string[]; fullText: string } {
  const normalize = (text: string | null | undefined) =>
    (text ?? '')
      .replace(/[\u00ad\u200b\u2060]/g, '')
      .replace(/[\u2010\u2011]/g, '-')
      .replace(/\s+/g, ' ')
      .trim();
  const isVisible = (element: Element) =>
    element.tagName === 'OPTION' || element.checkVisibility({ visibilityProperty: true });
  const getText = (element: Element) =>
    element instanceof HTMLElement && element.tagName !== 'OPTION' ? element.innerText : element.textContent;
  const elementTexts = roots
    .flatMap((root) => (root.childElementCount === 0 ? [root] : [...root.querySelectorAll('*')]))
    .filter(isVisible)
    .flatMap((element) => [getText(element), element.getAttribute('aria-label'), element.getAttribute('placeholder')]);
  return {
    elementTexts: elementTexts.map(normalize).filter(Boolean),
    fullText: normalize(roots.map(getText).join('\n')),
  };
}
