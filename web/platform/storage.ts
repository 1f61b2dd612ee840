import { useSyncExternalStore } from 'react';

/**
 * Returns the result of `use`, or undefined if the browser blocks storage, the storage is full, or an entry is invalid.
 */
export function tryStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/**
 * A choice of the user that is saved on this device, or until the page is reloaded if the browser blocks storage.
 * `use` is a hook that returns it; `set` with undefined removes it.
 */
export function storedChoice(key: string) {
  let current = tryStorage(() => localStorage.getItem(key)) ?? undefined;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    use: (): string | undefined =>
      useSyncExternalStore(
        subscribe,
        () => current,
        () => undefined,
      ),
    set(next: string | undefined): void {
      current = next;
      tryStorage(() => (next === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, next)));
      for (const listener of listeners) listener();
    },
  };
}
