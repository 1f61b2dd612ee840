import { findHostProblem, type HostProblem, normalizeHost, trimInvisible } from '../hosts/hosts.ts';

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
 */
export function findLinkHost(text: string): ReturnType<typeof readLinkHost> {
  const read = readLinkHost(text);
  const url = typeof read === 'string' || read.problem !== 'not an address' ? undefined : findUrl(text);
  return url === undefined ? read : readLinkHost(url);
}

/** Returns the link in a text for display: without what `findLinkHost` ignores. */
export function toLinkText(text: string): string {
  const trimmed = trimInvisible(text);
  if (normalizeHost(trimmed) !== undefined) return trimmed.replace(/^domain:\s*/i, '');
  const link = cleanLink(trimmed);
  return normalizeHost(link) === undefined ? (findUrl(trimmed) ?? link) : link;
}

/** Returns the first URL with `http` or `https` in a text. */
function findUrl(text: string): string | undefined {
  const url = /https?:\/\/[^\s<>"“”]+/i.exec(decodeEntities(text))?.[0];
  return url && trimEnd(url, url.includes('(') ? /[>›»\]}'’`.,;:!?|]/ : /[>›»)\]}'’`.,;:!?|]/, url.length);
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
const markdownLink = /^!?\[[^\]]*\]\(\s*<?([^)\s>]+)/;
const bullet = /^(?:[-*•·–—▪◦‣]|\(?\d{1,5}[.)])\s+(?=\S)/;
const openingMarks = /^[<‹«([{"'“”„‘’`]+/;
const closingMarks = /[>›»)\]}"'“”’`]$/;
const disavowPrefix = /^domain:\s*/i;
/**
 * One or more schemes, with missing or percent-encoded colons and slashes, or made harmless as in hxxp://example[.]com.
 */
const schemes = /^(?:(?:h(?:tt|xx)ps?|ftp)(?::|%3a)?(?:\/|\\|%2f)+)+/i;

/** Removes decoration until nothing changes. */
function cleanLink(text: string): string {
  let link = text;
  for (let i = 0; i < 6; i += 1) {
    const before = link;
    link = cleanOnce(trimInvisible(decodeEntities(link)));
    if (link === before) break;
  }
  return link;
}

function cleanOnce(text: string): string {
  const inner = formula.exec(text)?.[1] ?? markdownLink.exec(text)?.[1] ?? readHtml(text);
  if (inner !== undefined) return inner;
  const marks = openingMarks.exec(text)?.[0];
  if (marks !== undefined) {
    const rest = trimEnd(text.slice(marks.length), closingMarks, marks.length);
    // In <https://x> more text, only what is in the brackets counts.
    return /^[<‹]/.test(marks) ? (/^[^>›]*/.exec(rest)?.[0] ?? rest) : rest;
  }
  const link = removeComment(text.replace(bullet, '').replace(disavowPrefix, '').replaceAll('[.]', '.'));
  return repairScheme(trimEnd(link, /[,;.]$/, link.length));
}

const tagAtStart = /^<\/?[a-z][a-z0-9]*(?:\s|\/?>)/i;
const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

/** Returns the address of the first link in HTML, or its text; undefined for a text that does not start with a tag. */
function readHtml(text: string): string | undefined {
  if (!tagAtStart.test(text)) return undefined;
  const [, ...values] = href.exec(text) ?? [];
  const address = values.find((value) => value !== undefined) ?? '';
  return normalizeHost(address) === undefined ? text.replace(/<[^<>]*>/g, ' ') : address;
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

function removeComment(text: string): string {
  const at = text.search(/\s#/);
  return at < 0 ? text : text.slice(0, at);
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
    (host.startsWith('google.') && /^google\.[a-z]{2,3}(\.[a-z]{2})?$/.test(host))
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
