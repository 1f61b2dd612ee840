import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Frames in a row without anything to wait for: what has just arrived may ask for more once it is drawn. */
const minIdleFrames = 3;

/**
 * Keeps `data-ready` on <html> while the screen is complete: the router is idle, and every part and every first response is there.
 * Tests and prerenderers wait for it. Parts that are still loading have an element with `data-waiting` in their place; a
 * query that only polls for changes does not count.
 */
export function markReady(router: AnyRouter, queryClient: QueryClient): void {
  const root = document.documentElement;
  let idleFrames = 0;
  let frame = 0;
  const isIdle = () =>
    router.state.status === 'idle' &&
    router.state.resolvedLocation?.href === router.state.location.href &&
    document.querySelector('[data-waiting]') === null &&
    queryClient.isFetching({ predicate: ({ state }) => state.data === undefined }) === 0;
  const check = () => {
    idleFrames = isIdle() ? idleFrames + 1 : 0;
    if (idleFrames < minIdleFrames) frame = requestAnimationFrame(check);
    else root.setAttribute('data-ready', '');
  };
  const restart = () => {
    cancelAnimationFrame(frame);
    root.removeAttribute('data-ready');
    idleFrames = 0;
    check();
  };
  router.subscribe('onBeforeNavigate', restart);
  restart();
}
