import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { User } from '#shared/accounts/accounts.ts';
import type { Plan } from '#shared/accounts/subscriptions.ts';
import { debugPages, pagePaths } from '#shared/pages.ts';
import { paths, toSitePath } from '../../paths.ts';
import { pageState } from '../../platform/page-state.ts';
import { tryStorage } from '../../platform/storage.ts';
import { useIsCurrentScreen } from '../../platform/use-single-flight.ts';

/** '$19/month'. */
export function monthlyPrice({ pricePerMonth }: Plan): string {
  return `$${pricePerMonth}/month`;
}

/** Describes a user's search limit in words. */
export function formatSearchLimit(limit: User['searchLimit']): string {
  return limit === null ? 'Unlimited searches' : `${limit} searches until you reset the count`;
}

/** How long to wait for the browser to leave before the page can be used again, in milliseconds. */
export const leaveTimeoutMs = 15_000;

/** Opens a checkout: a screen of this site, or a page of the payment provider. */
export function useGoToCheckout() {
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const isShown = useIsCurrentScreen();
  useEffect(() => {
    // The browser's back button restores the page as it was left.
    const reset = () => setLeaving(false);
    addEventListener('pageshow', reset);
    return () => removeEventListener('pageshow', reset);
  }, []);
  useEffect(() => {
    if (!isLeaving) return;
    // The browser may stay here if the user stops loading or the URL returns a download.
    const timer = setTimeout(() => setLeaving(false), leaveTimeoutMs);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  /**
   * @returns false, without opening it, if the user has left this screen
   * @throws an Error if `url` is not an HTTP URL
   */
  function goToCheckout(url: string): boolean {
    if (!isShown()) return false;
    const path = toSitePath(url);
    if (path) {
      router.history.push(path);
      return true;
    }
    const webUrl = toWebUrl(url);
    if (!webUrl) throw new Error('The checkout has no valid URL.');
    setLeaving(true);
    location.assign(webUrl);
    return true;
  }
  return { goToCheckout, isLeaving };
}

/** The absolute form of an HTTP or HTTPS URL. Undefined for other schemes, such as `javascript:`. */
export function toWebUrl(url: string): string | undefined {
  const parsed = URL.canParse(url, location.href) ? new URL(url, location.href) : undefined;
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}

const urlKey = 'return-url';
/** main.tsx uses the same key, and loads this module only if the key is set. */
const uidKey = 'external-identity-uid';

/** How long the identity provider's uid is stored after the return from a payment, in milliseconds. */
export const uidLifetimeMs = 5 * 60_000;

/** Stores the current URL and the identity provider's uid before the browser leaves for a payment. */
export function saveReturnUrl(uid: string | null): void {
  inStorage((storage) => {
    storage.setItem(urlKey, location.href);
    storage.removeItem(uidKey);
    if (uid) storage.setItem(uidKey, JSON.stringify({ uid, until: null }));
  });
}

/** Removes both again, if the browser did not leave. */
export function clearReturnUrl(): void {
  inStorage((storage) => {
    storage.removeItem(urlKey);
    storage.removeItem(uidKey);
  });
}

/** Removes and returns the path of the stored return URL. Undefined if none is stored. */
export function takeReturnPath(): string | undefined {
  return inStorage((storage) => {
    const stored = storage.getItem(urlKey);
    storage.removeItem(urlKey);
    return stored === null ? undefined : toReturnPath(stored);
  });
}

/** The path of a stored URL if it is a screen of this site, else the path of the account screen. */
export function toReturnPath(stored: string): string {
  if (!URL.canParse(stored, location.origin)) return paths.account;
  const { origin, pathname, search, hash } = new URL(stored, location.origin);
  if (origin !== location.origin) return paths.account;
  const screens = pageState().debug ? [...pagePaths, ...debugPages] : pagePaths;
  return toSitePath(pathname + search + hash, screens) ?? paths.account;
}

/** Schedules the removal of the uid in five minutes, after the return. Survives a reload of the page. */
export function scheduleUidRemoval(): void {
  inStorage((storage) => {
    const stored = storage.getItem(uidKey);
    if (stored === null) return;
    const { uid, until } = parse(stored);
    if (until === null) storage.setItem(uidKey, JSON.stringify({ uid, until: Date.now() + uidLifetimeMs }));
  });
  resumeUidRemoval();
}

/** Resumes a scheduled removal. Call it on every page load. Keeps the uid of a payment that is not complete. */
export function resumeUidRemoval(): void {
  inStorage((storage) => {
    const { until } = parse(storage.getItem(uidKey) ?? '');
    if (until === null) return;
    const remove = () => inStorage((later) => later.getItem(uidKey) !== null && removeIfExpired(later));
    setTimeout(remove, Math.max(0, until - Date.now()));
  });
}

/** Removes the uid if it has expired. A later payment may have stored a new one since. */
function removeIfExpired(storage: Storage): void {
  const { until } = parse(storage.getItem(uidKey) ?? '');
  if (until !== null && until <= Date.now()) storage.removeItem(uidKey);
}

/** Parses a stored entry. Treats an invalid entry as expired. */
function parse(stored: string): { uid: string; until: number | null } {
  try {
    const { uid, until } = JSON.parse(stored);
    return { uid: String(uid), until: until === null ? null : Number(until) || 0 };
  } catch {
    return { uid: '', until: 0 };
  }
}

function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  return tryStorage(() => use(localStorage));
}
