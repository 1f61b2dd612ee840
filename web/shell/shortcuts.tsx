import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { paths } from '../paths.ts';
import { isDialogOpen, isSingleKey, useKeydown } from '../platform/keys.ts';
import { loadPart } from '../platform/load-part.ts';
import { closeOverlay, type Overlay, openKeyboardHelp, openPalette, useOverlay } from './overlay.ts';

type Overlays = ComponentType<{ requested: Overlay | undefined }>;

/** The keyboard shortcuts of every screen, and the dialogs they open. The dialogs are loaded when first needed. */
export function Shortcuts() {
  const requested = useOverlay();
  useShortcuts(requested);
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
function useShortcuts(requested: Overlay | undefined): void {
  const navigate = useNavigate();
  const pairStartedAt = useRef(Number.NEGATIVE_INFINITY);
  useKeydown((event) => {
    const key = event.key.toLowerCase();
    if (key === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (isDialogOpen()) return;
      event.preventDefault();
      return openPalette();
    }
    // Text typed while a dialog loads is no shortcut.
    if (!isSingleKey(event) || requested) return;
    const target = event.timeStamp - pairStartedAt.current < pairTimeoutMs ? targets[key] : undefined;
    pairStartedAt.current = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (target) void navigate({ to: target });
    else if (key === '?') openKeyboardHelp();
    else return;
    event.preventDefault();
  });
}
