import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { paths } from '../paths.ts';
import { isDialogOpen, isSingleKey, useKeydown } from '../platform/keys.ts';
import { loadPart } from '../platform/load-part.ts';
import { useKeptKeys } from './kept-keys.ts';

type Overlays = ComponentType<{ requested: Overlay | undefined }>;

/** The keyboard shortcuts of every screen, and the dialogs they open. The dialogs are loaded when first needed. */
export function Shortcuts() {
  useKeptKeys(isPaletteOpening);
  useShortcuts();
  const requested = useOverlay();
  const [overlays, setOverlays] = useState<{ Component: Overlays }>();
  useEffect(() => {
    if (!requested || overlays) return;
    loadPart(() => import('./overlays.tsx')).then(
      (loaded) => setOverlays({ Component: loaded.Overlays }),
      () => closeOverlay(requested), // If loading fails, the next press retries.
    );
  }, [requested, overlays]);
  return overlays && <overlays.Component requested={requested} />;
}

/** How soon the second key of a pair must follow, in milliseconds. */
const pairTimeoutMs = 1500;

/** The screens that `g` and a second key open. */
const targets: Record<string, (typeof paths)[keyof typeof paths]> = {
  h: paths.home,
  d: paths.dashboard,
  r: paths.riskAssessment,
  n: paths.alerts,
  a: paths.account,
};

/** Handles the keys that work on every screen. Screens handle `/` themselves, with `useSearchShortcut`. */
function useShortcuts(): void {
  const navigate = useNavigate();
  const pairStartedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeydown((event) => {
    const key = event.key.toLowerCase();
    if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (isDialogOpen()) return;
      event.preventDefault();
      return openPalette();
    }
    if (!isSingleKey(event)) return;
    const target = event.timeStamp - pairStartedAt.current < pairTimeoutMs ? targets[key] : undefined;
    pairStartedAt.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (target) void navigate({ to: target });
    else if (key === '?') openKeyboardHelp();
    else return;
    event.preventDefault();
  });
}

/** A dialog that can open over any screen. */
export type Overlay = 'palette' | 'keyboard help';

let current: Overlay | undefined;
const listeners = new Set<() => void>();

/** Whether the palette was requested, but its field does not have the focus yet. */
const isPaletteOpening = () => current === 'palette' && !document.activeElement?.closest('[role="dialog"]');

/** Opens the command palette. */
const openPalette = (): void => show('palette');

/** Opens the list of keyboard shortcuts. Can be called from anywhere. */
export const openKeyboardHelp = (): void => show('keyboard help');

/** Closes the given dialog, unless another one has replaced it. */
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
