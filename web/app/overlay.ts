import { useSyncExternalStore } from 'react';

/** What can open above any screen. */
export type Overlay = 'palette' | 'keyboard help';

let current: Overlay | undefined;
const listeners = new Set<() => void>();

/** Opens the command palette. Callable from anywhere. */
export const openPalette = (): void => show('palette');

/** Opens the list of keys. Callable from anywhere. */
export const openKeyboardHelp = (): void => show('keyboard help');

/** Closes it, unless another one stands in its place by now. */
export function closeOverlay(overlay: Overlay): void {
  if (current === overlay) show(undefined);
}

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
