import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { User } from '#shared/accounts.ts';
import { debugPages, pagePaths } from '#shared/pages.ts';
import type { Plan } from '#shared/subscriptions.ts';
import { pageState } from '../lib/page-state.ts';
import { tryStorage } from '../lib/storage.ts';
import { useIsCurrentScreen } from '../lib/use-single-flight.ts';
import { toSitePath, paths } from '../paths.ts';

/** '$19/month'. */
export function monthlyPrice({ pricePerMonth }: Plan): string {
  return `$${pricePerMonth}/month`;
}

/** How many searches a person has, in words. */
export function formatSearchLimit(limit: User['searchLimit']): string {
  return limit === null ? 'Unlimited searches' : `${limit} searches until you reset their count`;
}

/** Of what the person pays for, in the cache of what was loaded. */
export const subscriptionKey = ['subscription'];

/** Milliseconds after which a page that the browser has not left can be used again. */
export const leaveTimeoutMs = 15_000;

/** Goes to a checkout: a screen of this site, or an address of the payment provider. */
export function useGoToCheckout() {
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const isShown = useIsCurrentScreen();
  useEffect(() => {
    // Who comes back by the back button finds the page as it was left, and can go again.
    const stay = () => setLeaving(false);
    addEventListener('pageshow', stay);
    return () => removeEventListener('pageshow', stay);
  }, []);
  useEffect(() => {
    if (!isLeaving) return;
    // The browser may stay: the person stops it, or the address answers with a download.
    const stays = setTimeout(() => setLeaving(false), leaveTimeoutMs);
    return () => clearTimeout(stays);
  }, [isLeaving]);
  /** Throws an Error where `url` is no address of the web. @returns false, and stays, where the person has left the screen */
  function goToCheckout(url: string): boolean {
    if (!isShown()) return false;
    const path = toSitePath(url);
    if (path) {
      router.history.push(path);
      return true;
    }
    const address = toWebUrl(url);
    if (!address) throw new Error('The checkout has no address to go to.');
    setLeaving(true);
    location.assign(address);
    return true;
  }
  return { goToCheckout, isLeaving };
}

/** The whole address; undefined for `javascript:` and the like. */
export function toWebUrl(url: string): string | undefined {
  const address = URL.canParse(url, location.href) ? new URL(url, location.href) : undefined;
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined;
}

const urlKey = 'return-url';
/** Known to main.tsx too, which loads this only where it stands in the storage. */
const uidKey = 'external-identity-uid';

/** Milliseconds that the id of the identity provider is kept after the return from a payment. */
export const uidLifetimeMs = 5 * 60_000;

/** Remembers, before the browser leaves for a payment, this address and whom the identity provider knows. */
export function saveReturnUrl(uid: string | null): void {
  inStorage((storage) => {
    storage.setItem(urlKey, location.href);
    storage.removeItem(uidKey);
    if (uid) storage.setItem(uidKey, JSON.stringify({ uid, until: null }));
  });
}

/** Forgets both, where the browser did not leave after all. */
export function clearReturnUrl(): void {
  inStorage((storage) => {
    storage.removeItem(urlKey);
    storage.removeItem(uidKey);
  });
}

/** The screen to return to, told once; undefined where none was remembered. */
export function takeReturnPath(): string | undefined {
  return inStorage((storage) => {
    const stored = storage.getItem(urlKey);
    storage.removeItem(urlKey);
    return stored === null ? undefined : toReturnPath(stored);
  });
}

/** The path of a stored address when it is a screen of this very site, else the account. */
export function toReturnPath(stored: string): string {
  if (!URL.canParse(stored, location.origin)) return paths.account;
  const { origin, pathname, search, hash } = new URL(stored, location.origin);
  if (origin !== location.origin) return paths.account;
  const screens = pageState().debug ? [...pagePaths, ...debugPages] : pagePaths;
  return toSitePath(pathname + search + hash, screens) ?? paths.account;
}

/** To be called after the return: the id goes five minutes later, also when the page is loaded anew meanwhile. */
export function scheduleUidRemoval(): void {
  inStorage((storage) => {
    const stored = storage.getItem(uidKey);
    if (stored === null) return;
    const { uid, until } = parse(stored);
    if (until === null) storage.setItem(uidKey, JSON.stringify({ uid, until: Date.now() + uidLifetimeMs }));
  });
  resumeUidRemoval();
}

/** To be called on every load of the page: the id goes when its time is over. That of a payment that goes on stays. */
export function resumeUidRemoval(): void {
  inStorage((storage) => {
    const { until } = parse(storage.getItem(uidKey) ?? '');
    if (until === null) return;
    const forget = () => inStorage((later) => later.getItem(uidKey) !== null && forgetIfOver(later));
    setTimeout(forget, Math.max(0, until - Date.now()));
  });
}

/** Another payment may have begun since, whose id is younger. */
function forgetIfOver(storage: Storage): void {
  const { until } = parse(storage.getItem(uidKey) ?? '');
  if (until !== null && until <= Date.now()) storage.removeItem(uidKey);
}

/** What is no entry of ours is over already. */
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
