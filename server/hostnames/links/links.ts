import { toShownText } from '../../platform/csv/linked-cell.ts';
import { findHostProblem, type HostProblem, normalizeHost, removeInvisible, trimInvisible } from '../hosts/hosts.ts';
import { bullet, splitComment } from './list-marks.ts';

/**
 * Returns the normalized host of a link as exports and people write it, or why there is none. Besides what
 * `normalizeHost` accepts, a link can be a `=HYPERLINK()` formula, a Markdown or HTML link, in brackets or quotation
 * marks, after a bullet, before a comment, or have a damaged scheme. A page of a cache, an archive or a translation is
 * judged by the page that it shows.
 */
export function readLinkHost(text: string): string | { problem: HostProblem } {
  return readHost(text, maxWrappers) ?? { problem: findLinkProblem(text) };
}

/**
 * Like `readLinkHost`, but for a cell in which the address need not come first: without a link, its first URL with
 * `http` or `https` counts.
 * @param isSkipped whether a host counts only if the text has no URL with another one
 */
export function findLinkHost(text: string, isSkipped?: (host: string) => boolean): ReturnType<typeof readLinkHost> {
  const read = readLinkHost(text);
  const isFound = typeof read === 'string' ? isSkipped?.(read) !== true : read.problem !== 'not an address';
  const url = isFound ? undefined : (findUrl(text, isSkipped) ?? findUrl(text));
  return url === undefined ? read : readLinkHost(url);
}

/** Returns the link in a text for display: without what `findLinkHost` ignores. */
export function toLinkText(text: string): string {
  const trimmed = cutNote(removeInvisible(text));
  if (normalizeHost(trimmed) !== undefined) return trimmed.replace(/^domain:\s*/i, '');
  const link = cleanLink(trimmed);
  return normalizeHost(link) === undefined ? (findUrl(trimmed) ?? link) : link;
}

