import { onlineManager, useIsFetching } from '@tanstack/react-query';
import { type AnyRouter, useRouter, useRouterState } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useDelayed } from '../ui/states.tsx';
import styles from './connection-status.module.css';

/** Says that the connection is gone, and shows a bar at the top of the page while a slow response is loading. */
export function ConnectionStatus() {
  const isOnline = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  const isHolding = useHeldNavigation(isOnline);
  const isSlow = useDelayed(useIsLoading() && isOnline, 400);
  return (
    <>
      <div role="status" className={styles.banner} data-connection={isOnline ? 'online' : 'lost'}>
        {!isOnline && (
          <p>
            <WifiOff size={16} aria-hidden />
            <span>
              {navigator.onLine ? 'Linksieve cannot be reached. ' : 'You are offline. '}
              {isHolding
                ? 'The page you chose opens when the connection is back.'
                : 'You see what was loaded last. The page updates when the connection is back.'}
            </span>
          </p>
        )}
      </div>
      {isSlow && <div role="progressbar" aria-label="Loading" className={styles.progress} />}
    </>
  );
}

const subscribe = (listener: () => void) => onlineManager.subscribe(listener);

/** Whether a screen or data that have not been loaded before are loading. Queries that poll do not count. */
function useIsLoading(): boolean {
  const isNavigating = useRouterState({ select: ({ status }) => status === 'pending' });
  return useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0 || isNavigating;
}

/**
 * While the connection is gone, a screen whose code is not loaded cannot open: the user stays on the current screen,
 * and the other one opens when the connection is back, unless the user types something or opens another screen before.
 * @returns whether a screen waits
 */
function useHeldNavigation(isOnline: boolean): boolean {
  const router = useRouter();
  const held = useRef<string>(undefined);
  const [isHolding, setHolding] = useState(false);
  useEffect(() => {
    if (isOnline) return;
    const hold = (url: string | undefined) => {
      held.current = url;
      setHolding(url !== undefined);
    };
    const drop = () => hold(undefined);
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ nextLocation: { pathname, href } }) => {
        const isMissing = !isLoaded(router, pathname);
        hold(isMissing ? href : undefined);
        return isMissing;
      },
    });
    addEventListener('input', drop);
    return () => {
      unblock();
      removeEventListener('input', drop);
      if (held.current !== undefined) router.history.push(held.current);
      drop();
    };
  }, [isOnline, router]);
  return isHolding;
}

/** Whether the code of a screen is loaded. The router removes `preload` from its component then. */
function isLoaded(router: AnyRouter, pathname: string): boolean {
  const [routes] = router.getMatchedRoutes(pathname);
  return routes.every(({ options }: { options: { component?: { preload?: unknown } } }) => !options.component?.preload);
}
