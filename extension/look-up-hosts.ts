import { browser } from 'wxt/browser';
import { toHost } from '../lookup/hosts.ts';
import { type Listing, lookUp } from '../lookup/lookup.ts';
import { getStoredRangeInfo, InstallationError, readRange } from './installation.ts';
import { readSettings } from './settings.ts';

/** No installation is set. */
export class NotSetUpError extends InstallationError {}

export interface LookedUp {
  /** The listings by the given texts. */
  listings: Record<string, Listing>;
  /** The texts that are domain names. */
  valid: string[];
  /** The installation, for links to the pages of domains. */
  origin: string;
}

/** Looks up hosts. @throws InstallationError */
export async function lookUpHosts(texts: readonly string[]): Promise<LookedUp> {
  const { origin } = await readSettings();
  if (origin === null) throw new NotSetUpError('Set the address of your Linksieve first.');
  const hosts = texts.map((text) => ({ text, host: toHost(text) })).filter(({ host }) => host !== undefined);
  const names = hosts.flatMap(({ host }) => host ?? []);
  const { prefixLength } = await getStoredRangeInfo(origin);
  const found = await lookUp(names, {
    prefixLength,
    salt: await readSalt(),
    readRange: (prefix) => readRange(origin, prefix),
  });
  const entries = hosts.flatMap(({ text, host }) => {
    const listing = found.get(host ?? '');
    return listing ? [[text, listing] as const] : [];
  });
  return { listings: Object.fromEntries(entries), valid: hosts.map(({ text }) => text), origin };
}

/** Returns the secret for the decoys, which stays the same in this browser. */
async function readSalt(): Promise<string> {
  const { salt } = await browser.storage.local.get<{ salt?: string }>('salt');
  if (salt !== undefined) return salt;
  const created = crypto.randomUUID();
  await browser.storage.local.set({ salt: created });
  return created;
}
