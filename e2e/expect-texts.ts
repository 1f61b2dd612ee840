import { expect, type Page, type Route } from '@playwright/test';
import { publicTexts } from './spec-texts.ts';
import { adminTexts } from './spec-texts-admin.ts';
import { checkoutTexts } from './spec-texts-checkout.ts';
import { userTexts } from './spec-texts-user.ts';

const allTexts: Record<string, { from: string; texts: readonly string[] }> = {
  ...publicTexts,
  ...userTexts,
  ...adminTexts,
  ...checkoutTexts,
};

export type Situation =
  | keyof typeof publicTexts
  | keyof typeof userTexts
  | keyof typeof adminTexts
  | keyof typeof checkoutTexts;

/** Expects every text that the specification has for this situation, on the screen as it stands now or in a moment. */
export async function expectTexts(page: Page, situation: Situation): Promise<void> {
  const { from = '', texts = [] } = allTexts[situation] ?? {};
  const missing = async () => {
    const words = await wordsOn(page);
    return texts.filter((text) => !words.includes(text));
  };
  await expect.poll(missing, { message: `${situation} (${from})`, intervals: [50, 100, 200, 500] }).toEqual([]);
}

/** What a person reads: the visible words, the choices of selects, and the names that stand only in attributes. */
function wordsOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const named = [...document.querySelectorAll<HTMLElement>('[aria-label], [placeholder], option')];
    const names = named
      .filter((element) => element.tagName === 'OPTION' || element.checkVisibility())
      .map((element) => {
        const text = element.tagName === 'OPTION' ? element.textContent : '';
        return [text, element.getAttribute('aria-label'), element.getAttribute('placeholder')].join('\n');
      });
    return [document.querySelector('body')?.innerText, ...names].join('\n').replaceAll('\u00a0', ' ');
  });
}

/** How a call goes wrong: with an answer that says nothing, as when a proxy stands in for a broken server. */
export const broken = (route: Route) => route.fulfill({ status: 500, json: { error: '', code: 'internal' } });

/** How a call never arrives. */
export const unreachable = (route: Route) => route.abort();

/** How a call takes its time. */
export const slow = async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await route.continue();
};
