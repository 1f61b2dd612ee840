import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { getDomain } from 'tldts';
import { sharedHosts } from './shared-hosts.ts';

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
 * undefined for IP addresses in any notation, single labels (localhost), email addresses, texts with invisible
 * characters, and any other text that is not a host name.
 *
 * Subdomains of shared hosts may contain underscores and may start or end with a hyphen. The last two labels may not.
 */
export function normalizeHost(text: string): string | undefined {
  const part = hostPart(text);
  return part === undefined ? undefined : normalizeName(part);
}

/**
 * Returns the part of a host that one owner registered, such as example.co.uk for a.example.co.uk. It follows the
 * Public Suffix List (publicsuffix.org) with its private section, and our list of shared hosts. TLDs that are not on
 * the list (.example, .test) count as ordinary TLDs. Returns undefined for a public suffix and for the root of a shared
 * host.
 * @param host a normalized host
 */
export function registrableDomain(host: string): string | undefined {
  const domain = getDomain(host, suffixListOptions);
  if (domain === null || !sharedHosts.has(domain)) return domain ?? undefined;
  if (host.length <= domain.length) return undefined;
  const dot = host.lastIndexOf('.', host.length - domain.length - 2);
  return host.slice(dot + 1);
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

const ipAddressReason = 'This is an IP address: enter a domain name such as example.com.';
const notADomainReason = 'This is not a domain name: enter a name such as example.com.';

/** Returns the normalized name and TLD under which a text can be listed, or a sentence that says why it cannot be. */
export function listableName(text: string): { name: string; tld: string } | { reason: string } {
  if (text.trim() === '') return { reason: 'The domain is missing: enter a name such as example.com.' };
  const name = normalizeHost(text);
  if (name === undefined) {
    return { reason: isIpAddress(text) ? ipAddressReason : notADomainReason };
  }
  if (registrableDomain(name) === undefined) {
    return {
      reason: sharedHosts.has(name)
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

function normalizeName(part: string): string | undefined {
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
    if (code > 127) return normalizeUnicode(part);
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
  if (!isTld(name, lastDot + 1)) return undefined;
  if (name.includes('xn--') && domainToASCII(name) !== name) return undefined;
  while (name.startsWith('www.') && name.indexOf('.', 4) > 0) name = name.slice(4);
  return name;
}

/**
 * A TLD has only letters, or is punycode: a name that ends in digits is an IP address or a file name. `localhost` is
 * not a TLD.
 */
function isTld(name: string, from: number): boolean {
  if (name.startsWith('xn--', from)) return true;
  for (let i = from; i < name.length; i += 1) if (characterClass[name.charCodeAt(i)] !== LETTER) return false;
  return !name.startsWith('localhost', from) || name.length !== from + 9;
}

/**
 * Rejects invisible characters, which domainToASCII (UTS #46) silently drops: a name with them only imitates another
 * name.
 */
function normalizeUnicode(part: string): string | undefined {
  if (/[\p{C}\p{Z}]/u.test(part)) return undefined;
  const ascii = domainToASCII(part);
  return ascii === '' || /\P{ASCII}/u.test(ascii) ? undefined : normalizeName(ascii);
}

function isIpAddress(text: string): boolean {
  const part = (hostPart(text) ?? '').replace(/\.$/, '');
  if (isIP(part) > 0 || isIP(text.trim()) > 0 || /^\w{0,6}:?\/{0,2}\[[0-9a-f:.]+\]/i.test(text.trim())) return true;
  return /^(0x[0-9a-f]{1,8}|[0-9]{1,10})(\.(0x[0-9a-f]{1,8}|[0-9]{1,10})){0,3}$/i.test(part);
}

/** ASCII white space and control characters, and the no-break space that copied text contains. */
function isSpace(code: number): boolean {
  return code <= 32 || code === 160;
}

/**
 * Returns the listed name that covers a host: the host itself or its nearest listed parent, up to the registrable
 * domain.
 * @param listed contains at least those of the host's `lookupNames` that are listed
 */
export function findCoveringName(host: string, listed: { has(name: string): boolean }): string | undefined {
  if (listed.has(host)) return host;
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
    const parent = host.slice(dot + 1);
    // Finding the registrable domain is slow, so it is done only for the few hosts with a listed parent.
    if (listed.has(parent)) return lookupNames(host).includes(parent) ? parent : undefined;
  }
  return undefined;
}
