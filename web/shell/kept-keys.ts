import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isSingleKey, isTyping } from '../platform/keys.ts';

/** How long keys are kept, in milliseconds. The user may have moved on after that. */
const maxAgeMs = 30_000;

/**
 * Keeps keys that are pressed before their field exists, and repeats them when it does: text for a dialog that is still
 * opening, and `/` with the text after it while a screen loads. A click, Escape or Tab drops them.
 * @param isOpening whether a dialog with a text field was requested and does not have the focus yet
 */
export function useKeptKeys(isOpening: () => boolean): void {
  const router = useRouter();
  useEffect(() => {
    const root = document.documentElement;
    const early = window.earlyPresses;
    early?.stop();
    let kept = early?.presses.splice(0).flatMap(({ event }) => (event instanceof KeyboardEvent ? [event] : [])) ?? [];
    const drop = () => {
      kept = [];
    };
    const load = () => import('./early-presses.ts');
    const keep = (event: KeyboardEvent) => {
      void load().catch(drop);
      kept.push(event);
      event.preventDefault();
      event.stopPropagation();
    };
    const repeat = () => load().then(({ repeatKeys }) => repeatKeys(kept.splice(0)), drop);

    /** Before the listeners of the screen, which is the previous one while the next one loads. */
    const keepFirst = (event: KeyboardEvent) => {
      const isElsewhere = event.key === 'Escape' || event.key === 'Tab';
      if (isElsewhere || kept.some(({ timeStamp }) => event.timeStamp - timeStamp > maxAgeMs)) drop();
      if (isOpening()) return isText(event) ? keep(event) : undefined;
      if (isTyping(event.target)) return;
      const { location, resolvedLocation } = router.state;
      const isLeaving = location.href !== resolvedLocation?.href && event.key === '/' && isSingleKey(event);
      if (isLeaving || (kept.length > 0 && isText(event))) keep(event);
    };
    /** After all other listeners: the screen has no search field yet. */
    const keepUnhandled = (event: KeyboardEvent) => {
      if (event.key === '/' && isSingleKey(event) && !root.hasAttribute('data-ready')) keep(event);
    };
    const repeatInDialog = ({ target }: FocusEvent) => {
      if (kept.length > 0 && isTyping(target) && !isOpening()) void repeat();
    };
    const ready = new MutationObserver(() => {
      if (kept.length > 0 && root.hasAttribute('data-ready') && !isOpening()) void repeat();
    });

    document.addEventListener('keydown', keepFirst, true);
    window.addEventListener('keydown', keepUnhandled);
    document.addEventListener('pointerdown', drop);
    document.addEventListener('focusin', repeatInDialog);
    ready.observe(root, { attributeFilter: ['data-ready'] });
    return () => {
      document.removeEventListener('keydown', keepFirst, true);
      window.removeEventListener('keydown', keepUnhandled);
      document.removeEventListener('pointerdown', drop);
      document.removeEventListener('focusin', repeatInDialog);
      ready.disconnect();
    };
  }, [router, isOpening]);
}

/** Whether a key press changes the text of a field, or submits it. */
function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Backspace' || key === 'Enter');
}
