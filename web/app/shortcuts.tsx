import { type ComponentType, useEffect, useState } from 'react';
import { closeOverlay, type Overlay, useOverlay } from './overlay.ts';
import { useShortcuts } from './use-shortcuts.ts';

type Overlays = ComponentType<{ asked: Overlay | undefined }>;

/** The keys that work on every screen, and what they open: fetched when it is first asked for. */
export function Shortcuts() {
  useShortcuts();
  const asked = useOverlay();
  const [overlays, setOverlays] = useState<{ Component: Overlays }>();
  useEffect(() => {
    if (!asked || overlays) return;
    import('./overlays.tsx').then(
      (loaded) => setOverlays({ Component: loaded.Overlays }),
      () => closeOverlay(asked), // The network is away: the next press tries again.
    );
  }, [asked, overlays]);
  return overlays && <overlays.Component asked={asked} />;
}
