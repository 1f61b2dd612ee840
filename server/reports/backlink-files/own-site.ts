import { lookupNames, registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import { findLinkHost, isWrapperHost } from '../../hostnames/links/links.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';

/** The user's website, which decides which links an export of it contains. */
export interface OwnSite {
  /** Whether links from a host are links of the website to itself: it has the same registrable domain. */
  isOwn(host: string): boolean;
  /** Whether links to a host are links to the website: the host is the website, a subdomain of it, or its parent. */
  isTarget(host: string): boolean;
}

export function createOwnSite(ownHost: string): OwnSite {
  const own = normalizeHost(ownHost) ?? ownHost;
  const domain = registrableDomain(own);
  const names = new Set([own, ...lookupNames(own)]);
  return {
    isOwn:
      domain === undefined
        ? (host) => host === own
        : (host) => host === domain || (host.endsWith(`.${domain}`) && registrableDomain(host) === domain),
    isTarget: (host) => names.has(host) || host.endsWith(`.${own}`),
  };
}

/** The website of an export that is not known yet: no link counts as one from or to the website. */
export const unknownSite: OwnSite = { isOwn: () => false, isTarget: () => false };

/** Starts of targets are remembered as bytes up to this number, because most links point to one or two hosts. */
const maxRemembered = 8;
const SLASH = 47;
const QUESTION_MARK = 63;
const NUMBER_SIGN = 35;

/**
 * Returns a function that says whether a record's link points to another website.
 * @param slot the slot of the target. A cell without an address does not say.
 */
export function createTargetReader(site: OwnSite, slot: number): (record: CsvRecord) => boolean {
  const known: { bytes: Buffer; isElsewhere: boolean }[] = [];
  return (record) => {
    const { buffer } = record;
    const start = record.starts[slot] ?? -1;
    const end = record.ends[slot] ?? start;
    if (start < 0 || start === end) return false;
    for (let i = 0; i < known.length; i += 1) {
      const one = known[i] as (typeof known)[number];
      if (startsWith(buffer, start, end, one.bytes)) return one.isElsewhere;
    }
    const text = cellText(record, slot) ?? '';
    const host = findLinkHost(text);
    const isElsewhere = typeof host === 'string' && !site.isTarget(host);
    if (known.length === maxRemembered) return isElsewhere;
    const [prefix] = /^https?:\/\/[\w.-]+(?=[/?#]|$)/.exec(text) ?? [];
    // The path of an archive or a cache says which website it shows.
    if (prefix !== undefined && !isWrapperHost(normalizeHost(prefix) ?? '')) {
      known.push({ bytes: Buffer.from(prefix), isElsewhere });
    }
    return isElsewhere;
  };
}

/** Whether a cell starts with a scheme and host, and has nothing else before its path. */
function startsWith(buffer: Buffer, start: number, end: number, bytes: Buffer): boolean {
  const after = start + bytes.length;
  if (after > end) return false;
  const follower = after === end ? SLASH : buffer[after];
  if (follower !== SLASH && follower !== QUESTION_MARK && follower !== NUMBER_SIGN) return false;
  // The ends of hosts differ more often than their starts.
  for (let i = bytes.length - 1; i >= 0; i -= 1) if (buffer[start + i] !== bytes[i]) return false;
  return true;
}
