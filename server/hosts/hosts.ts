import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';
import { sharedHosts, sharedNames } from './shared-hosts.ts';

const LETTER = 1;
const DIGIT = 2;
const UPPER = 3;
const HYPHEN = 4;
const UNDERSCORE = 5;
const DOT = 6;
const characterClass = new Uint8Array(128);
for (let i = 0; i < 26; i += 1) {
  characterClass[97 + i] = LETTER;
  characterClass[65 + i] = UPPER;
}
for (let i = 48; i < 58; i += 1) characterClass[i] = DIGIT;
characterClass[45] = HYPHEN;
characterClass[95] = UNDERSCORE;
characterClass[46] = DOT;

const DOT_CODE = 46;
const maxNameLength = 253;
const maxLabelLength = 63;
/**
 * Length of credentials, host and port together. A longer text is not a host, so a hostile text costs no more than
 * this.
 */
const maxAuthorityLength = 2048;
const schemes: ReadonlySet<string> = new Set(['http', 'https', 'ftp']);
const suffixListOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const;

/**
 * Returns the lower-case ASCII (punycode) name of a host, without scheme, credentials, port, path, trailing dot and
 * leading `www.`. Accepts a URL with or without a scheme, a host, or a `domain:` line of a disavow file. Returns
 * undefined for IP addresses in any notation, unknown top-level domains (report.pdf), single labels (localhost), email
 * addresses, texts with invisible characters, and any other text that is not a host name.
 *
 * Subdomains of shared hosts may contain underscores and may start or end with a hyphen. The last two labels may not.
 */
export function normalizeHost(text: string): string | undefined {
  const part = hostPart(text);
  return part === undefined ? undefined : normalizeName(part);
}

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

const domainsWithSharedHosts: ReadonlySet<string> = new Set(
  [...sharedHosts].map((host) => getDomain(host, suffixListOptions) ?? host),
);

const hasSharedName = (domain: string): boolean =>
  sharedNames.some((name) => domain.charCodeAt(name.length) === DOT_CODE && domain.startsWith(name));

/** Whether a host is the root of a service whose subdomains or pages belong to different owners. */
function isSharedHost(name: string): boolean {
  return sharedHosts.has(name) || (hasSharedName(name) && getDomain(name, suffixListOptions) === name);
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

/** Reports hide parts of addresses: 217.160.0.xxx. */
const maskedIpAddress = /^\d{1,3}\.\d{1,3}(\.(\d{1,3}|x{1,3}|\*)){2}$/i;

/** IPv6 in a URL: http://[2001:db8::1]/. */
const bracketedIpAddress = /^(\w{1,6}:)?(\/\/)?\[(?=[0-9a-f.]*:)[0-9a-f:.]+\]/i;

const ipAddressReason = 'This is an IP address: enter a domain name such as example.com.';
const notADomainReason = 'This is not a domain name: enter a name such as example.com.';

/** Why a text contains no host. */
export type HostProblem = 'empty' | 'IP address' | 'unknown top-level domain' | 'not an address';

/** Returns why `normalizeHost` returns undefined for a text. */
export function findHostProblem(text: string): HostProblem {
  if (text.trim() === '') return 'empty';
  if (isIpAddress(text)) return 'IP address';
  return findUnknownTld(text) === undefined ? 'not an address' : 'unknown top-level domain';
}

/** Returns the top-level domain of a text that would be a host if its top-level domain were known. */
function findUnknownTld(text: string): string | undefined {
  const part = hostPart(text);
  const name = part === undefined ? undefined : normalizeName(part, false);
  return name !== undefined && /\.[a-z][^.]*$/.test(name) ? name.slice(name.lastIndexOf('.') + 1) : undefined;
}

/** Returns the normalized name and TLD under which a text can be listed, or a sentence that says why it cannot be. */
export function listableName(text: string): { name: string; tld: string } | { reason: string } {
  if (text.trim() === '') return { reason: 'The domain is missing: enter a name such as example.com.' };
  const name = normalizeHost(text);
  if (name === undefined) {
    if (isIpAddress(text)) return { reason: ipAddressReason };
    const tld = findUnknownTld(text);
    if (tld === undefined) return { reason: notADomainReason };
    return { reason: `.${tld} is not a known top-level domain: enter a name such as example.com.` };
  }
  if (registrableDomain(name) === undefined) {
    return {
      reason: isSharedHost(name)
        ? `${name} hosts the websites of many owners: enter one of them, such as name.${name}.`
        : `${name} is a public suffix: enter a domain registered under it, such as example.${name}.`,
    };
  }
  return { name, tld: name.slice(name.lastIndexOf('.') + 1) };
}

/**
 * Returns the host part of a URL with or without a scheme, or of a `domain:` line. It is not checked to be a valid
 * name.
 */
function hostPart(text: string): string | undefined {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  if (text.charCodeAt(from + 6) === 58 && text.slice(from, from + 7).toLowerCase() === 'domain:') {
    from += 7;
    while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  }
  let hasScheme = false;
  const schemeEnd = text.indexOf(':', from);
  if (schemeEnd > from && schemeEnd - from < 6 && text.startsWith('//', schemeEnd + 1)) {
    if (!schemes.has(text.slice(from, schemeEnd).toLowerCase())) return undefined;
    hasScheme = true;
    from = schemeEnd + 3;
  } else if (text.startsWith('//', from)) {
    hasScheme = true;
    from += 2;
  }
  let colon = -1;
  let i = from;
  const bound = Math.min(to, from + maxAuthorityLength);
  for (; i < bound; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 47 || code === 63 || code === 35 || code === 92) break;
    if (code === 58) {
      colon = i;
    } else if (code === 64) {
      if (!hasScheme) return undefined;
      from = i + 1;
      colon = -1;
    }
  }
  if (i === bound && bound < to) return undefined;
  if (colon >= from) {
    if (i - colon > 6) return undefined;
    for (let k = colon + 1; k < i; k += 1) if (characterClass[text.charCodeAt(k)] !== DIGIT) return undefined;
    i = colon;
  }
  return text.slice(from, i);
}

