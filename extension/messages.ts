import { browser } from 'wxt/browser';
import type { Listing } from '../lookup/lookup.ts';
import type { LookedUp } from './look-up-hosts.ts';

/** What the scripts of pages and the popup ask the background for, because it alone talks to the installation. */
export interface LookUpMessage {
  type: 'lookUp';
  /** Hosts as pages contain them. */
  hosts: readonly string[];
  /** The number of listed hosts that the page has already. Their sum with the new ones is shown on the toolbar icon. */
  listedBefore?: number;
}

export type LookUpReply = LookedUp | { error: string; isSetUp: boolean };

/** What the popup asks the script of a page for. */
export type PageMessage =
  | { type: 'collect' }
  | { type: 'highlight'; listings: Record<string, Listing>; origin: string };

/** Asks the background to look up hosts. */
export function requestLookUp(message: Omit<LookUpMessage, 'type'>): Promise<LookUpReply> {
  return browser.runtime.sendMessage({ type: 'lookUp', ...message } satisfies LookUpMessage);
}
