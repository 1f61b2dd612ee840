import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';

export interface ToastText {
  title: string;
  description?: string;
  tone: 'success' | 'destructive';
}

/** Shows a message for five seconds in place of the one that is visible. Callable from anywhere. */
export function toast(text: ToastText): void {
  showToast({ ...text, id: (current?.id ?? 0) + 1, open: true });
}

export interface ShownToast extends ToastText {
  id: number;
  open: boolean;
}

let current: ShownToast | undefined;
const listeners = new Set<() => void>();

/** Puts a message into the one place, or changes whether it is open. */
export function showToast(next: ShownToast): void {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The place of the toasts; one for the whole site. */
export function Toaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
  const Viewport = useViewport(shown !== undefined);
  return Viewport && <Viewport shown={shown} />;
}

/** The part that draws is not needed for the first paint: it is fetched when the person does something, before a toast can result. */
function useViewport(needed: boolean): ComponentType<{ shown: ShownToast | undefined }> | undefined {
  const [viewport, setViewport] = useState<{ Component: ComponentType<{ shown: ShownToast | undefined }> }>();
  useEffect(() => {
    if (viewport) return;
    const load = () => {
      import('./toast-viewport.tsx').then(
        ({ ToastViewport }) => setViewport({ Component: ToastViewport }),
        () => undefined, // The network is away: the next toast tries again.
      );
    };
    if (needed) load();
    const events = ['pointerdown', 'keydown'];
    for (const event of events) addEventListener(event, load, { once: true });
    return () => {
      for (const event of events) removeEventListener(event, load);
    };
  }, [viewport, needed]);
  return viewport?.Component;
}
