import { type RejectionReason, type UnreadPlace, unreadPrefix } from '#shared/blacklist/feeds.ts';
import { findHostProblem, lacksSpace, listableName, normalizeHost, otherPort } from '../../hostnames/hosts/hosts.ts';
import { createListReader, type LineEntry, readListLine } from '../../hostnames/links/list-lines.ts';

export interface ListedName {
  name: string;
  tld: string;
}

/** What a line, cell or value of a list becomes. */
export type Entry = ListedName | RejectionReason | UnreadPlace;
export type AddEntry = (entry: Entry) => void;

export const isName = (entry: Entry): entry is ListedName => typeof entry !== 'string';

const addressReasons: ReadonlySet<Entry> = new Set<RejectionReason>(['path', 'shared', 'wildcard', 'space']);
/** Whether an entry is a name, or the address of something that cannot be listed. */
export const isAddress = (entry: Entry): boolean => isName(entry) || addressReasons.has(entry);

/** The reason for a name in a column or field that is not read. */
export const toUnread = (place: string): UnreadPlace => `${unreadPrefix}${place}`;

/** Scheme or `domain:`, credentials after a scheme, host with port, and the rest. */
const addressParts =
  /^(?:domain:\s*)?(?:(?:(?:https?|ftps?|wss?|\*):)?\/\/(?:[^/?#\\\s@]*@)?)?(\[[^\]/]*\](?::\d+)?|[^/?#\\]*)(.*)$/is;
const addressRange = /^\d{1,3}(\.\d{1,3}){3}\s*-\s*\d{1,3}(\.\d{1,3}){3}$/;

/**
 * Reads a name, an address or a pattern of a whole site, such as `x.com`, `.x.com`, `*.x.com`, `https://x.com/` or
 * `*://*.x.com/*`. An address of a part of a site is never a name: anything after the host except `/` and a fragment is
 * a path, also a query or an unusual port, because a rule about one page says nothing about the others.
 */
export function toEntry(text: string): Entry {
  const [, host = '', rest = ''] = addressParts.exec(text.trim()) ?? [];
  if (host === '') return rest.length > 1 ? 'path' : 'invalid';
  const site = host.replace(/^(?:\*?\.)+/, '');
  if (site.includes('*')) return 'wildcard';
  const isWhole = /^(?:\/\*|\/?\??)(?:#.*)?$/s.test(rest) && !otherPort.test(site);
  const listable = listableName(site);
  if ('name' in listable) return isWhole ? listable : 'path';
  if (lacksSpace(site)) return 'space';
  if (normalizeHost(site) !== undefined) return isWhole ? 'shared' : 'path';
  return findHostProblem(site) === 'IP address' || addressRange.test(site) ? 'ip' : 'invalid';
}

const toEntries = (entries: readonly LineEntry[]): Entry[] =>
  entries.map((entry) => ('text' in entry ? toEntry(entry.text) : entry.reason));

/** Reads a line, cell or value that can be a rule of any format with one rule per line. */
export const readSimpleLine = (line: string): readonly Entry[] => toEntries(readListLine(line));

/** Creates a function that reads the lines of a list in their order. */
export function createSimpleReader(): (line: string) => readonly Entry[] {
  const read = createListReader();
  return (line) => toEntries(read(line));
}
