import { getDomain, parse } from 'tldts';
import { bloggerEndings, sharedHosts, sharedNames, sharedServer } from './shared-hosts.ts';

// This file also runs in browsers, as part of the extension.

const DOT_CODE = 46;
const suffixListOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/**
 * Returns the part of a host that one owner registered, such as example.co.uk for a.example.co.uk. It follows the
 * Public Suffix List (publicsuffix.org) with its private section, and our list of shared hosts. Returns undefined for a
 * public suffix and for the root of a shared host.
 * @param host a normalized host
 */
export function registrableDomain(host: string): string | undefined {
  const domain = getDomain(host, suffixListOptions);
  if (domain === null) return undefined;
  if (!domainsWithSharedHosts.has(domain) && !hasSharedName(domain)) return domain;
  // The host itself, then its parents down to the domain: the first shared one is the suffix.
  for (let from = 0, before = -1; ; before = from, from = host.indexOf('.', from) + 1) {
    const name = host.slice(from);
    if (isSharedHost(name)) return before < 0 ? undefined : host.slice(before);
    if (name.length <= domain.length) return domain;
  }
}

/** Shared hosts that admins of this installation added. */
let addedHosts: ReadonlySet<string> = new Set();
let domainsWithSharedHosts = findDomains(sharedHosts);

function findDomains(hosts: Iterable<string>): ReadonlySet<string> {
  return new Set([...hosts].map((host) => getDomain(host, suffixListOptions) ?? host));
}

/** Replaces the shared hosts that admins added, in this process. */
export function setAddedSharedHosts(hosts: readonly string[]): void {
  addedHosts = new Set(hosts);
  domainsWithSharedHosts = findDomains([...sharedHosts, ...hosts]);
}

/**
 * Returns the name under which a normalized host is compared: the addresses of a Blogger blog under the domains of all
 * countries are one blog.
 */
export function canonicalName(host: string): string {
  const start = host.lastIndexOf(bloggerName);
  if (start < 0 || (start > 0 && host.charCodeAt(start - 1) !== DOT_CODE)) return host;
  const end = start + bloggerName.length;
  return bloggerEndings.has(host.slice(end)) ? `${host.slice(0, end)}com` : host;
}

const bloggerName = 'blogspot.';

const hasSharedName = (domain: string): boolean =>
  sharedNames.some((name) => domain.charCodeAt(name.length) === DOT_CODE && domain.startsWith(name));

/** Whether a host is the root of a service whose subdomains or pages belong to different owners. */
export function isSharedHost(name: string): boolean {
  return (
    sharedHosts.has(name) ||
    addedHosts.has(name) ||
    sharedServer.test(name) ||
    (hasSharedName(name) && (getDomain(name, suffixListOptions) ?? name) === name)
  );
}

/**
 * Returns the names whose listing covers this host: the host itself, then each parent up to the registrable domain.
 * Empty for a public suffix or the root of a shared host, which cannot be listed.
 */
export function lookupNames(host: string): string[] {
  const domain = registrableDomain(host);
  if (domain === undefined) return [];
  const names = [host];
  for (let name = host; name.length > domain.length; ) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}

/**
 * Returns the first name that matches: the host itself, then each parent with at least two labels, also above the
 * registrable domain.
 */
export function findParent(host: string, matches: (name: string) => boolean): string | undefined {
  let name = host;
  for (let dot = name.indexOf('.'); ; ) {
    if (matches(name)) return name;
    const next = name.indexOf('.', dot + 1);
    if (next < 0) return undefined;
    name = name.slice(dot + 1);
    dot = next - dot - 1;
  }
}

/** Returns the host itself, then each parent with at least two labels, also above the registrable domain. */
export function parentNames(host: string): string[] {
  const names: string[] = [];
  findParent(host, (name) => {
    names.push(name);
    return false;
  });
  return names;
}

/** Whether two hosts are the same, or one is a subdomain of the other. */
export const areRelated = (a: string, b: string): boolean => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);

/**
 * Returns the names that together cover all names, because a name covers its subdomains. They are in the order of the
 * first name that each one covers.
 */
export function findCoveringNames(names: readonly string[]): Set<string> {
  const all = new Set(names);
  return new Set(names.map((name) => parentNames(name).findLast((parent) => all.has(parent)) ?? name));
}

/**
 * Whether a normalized host is a public suffix under which a registry sells names, such as co.uk. The root of a service
 * with subdomains for its customers, such as github.io, is not one: it has an owner.
 */
export function isRegistrySuffix(host: string): boolean {
  return getDomain(host, { ...suffixListOptions, allowPrivateDomains: false }) === null;
}

/**
 * Returns the listed name that decides about a host: of those that cover it, up to the registrable domain, the one with
 * the highest risk, and among equals the nearest. Listings of parents do not apply to a name with an allow rule.
 * @param listed the risks (1 to 4) of at least those of the host's `lookupNames` that are listed, and 0 for each of
 *   them with an allow rule
 */
export function findCoveringName(host: string, listed: ReadonlyMap<string, number>): string | undefined {
  // Finding the registrable domain is slow, so it is done only for the few hosts with a listed parent.
  if (!isAnyListed(host, listed)) return undefined;
  let best: string | undefined;
  for (const name of lookupNames(host)) {
    const risk = listed.get(name);
    if (risk === 0) break;
    if (risk !== undefined && (best === undefined || risk > (listed.get(best) ?? 0))) best = name;
  }
  return best;
}

function isAnyListed(host: string, listed: ReadonlyMap<string, number>): boolean {
  if (listed.has(host)) return true;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    if (listed.has(host.slice(dot + 1))) return true;
  }
  return false;
}

const knownTlds = new Map<string, boolean>([
  // Names for examples and tests (RFC 2606), which the documentation and the demo use.
  ['example', true],
  ['test', true],
  ['invalid', true],
  // The Public Suffix List has rules for co.za, org.za and others, but none for .za itself.
  ['za', true],
  // Part of the Public Suffix List, but its names are not in the DNS (RFC 7686).
  ['onion', false],
]);
const maxKnownTlds = 20_000;

/** Whether a top-level domain is in the ICANN section of the Public Suffix List. */
export function isKnownTld(tld: string): boolean {
  let isKnown = knownTlds.get(tld);
  if (isKnown === undefined) {
    isKnown = parse(`a.${tld}`, { ...suffixListOptions, allowPrivateDomains: false }).isIcann === true;
    // Files can contain any number of invented ones.
    if (knownTlds.size < maxKnownTlds) knownTlds.set(tld, isKnown);
  }
  return isKnown;
}