/**
 * Like `normalizeHost`, but faster, for a text that is only a host. Without `checkTld`, any top-level domain is accepted.
 */
export function normalizeName(part: string, checkTld = true): string | undefined {
  let length = part.length;
  if (length > 0 && part.charCodeAt(length - 1) === 46) length -= 1;
  if (length < 3 || length > maxNameLength) return undefined;
  let hasUpper = false;
  let labelStart = 0;
  let lastDot = -1;
  let dotBefore = -1;
  // Position of the last character that only labels before the last two may contain.
  let loose = -1;
  for (let i = 0; i < length; i += 1) {
    const code = part.charCodeAt(i);
    if (code > 127) return normalizeUnicode(part, checkTld);
    const kind = characterClass[code];
    if (kind === LETTER || kind === DIGIT) continue;
    if (kind === DOT) {
      if (i === labelStart || i - labelStart > maxLabelLength) return undefined;
      if (part.charCodeAt(i - 1) === 45) loose = i - 1;
      dotBefore = lastDot;
      lastDot = i;
      labelStart = i + 1;
    } else if (kind === UPPER) {
      hasUpper = true;
    } else if (kind === HYPHEN) {
      if (i === labelStart) loose = i;
    } else if (kind === UNDERSCORE) {
      loose = i;
    } else {
      return undefined;
    }
  }
  if (lastDot < 0 || length - labelStart < 2 || length - labelStart > maxLabelLength) return undefined;
  if (loose > dotBefore || part.charCodeAt(length - 1) === 45) return undefined;
  let name = length === part.length ? part : part.slice(0, length);
  if (hasUpper) name = name.toLowerCase();
  if (checkTld && !isKnownTld(name.slice(lastDot + 1))) return undefined;
  if (name.includes('xn--') && domainToASCII(name) !== name) return undefined;
  while (name.startsWith('www.') && name.indexOf('.', 4) > 0) name = name.slice(4);
  return name.endsWith('xxx') && maskedIpAddress.test(name) ? undefined : name;
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
function isKnownTld(tld: string): boolean {
  let isKnown = knownTlds.get(tld);
  if (isKnown === undefined) {
    isKnown = parse(`a.${tld}`, { ...suffixListOptions, allowPrivateDomains: false }).isIcann === true;
    // Files can contain any number of invented ones.
    if (knownTlds.size < maxKnownTlds) knownTlds.set(tld, isKnown);
  }
  return isKnown;
}

/**
 * Rejects invisible characters, which domainToASCII (UTS #46) silently drops: a name with them only imitates another
 * name.
 */
function normalizeUnicode(part: string, checkTld: boolean): string | undefined {
  if (/[\p{C}\p{Z}]/u.test(part)) return undefined;
  const ascii = domainToASCII(part);
  return ascii === '' || /\P{ASCII}/u.test(ascii) ? undefined : normalizeName(ascii, checkTld);
}

/** Whether a text is an IP address in any notation, or one with masked parts such as 217.160.0.xxx. */
function isIpAddress(text: string): boolean {
  const part = (hostPart(text) ?? '').replace(/\.$/, '');
  if (isIP(part) > 0 || isIP(text.trim()) > 0 || bracketedIpAddress.test(text.trim())) return true;
  if (maskedIpAddress.test(part)) return true;
  return /^(0x[0-9a-f]{1,8}|[0-9]{1,10})(\.(0x[0-9a-f]{1,8}|[0-9]{1,10})){0,3}$/i.test(part);
}

/**
 * Whether a text is the address of a page, and not of a whole site: its path is neither empty nor `/`. A query or a
 * fragment alone does not name a page.
 * @param text a text that `normalizeHost` accepts
 */
export function isPageAddress(text: string): boolean {
  const withoutScheme = text.trim().replace(/^([a-z]{1,5}:)?\/\//i, '');
  const end = withoutScheme.search(/[/?#\\]/);
  return end >= 0 && /^[/\\][^?#]/.test(withoutScheme.slice(end, end + 2));
}

/** ASCII white space and control characters, and the no-break space that copied text contains. */
function isSpace(code: number): boolean {
  return code <= 32 || code === 160;
}

/**
 * Returns the listed name that decides about a host: of those that cover it, up to the registrable domain, the one with
 * the highest risk, and among equals the nearest. Listings of parents do not apply to a name with an allow rule.
 * @param listed the risks (1 to 4) of at least those of the host's `lookupNames` that are listed, and 0 for each of them
 *   with an allow rule
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