/** What starts a note after a URL. A space alone can be part of a page's name, and a hyphen of that of a file. */
const note = /[\r\n]|\s(?:https?:\/\/|(?:[-=]>|\/\/|[#→➜»›|–—-])\s)/;
const noteOfFile = /[\r\n]|\s(?:https?:\/\/|(?:[-=]>|\/\/|[#→➜»›|])\s)/;

/** Removes a title or another address after a URL. */
function cutNote(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const at = text.search(/\.\w{1,5}$/.test(text) ? noteOfFile : note);
  return at < 0 ? text : trimEnd(text.slice(0, at), /[,;|]$/, 1);
}

/**
 * Returns the first URL with `http` or `https` in a text.
 * @param isSkipped whether URLs with a host do not count
 */
export function findUrl(text: string, isSkipped: (host: string) => boolean = () => false): string | undefined {
  for (const [found] of decodeEntities(text).matchAll(/https?:\/\/[^\s<>"“”「」『』【】]+/gi)) {
    const end = /[(（]/.test(found) ? /[>›»\]}'’`.,;:!?|，、。；]/ : /[>›»)\]}'’`.,;:!?|，、。；）》〉]/;
    const url = trimEnd(found, end, found.length);
    const host = readLinkHost(url);
    if (typeof host !== 'string' || !isSkipped(host)) return url;
  }
  return undefined;
}

/** A cached page can be a cached page itself. */
const maxWrappers = 3;

function readHost(text: string, wrappers: number): string | undefined {
  const direct = normalizeHost(text);
  const link = direct === undefined ? cleanLink(text) : text;
  const host = direct ?? normalizeHost(link);
  if (host === undefined || wrappers === 0 || !isWrapperHost(host)) return host;
  const page = findWrappedPage(host, link);
  return (page === undefined ? undefined : readHost(page, wrappers - 1)) ?? host;
}

function findLinkProblem(text: string): HostProblem {
  const link = cleanLink(text);
  const problem = findHostProblem(link);
  // A number such as 42 is an IP address only in a URL.
  return problem === 'IP address' && /^[\d.]+$/.test(link) && link.split('.').length !== 4 ? 'not an address' : problem;
}

/** A formula with a link, or a text that is written as a formula to keep it a text: ="example.com". */
const formula = /^=\s*(?:[\p{L}_.]{1,40}\(\s*)?"{1,2}([^"]+)"/u;
const markdownLink = /^!?\[([^\]]*)\]\(\s*<?([^)\s>]+)/;
const openingMarks = /^[<‹«([{"'“”„‘’`（「『【《〈]+/;
const closingMarks = /[>›»)\]}"'“”’`）」』】》〉]$/;
const disavowPrefix = /^domain:\s*/i;
/**
 * One or more schemes, with missing or percent-encoded colons and slashes, or made harmless as in hxxp://example[.]com.
 */
const schemes = /^(?:(?:h(?:tt|xx)ps?|ftp)(?:[:：]|%3a)?(?:[/\\／]|%2f)+)+/i;

/** Removes decoration until nothing changes. */
function cleanLink(text: string): string {
  let link = text;
  for (let i = 0; i < 6; i += 1) {
    const before = link;
    link = cleanOnce(removeInvisible(decodeEntities(link)));
    if (link === before) break;
  }
  return link;
}

function cleanOnce(text: string): string {
  const link = readWrittenLink(text);
  if (link !== undefined) {
    const host = normalizeHost(link.text);
    return host === undefined || host === normalizeHost(link.address) ? link.address : link.text;
  }
  const marks = openingMarks.exec(text)?.[0];
  if (marks !== undefined) {
    const rest = trimEnd(text.slice(marks.length), closingMarks, marks.length);
    // In <https://x> more text, only what is in the brackets counts.
    return /^[<‹「『【]/.test(marks) ? (/^[^>›」』】]*/.exec(rest)?.[0] ?? rest) : rest;
  }
  const line = text.replace(bullet, '').replace(disavowPrefix, '').replaceAll('[.]', '.');
  // A text that only is a comment stays, because it is not empty.
  const rest = splitComment(line).text || line;
  return repairScheme(trimEnd(rest, /[,;.，；、。]$/, rest.length));
}

const tagAtStart = /^<\/?[a-z][a-z0-9]*(?:\s|\/?>)/i;
const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Returns the first link in HTML; undefined for a text that does not start with a tag. */
function readHtml(text: string): WrittenLink | undefined {
  if (!tagAtStart.test(text)) return undefined;
  const [, ...values] = href.exec(text) ?? [];
  const address = values.find((value) => value !== undefined) ?? '';
  const shown = text.replace(/<[^<>]*>/g, ' ').trim();
  if (normalizeHost(address) === undefined) return { text: shown, address: shown };
  const isShown = normalizeHost(shown) === normalizeHost(address) || isAbout(address, shown);
  return { text: isShown ? shown : address, address };
}

/** Whether a link is a page about an address, such as that of a tool, because its path or query contains the host. */
function isAbout(link: string, address: string): boolean {
  const host = normalizeHost(address);
  return host !== undefined && /(?<![:/])[/?].*/s.exec(link)?.[0].toLowerCase().includes(host) === true;
}

/** A link with its text, as a formula, Markdown or HTML. */
interface WrittenLink {
  text: string;
  address: string;
}

function readWrittenLink(text: string): WrittenLink | undefined {
  const address = formula.exec(text)?.[1];
  if (address !== undefined) return { text: toShownText(text), address };
  const [, title, target] = markdownLink.exec(text) ?? [];
  if (title !== undefined && target !== undefined) return { text: title, address: target };
  return readHtml(text);
}

/** Returns what a list means by a formula, Markdown or HTML: its text if that is an address, otherwise its link. */
export function toListedText(text: string): string {
  if (!/^\s*(?:[=[!]|<a\s)/i.test(text)) return text;
  const link = readWrittenLink(trimInvisible(text));
  if (link === undefined) return text;
  return normalizeHost(link.text) === undefined ? link.address : link.text;
}

const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const entityTexts: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(entity, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entityTexts[name.toLowerCase()] as string;
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function repairScheme(text: string): string {
  const found = schemes.exec(text)?.[0];
  if (found === undefined) return text;
  const rest = text.slice(found.length);
  const scheme = /^h(?:tt|xx)p(?!s)/i.test(found) ? 'http' : /^ftp/i.test(found) ? 'ftp' : 'https';
  return `${scheme}://${/%3a|%2f/i.test(found) ? decode(rest) : rest}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A damaged escape: the host is before it.
    return text.replace(/%2f/gi, '/');
  }
}

/** Removes up to `max` characters that match at the end. */
function trimEnd(text: string, pattern: RegExp, max: number): string {
  let end = text.length;
  for (let i = 0; i < max && end > 0 && pattern.test(text.charAt(end - 1)); i += 1) end -= 1;
  return text.slice(0, end).trimEnd();
}

/** Whether pages of this host show pages of other websites. */
export function isWrapperHost(host: string): boolean {
  return (
    host === 'web.archive.org' ||
    host === 'webcache.googleusercontent.com' ||
    host === 'cdn.ampproject.org' ||
    host.endsWith('.translate.goog') ||
    host.endsWith('.cdn.ampproject.org') ||
    /^(?:translate\.)?google\.[a-z]{2,3}(\.[a-z]{2})?$/.test(host)
  );
}

/** Returns the link to the page that a wrapper shows; undefined if its address does not contain one. */
function findWrappedPage(host: string, link: string): string | undefined {
  const url = parseUrl(link);
  if (url === undefined) return undefined;
  const { pathname, search, searchParams } = url;
  // https://web.archive.org/web/20200102id_/https://example.com/
  if (host === 'web.archive.org') {
    const page = /^\/web\/(?:[\d*]+(?:[a-z]{2}_)?\/)?(.+)$/.exec(pathname)?.[1];
    return page === undefined ? undefined : page + search;
  }
  // https://webcache.googleusercontent.com/search?q=cache:Ab3_x:https://example.com/+words
  if (host === 'webcache.googleusercontent.com') {
    return /^cache:(?:[\w-]{6,24}:)?([^\s+]+)/.exec(searchParams.get('q') ?? '')?.[1];
  }
  // https://example-com.translate.goog/page
  if (host.endsWith('.translate.goog')) return decodeLabel(host);
  // https://example-com.cdn.ampproject.org/c/s/example.com/page
  if (host.endsWith('cdn.ampproject.org')) {
    return /^\/[a-z]+\/(?:s\/)?([^/]+\.[^/]+.*)$/.exec(pathname)?.[1] ?? decodeLabel(host);
  }
  // https://translate.google.com/translate?u=https://example.com/
  if (host.startsWith('translate.')) return searchParams.get('u') ?? undefined;
  // https://www.google.com/amp/s/example.com/page
  const amp = /^\/amp\/(?:s\/)?([^/]+\.[^/]+.*)$/.exec(pathname)?.[1];
  // https://www.google.com/url?q=https://example.com/
  return amp ?? (pathname === '/url' ? (searchParams.get('q') ?? searchParams.get('url') ?? undefined) : undefined);
}

/** Decodes a name in the first label of a host: a hyphen is a dot, two hyphens are a hyphen. */
function decodeLabel(host: string): string | undefined {
  const label = host.slice(0, host.indexOf('.'));
  return label.includes('-') ? label.replace(/--|-/g, (hyphens) => (hyphens === '--' ? '-' : '.')) : undefined;
}

function parseUrl(link: string): URL | undefined {
  const text = link.trim().replace(/^domain:\s*/i, '');
  const url = /^[a-z]+:\/\//i.test(text) ? text : `http://${text.replace(/^\/\//, '')}`;
  return URL.canParse(url) ? new URL(url) : undefined;
}
