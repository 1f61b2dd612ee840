import { onlineManager } from '@tanstack/react-query';

/** How long to wait for a response before the server counts as unreachable, in milliseconds. */
const timeoutMs = 5000;
/** The pause between checks while the server is unreachable, in milliseconds. */
const intervalMs = 3000;

let check: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Checks whether the server responds and tells TanStack Query, which pauses queries until the connection is back. While
 * the server is unreachable, checks again every few seconds. Call it when a request fails without a response.
 */
export function checkConnection(): Promise<void> {
  clearTimeout(timer);
  check ??= isReachable().then((isOnline) => {
    check = undefined;
    onlineManager.setOnline(isOnline);
    if (!isOnline) timer = setTimeout(checkConnection, intervalMs);
  });
  return check;
}

/** Any response will do, including an error of a proxy. */
const isReachable = () =>
  fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );

/** Resolves when the connection is back; immediately if it is not lost. */
export function waitForConnection(): Promise<void> {
  return new Promise((resolve) => {
    if (onlineManager.isOnline()) return resolve();
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return;
      stop();
      resolve();
    });
  });
}

/**
 * Replaces TanStack Query's listener, which trusts the browser. A browser without a network is `offline` even if the
 * server is on the same machine, and `online` in a network without internet.
 */
export function watchConnection(): void {
  if (typeof window === 'undefined') return;
  onlineManager.setEventListener(() => undefined);
  addEventListener('online', checkConnection);
  addEventListener('offline', checkConnection);
}
