import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { dialogIsOpen, isSingleKey, useKeydown } from '../lib/keys.ts';
import { paths } from '../paths.ts';

type Overlays = ComponentType<{ asked: Overlay | undefined }>;

/** The keys that work on every screen, and what they open, which is loaded when it is first needed. */
export function Shortcuts() {
  useShortcuts();
  const asked = useOverlay();
  const [overlays, setOverlays] = useState<{ Component: Overlays }>();
  useEffect(() => {
    if (!asked || overlays) return;
    import('./overlays.tsx').then(
      (loaded) => setOverlays({ Component: loaded.Overlays }),
      () => closeOverlay(asked), // Without a connection, the next press tries again.
    );
  }, [asked, overlays]);
  return overlays && <overlays.Component asked={asked} />;
}

/** Milliseconds in which the second key of a pair counts. */
const pairTime = 1500;

/** Where `g` and a second key go. */
const targets: Record<string, (typeof paths)[keyof typeof paths]> = {
  h: paths.home,
  d: paths.dashboard,
  r: paths.riskAssessment,
  a: paths.account,
};

/** Listens for the keys that work on every screen; `/` belongs to each screen (`useSearchKey`). */
function useShortcuts(): void {
  const navigate = useNavigate();
  const pairBegan = useRef(Number.NEGATIVE_INFINITY);
  useKeydown((event) => {
    const key = event.key.toLowerCase();
    if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (dialogIsOpen()) return;
      event.preventDefault();
      return openPalette();
    }
    if (!isSingleKey(event)) return;
    const target = event.timeStamp - pairBegan.current < pairTime ? targets[key] : undefined;
    pairBegan.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (target) void navigate({ to: target });
    else if (key === '?') openKeyboardHelp();
    else return;
    event.preventDefault();
  });
}

/** What can open above any screen. */
export type Overlay = 'palette' | 'keyboard help';

let current: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens the command palette. Callable from anywhere. */
const openPalette = (): void => show('palette');

/** Opens the list of keys. Callable from anywhere. */
export const openKeyboardHelp = (): void => show('keyboard help');

/** Closes it, unless another one has replaced it. */
export function closeOverlay(overlay: Overlay): void {
  if (current === overlay) show(undefined);
}

function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(subscribe, () => current, closed);
}

const closed = () => undefined;

function show(overlay: Overlay | undefined): void {
  current = overlay;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
