import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { forgetServedParts, hasAdoptedParts } from '../platform/load-part.ts';

/** How many frames in a row must be idle, because a part that has just rendered may load more data. */
const minIdleFrames = 3;

/**
 * Sets `data-ready` on <html> while the screen is complete: the router is idle, all lazy parts are loaded, those of a
 * served page are adopted, and every query has data or an error. Tests wait for it. Parts that are still loading show
 * an element with `data-waiting`. Queries that refetch existing data do not count.
 * @param onReady called each time
 */
export function markReady(router: AnyRouter, queryClient: QueryClient, onReady?: () => void): void {
  const root = document.documentElement;
  let idleFrames = 0;
  let frame = 0;
  const isIdle = () =>
    router.state.status === 'idle' &&
    router.state.resolvedLocation?.href === router.state.location.href &&
    document.querySelector('[data-waiting]') === null &&
    hasAdoptedParts() &&
    queryClient.isFetching({ predicate: ({ state }) => state.data === undefined }) === 0;
  const check = () => {
    idleFrames = isIdle() ? idleFrames + 1 : 0;
    if (idleFrames < minIdleFrames) frame = requestAnimationFrame(check);
    else {
      root.setAttribute('data-ready', '');
      onReady?.();
    }
  };
  const restart = () => {
    cancelAnimationFrame(frame);
    root.removeAttribute('data-ready');
    idleFrames = 0;
    check();
  };
  router.subscribe('onBeforeNavigate', () => {
    forgetServedParts();
    restart();
  });
  restart();
}
