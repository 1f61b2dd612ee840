import { type RefObject, useEffect } from 'react';
import { isSingleKey } from '../lib/keys.ts';

/** Milliseconds after `g` in which a key is the second one of a pair that goes to another screen. */
const pairTime = 1500;
const buttons: Record<string, string> = { a: '[data-decide="approve"]', r: '[data-decide="reject"]' };

/** Lets A approve and R reject the card that has the focus somewhere within, by pressing its button. */
export function useCardKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let pairBegan = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const button = buttons[event.key.toLowerCase()];
      const isPair = event.timeStamp - pairBegan < pairTime;
      pairBegan = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!button || isPair || event.shiftKey || !isSingleKey(event) || !(event.target instanceof Element)) return;
      const card = event.target.closest('[data-submission]');
      if (!card || !list.current?.contains(card)) return;
      event.preventDefault();
      card.querySelector<HTMLButtonElement>(button)?.click();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [list]);
}
