import type { RejectionReason } from '#shared/blacklist/feeds.ts';
import { findHostProblem, listableName, normalizeHost } from '../../../hostnames/hosts/hosts.ts';

export interface ListedName {
  name: string;
  tld: string;
}

/** What a line, cell or value of a list becomes. */
export type Entry = ListedName | RejectionReason;

export const isName = (entry: Entry): entry is ListedName => typeof entry !== 'string';

/** Scheme or `domain:`, credentials after a scheme, host with port, and the rest. */
const addressParts =
  /^(?:domain:\s*)?(?:(?:[a-z]{1,10}:|\*:)?\/\/(?:[^/?#\\\s@]*@)?)?(\[[^\]/]*\](?::\d+)?|[^/?#\\]*)(.*)$/is;
const addressRange = /^\d{1,3}(\.\d{1,3}){3}\s*-\s*\d{1,3}(\.\d{1,3}){3}$/;

/**
 * Reads a name, an address or a pattern of a whole site, such as `x.com`, `.x.com`, `*.x.com`, `https://x.com/` or
 * `*://*.x.com/*`. An address of a part of a site is never a name: anything after the host except `/` is a path, also a
 * query, a fragment or an unusual port, because a rule about one page says nothing about the others.
 */
export function toEntry(text: string): Entry {
  const [, host = '', rest = ''] = addressParts.exec(text.trim()) ?? [];
  if (host === '') return rest.length > 1 ? 'path' : 'invalid';
  const site = host.replace(/^(?:\*?\.)+/, '');
  if (site.includes('*')) return 'wildcard';
  const isWhole = (rest === '' || rest === '/' || rest === '/*') && !/:(?!80$|443$)\d+$/.test(site);
  const listable = listableName(site);
  if ('name' in listable) return isWhole ? listable : 'path';
  if (normalizeHost(site) !== undefined) return isWhole ? 'shared' : 'path';
  return findHostProblem(site) === 'IP address' || addressRange.test(site) ? 'ip' : 'invalid';
}
