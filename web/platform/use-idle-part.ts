import { onlineManager } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** How long to wait before loading the part when the browser is idle, in milliseconds. */
const idleDelayMs = 3000;

/**
 * Loads code that the first paint does not need: when the browser is idle, when the user does something, or when
 * `request` gets a value. After a failed load, each press and each new value of `request` tries again.
 * @returns the loaded module; 'missing' if it could not be loaded; undefined before
 */
export function useIdlePart<T>(load: () => Promise<T>, request?: unknown): { part: T } | 'missing' | undefined {
  const [state, setState] = useState<{ part: T } | 'missing'>();
  const isLoaded = state !== undefined && state !== 'missing';
  useEffect(() => {
    if (isLoaded) return;
    const start = () => {
      // Chromium does not repeat an import that failed.
      if (!onlineManager.isOnline()) return setState('missing');
      load().then(
        (part) => setState({ part }),
        () => setState('missing'),
      );
    };
    if (request !== undefined) start();
    const startWhenIdle = () =>
      'requestIdleCallback' in window ? requestIdleCallback(start, { timeout: 2000 }) : start();
    const timer = setTimeout(startWhenIdle, idleDelayMs);
    const events = ['pointerdown', 'keydown'];
    for (const event of events) addEventListener(event, start);
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, start);
    };
  }, [isLoaded, load, request]);
  return state;
}
