import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { canonicalName, isKnownTld, isSharedHost, registrableDomain } from '../coverage/coverage.ts';
import { repairEncoding } from './repair-encoding.ts';

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

/**
 * Returns the lower-case ASCII (punycode) name of a host, without scheme, credentials, port, path, trailing dot and
 * leading `www.`. Accepts a URL with or without a scheme, a host, or a `domain:` line of a disavow file. Returns
 * undefined for IP addresses in any notation, unknown top-level domains (report.pdf), single labels (localhost), email
 * addresses, and any other text that is not a host name. Invisible characters do not count.
 *
 * Subdomains of shared hosts may contain underscores and may start or end with a hyphen. The last two labels may not.
 */
export function normalizeHost(text: string): string | undefined {
  const part = hostPart(text);
  return part === undefined ? undefined : normalizeName(part);
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
  if (trimInvisible(text) === '') return 'empty';
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
  if (trimInvisible(text) === '') return { reason: 'The domain is missing: enter a name such as example.com.' };
  const name = normalizeHost(text);
  if (name === undefined) {
    if (isIpAddress(text)) return { reason: ipAddressReason };
    const tld = findUnknownTld(text);
    if (tld === undefined) return { reason: notADomainReason };
    return { reason: `.${tld} is not a known top-level domain: enter a name such as example.com.` };
  }
  if (lacksSpace(name)) {
    return { reason: `${name} starts with an IP address: put a space between the address and the name.` };
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

/** Whether a name begins with the address of a line of a hosts file, without a space after it: 0.0.0.0example.com. */
export const lacksSpace = (name: string): boolean =>
  /^(?:0\.0\.0\.0[a-z0-9-]|(?:127\.0\.0\.1|255\.255\.255\.255)\d*[a-z-])/i.test(name);

/**
 * Returns the host part of a URL with or without a scheme, or of a `domain:` line. It is not checked to be a valid
 * name.
 */
function hostPart(text: string): string | undefined {
  let from = skipInvisible(text, 0);
  const to = skipInvisibleBack(text, from);
  if (text.charCodeAt(from + 6) === 58 && text.slice(from, from + 7).toLowerCase() === 'domain:') {
    from = skipInvisible(text, from + 7);
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
 * Like `normalizeHost`, but faster, for a text that is only a host. Without `checkTld`, any top-level domain is
 * accepted.
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
  return name.endsWith('xxx') && maskedIpAddress.test(name) ? undefined : canonicalName(name);
}

/** Hyphens and minus signs that programs write for a hyphen. */
const otherHyphens = /[\u2010\u2011\u2212]/g;
/** Characters that no name has: control characters, spaces and punctuation, except the few marks that are letters. */
const notInNames = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Z}]|(?![-_.－＿．。｡·・･׳״་])\p{P}/u;
/** A mark of a list or its number: `●x.com`, `·x.com`, `①x.com`, `１．x.com`. Signs such as ❤ can be part of a name. */
const markAtStart =
  /^(?:[·・･]|(?!\p{Emoji})[\p{S}\p{No}]+[\p{L}\p{N}]|(?:[\d０-９]{1,6}|\p{No})[．。｡](?=[a-z\d-]+\.))/iu;

/**
 * Repairs a name whose bytes were read in the wrong encoding, and removes invisible characters, as browsers do. Those
 * that join letters are a part of the name where its writing system needs them. Browsers also accept punctuation, which
 * is next to a name and not in it.
 */
function normalizeUnicode(part: string, checkTld: boolean): string | undefined {
  const repaired = repairEncoding(part);
  if (repaired === undefined) return undefined;
  const name = removeInvisible(repaired).replace(otherHyphens, '-');
  if (notInNames.test(name) || markAtStart.test(name)) return undefined;
  const ascii = domainToASCII(name) || domainToASCII(name.replace(joiners, ''));
  return ascii === '' || /\P{ASCII}/u.test(ascii) ? undefined : normalizeName(ascii, checkTld);
}

/** Whether a text is an IP address in any notation, or one with masked parts such as 217.160.0.xxx. */
function isIpAddress(text: string): boolean {
  const part = (hostPart(text) ?? '').replace(/\.$/, '');
  const trimmed = trimInvisible(text);
  if (isIP(part) > 0 || isIP(trimmed) > 0 || bracketedIpAddress.test(trimmed)) return true;
  if (maskedIpAddress.test(part)) return true;
  return /^(0x[0-9a-f]{1,8}|[0-9]{1,10})(\.(0x[0-9a-f]{1,8}|[0-9]{1,10})){0,3}$/i.test(part);
}

/** The port of another site than the one that everybody sees. */
export const otherPort = /:(?!80$|443$)\d+$/;

/**
 * Whether a text is the address of a page, and not of a whole site: its path is neither empty nor `/`, or it has a
 * query or an unusual port. A fragment alone does not name a page.
 * @param text a text that `normalizeHost` accepts
 */
export function isPageAddress(text: string): boolean {
  const withoutScheme = trimInvisible(text).replace(/^([a-z]{1,5}:)?\/\//i, '');
  const end = withoutScheme.search(/[/?#\\]/);
  if (otherPort.test(end < 0 ? withoutScheme : withoutScheme.slice(0, end))) return true;
  return end >= 0 && /^(?:[/\\][^?#]|[/\\]?\?.)/.test(withoutScheme.slice(end, end + 3));
}

/** White space, control and format characters, and others without a shape of their own. */
const invisible = /^[\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;

/** Removes the invisible characters at both ends of a text. */
export function trimInvisible(text: string): string {
  const from = skipInvisible(text, 0);
  return text.slice(from, skipInvisibleBack(text, from));
}

/** Characters between letters that change how they are joined, or how emoji are. */
const joiners = /[\u200c\u200d]/g;
/** Format characters, which programs leave in texts, except joiners and the signs of Arabic and Syriac. */
const formatCharacters = /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u08e2])[\p{Cf}\ufffc]/gu;

/** Removes invisible characters from all of a text, as in an address that a program divided for its line breaks. */
export function removeInvisible(text: string): string {
  const visible = trimInvisible(text);
  return /\P{ASCII}/u.test(visible) ? visible.replace(formatCharacters, '') : visible;
}

/** Returns the position of the first visible character from `from`. */
function skipInvisible(text: string, from: number): number {
  let at = from;
  while (at < text.length && isInvisible(text, at)) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return at;
}

/** Returns the position after the last visible character, at least `from`. */
function skipInvisibleBack(text: string, from: number): number {
  let at = text.length;
  while (at > from) {
    const isPair = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00 && at - 2 >= from;
    const before = at - (isPair ? 2 : 1);
    if (!isInvisible(text, before)) break;
    at = before;
  }
  return at;
}

function isInvisible(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 127) return code <= 32;
  return invisible.test(text.slice(at, at + 2));
}
