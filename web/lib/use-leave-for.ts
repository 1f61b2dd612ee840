import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ownPath } from './own-path.ts';
import { useIsShown } from './use-is-shown.ts';

/** Milliseconds after which a page that the browser has not left can be used again. */
export const leavingTime = 15_000;

/** Goes to a checkout: a screen of this site, or an address of the payment provider. */
export function useLeaveFor() {
  const router = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const isShown = useIsShown();
  useEffect(() => {
    // Who comes back by the back button finds the page as it was left, and can go again.
    const stay = () => setLeaving(false);
    addEventListener('pageshow', stay);
    return () => removeEventListener('pageshow', stay);
  }, []);
  useEffect(() => {
    if (!isLeaving) return;
    // The browser may stay: the person stops it, or the address answers with a download.
    const stays = setTimeout(() => setLeaving(false), leavingTime);
    return () => clearTimeout(stays);
  }, [isLeaving]);
  /** Throws an Error where `url` is no address of the web. @returns false, and stays, where the person has left the screen */
  function leaveFor(url: string): boolean {
    if (!isShown()) return false;
    const path = ownPath(url);
    if (path) {
      router.history.push(path);
      return true;
    }
    const address = webAddress(url);
    if (!address) throw new Error('The checkout has no address to go to.');
    setLeaving(true);
    location.assign(address);
    return true;
  }
  return { leaveFor, isLeaving };
}

/** The whole address; undefined for `javascript:` and the like. */
export function webAddress(url: string): string | undefined {
  const address = URL.canParse(url, location.href) ? new URL(url, location.href) : undefined;
  return address && /^https?:$/.test(address.protocol) ? address.href : undefined;
}
