import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dialogIsOpen, isSingleKey } from '../lib/single-keys.ts';
import { paths } from '../paths.ts';
import { openKeyboardHelp, openPalette } from './overlay.ts';

/** Milliseconds in which the second key of a pair counts. */
const pairTime = 1500;

/** Where `g` and a second key go. */
const targets: Record<string, (typeof paths)[keyof typeof paths]> = {
  h: paths.home,
  d: paths.dashboard,
  r: paths.riskAssessment,
  a: paths.account,
};

/** Listens for the keys of every screen; `/` is the screen's own (`use-search-key.ts`). */
export function useShortcuts(): void {
  const navigate = useNavigate();
  useEffect(() => {
    let pairBegan = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        if (dialogIsOpen()) return;
        event.preventDefault();
        return openPalette();
      }
      if (!isSingleKey(event)) return;
      const target = event.timeStamp - pairBegan < pairTime ? targets[key] : undefined;
      pairBegan = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (target) void navigate({ to: target });
      else if (key === '?') openKeyboardHelp();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
}
