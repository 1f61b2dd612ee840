import { useLocation } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { pageState, servedDisplay } from '../platform/page-state.ts';

const neverChanges = () => () => undefined;

/**
 * Returns the first value on the server and while the app adopts the HTML of the server, and then the second. What
 * depends on the browser uses it, so that both render the same HTML.
 */
export function useServed<T extends string | number | boolean | undefined>(served: T, own: () => T): T {
  return useSyncExternalStore(neverChanges, own, () => served);
}

/** Whether the component is rendered on the server, or adopts the HTML of the server. */
export const useIsServed = (): boolean => useServed(true, () => false);

let ownTimeZone: string | undefined;

const readTimeZone = () => {
  ownTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownTimeZone;
};

/**
 * The time zone of dates: on a served page first the one that the server knows, so that its dates do not change. It is
 * mostly the same, and nothing is rendered again.
 */
export const useTimeZone = (): string => useServed(servedDisplay()?.timeZone ?? 'UTC', readTimeZone);

/** Scheme, host and port of this site: the published ones if they are known, or those that the user has opened. */
export const useOrigin = (): string => useServed(pageState().origin, () => pageState().origin || location.origin);

/** The fragment of the URL, without `#`. It is empty on the server, because browsers do not send it. */
export function useHash(): string {
  const { hash } = useLocation();
  return useServed('', () => hash);
}
