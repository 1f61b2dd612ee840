import { useSyncExternalStore } from 'react';

/** A dialog that can open over any screen. */
export type Overlay = 'palette' | 'keyboard help';

let current: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens the command palette. */
export const openPalette = (): void => show('palette');

/** Opens the list of keyboard shortcuts. Can be called from anywhere. */
export const openKeyboardHelp = (): void => show('keyboard help');

/** Closes the given dialog, unless another one has replaced it. */
export function closeOverlay(overlay: Overlay): void {
  if (current === overlay) show(undefined);
}

/** The dialog that is open or was requested. */
export function useOverlay(): Overlay | undefined {
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
