import { isIP } from 'node:net';
import { googleDisavowLimits } from '#shared/reports/disavow-files.ts';
import { isRegistrySuffix, registrableDomain } from '../../hostnames/coverage/coverage.ts';
import { isPageAddress, listableName, normalizeHost } from '../../hostnames/hosts/hosts.ts';
import { wrongColon } from '../../hostnames/links/list-lines.ts';
import { bullet, splitComment } from '../../hostnames/links/list-marks.ts';

/** What a valid line disavows: a domain with its subdomains, or a single page. */
export interface Entry {
  kind: 'domain' | 'url';
  /** The domain, or the host of the URL, without `www.`. It is an IP address in a URL with one. */
  name: string;
  /** The line in the form that Google documents: lower case, punycode, no space after the colon. */
  text: string;
}

export interface Problem {
  /** A sentence. */
  reason: string;
  /** The corrected line, if only one correction is possible. */
  fix: string | null;
}

/** A line of a file. `text` is the line as it was, without its end. */
export type ParsedLine =
  | { kind: 'comment'; text: string }
  | { kind: 'entry'; text: string; entry: Entry; hint?: Problem }
  | ({ kind: 'invalid'; text: string } & Problem);

const lineEnd = /\r\n|\r|\n/;

/** Whether a decoded file has more lines than a limit. Needs no more memory for a file with far too many. */
export function hasMoreLines(text: string, limit: number): boolean {
  return splitLines(text, limit + 2).length > limit;
}

/** Splits a decoded file into lines. A line end at the end of the file starts no line. */
function splitLines(text: string, maxParts?: number): string[] {
  const lines = text.split(lineEnd, maxParts);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Reads each line of a decoded file, tolerating what can only mean one thing. */
export function parseLines(text: string): ParsedLine[] {
  return splitLines(text).map(parseLine);
}

/** Twice the length of a URL, for what is around it. */
const maxLineLength = 2 * googleDisavowLimits.urlLength;
const longLine: Problem = {
  reason: `This line is too long: a line can have up to ${maxLineLength.toLocaleString('en-US')} characters.`,
  fix: null,
};

function parseLine(text: string): ParsedLine {
  const { text: content, comment } = splitComment(text, { onlyHash: true });
  if (content === '') return { kind: 'comment', text };
  if (content.length > maxLineLength) return { kind: 'invalid', text, ...longLine };
  const read =
    comment === undefined
      ? readEntry(content)
      : { reason: 'A comment must be on a line of its own.', fix: findCorrection(content) };
  if ('reason' in read) return { kind: 'invalid', text, ...read };
  const hint = findHint(read);
  return { kind: 'entry', text, entry: read, ...(hint && { hint }) };
}

/** Returns the hint about the address of a home page, which most people write for the whole website. */
function findHint({ kind, name, text }: Entry): Problem | undefined {
  const path = kind === 'url' ? text.slice(text.indexOf('/', text.indexOf('://') + 3)) : '';
  const fix = path === '/' ? toSiteLine(normalizeHost(name)) : null;
  return fix === null
    ? undefined
    : { reason: `This disavows only the home page of ${name}, not the whole website.`, fix };
}

/** Returns the entry that disavows a domain, or undefined if Google accepts no line for it. */
export function toDomainEntry(domain: string): Entry | undefined {
  const read = readDomain(domain);
  return 'reason' in read ? undefined : read;
}

const domainPrefix = /^domain\s*:/i;
const urlPrefix = /^https?:/i;
const otherScheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const otherPrefix = /^([a-z][a-z_-]*)\s*:/i;
const wildcard = /^\*?\./;

type Decoration = [pattern: RegExp, reason: string, remove: (content: string) => string];

/** Marks around an entry, or around the domain after `domain:`. */
const wrappers: readonly Decoration[] = [
  [
    /^["'“”„«‘’`]/,
    'The line has quotation marks.',
    (content) => content.replace(/^["'“”„«‘’`]+/, '').replace(/["'“”»‘’`][,;]?$/, ''),
  ],
  [/^[<([].*[>)\]]$/, 'The line has brackets.', (content) => content.slice(1, -1)],
];

/** Marks around or before an entry, or after it, which Google reads as a part of it. */
const decorations: readonly Decoration[] = [
  ...wrappers,
  [bullet, 'The line starts with the mark of a list.', (content) => content.replace(bullet, '')],
  [/^(?:;|!|\/\/\s)/, 'A comment must start with “#”.', (content) => content],
  [
    /^(?!https?:).*[,;!，；、]$/i,
    'The line ends with punctuation.',
    (content) => content.replace(/(?<![\s,;!，；、])[\s,;!，；、]+$/, ''),
  ],
];

/** A scheme with missing or other characters: `http//x.com`, `http:/x.com`, `https: //x.com`, `http:\\x.com` */
const wrongScheme = /^(https?)(?::\/\/https?:\/\/|\s{0,3}[:;：]?\s{0,3}[/\\／]\s{0,3}[/\\／]?\s{0,3})(?=[^\s/\\])/i;

function readEntry(content: string): Entry | Problem {
  for (const [pattern, reason, remove] of decorations) {
    if (!pattern.test(content)) continue;
    return { reason, fix: remove(content) === content ? toComment(content) : findCorrection(remove(content)) };
  }
  if (wrongColon.test(content)) {
    const fix = findCorrection(`domain:${content.replace(wrongColon, '')}`);
    if (fix !== null) return { reason: 'After “domain”, there must be a colon, and then the domain.', fix };
  }
  const [wrong = '', scheme = ''] = wrongScheme.exec(content) ?? [];
  if (wrong !== '' && !/^https?:\/\/$/i.test(wrong)) {
    return {
      reason: 'A URL must start with http:// or https://.',
      fix: findCorrection(`${scheme.toLowerCase()}://${content.slice(wrong.length)}`),
    };
  }
  const { text, comment } = splitComment(content);
  if (comment !== undefined && !urlPrefix.test(content)) {
    return { reason: 'A comment must be on a line of its own, and start with “#”.', fix: findCorrection(text) };
  }
  if (domainPrefix.test(content)) return readDomain(content.replace(domainPrefix, '').trimStart());
  if (urlPrefix.test(content)) return readUrl(content);
  if (/\s/.test(content.replace(otherPrefix, '').trim())) return severalWords;
  if (otherScheme.test(content)) return { reason: 'A URL must start with http:// or https://.', fix: null };
  const prefix = otherPrefix.exec(content);
  if (prefix) {
    const rest = content.slice(prefix[0].length).trim();
    return { reason: `Google does not know the prefix “${prefix[1]}:”.`, fix: findCorrection(rest) };
  }
  if (wildcard.test(content)) return wildcardProblem(content);
  return readHost(content);
}

const toComment = (content: string) => `# ${content.replace(/^(?:[;!]+|\/\/)\s*/, '')}`;

const severalWords: Problem = { reason: 'A line can have only one domain or URL, without spaces.', fix: null };

/** Reads the part of a line after `domain:`. */
function readDomain(text: string): Entry | Problem {
  if (text === '') return { reason: 'The domain after “domain:” is missing.', fix: null };
  if (/\s/.test(text)) return severalWords;
  if (wildcard.test(text)) return wildcardProblem(text);
  for (const [pattern, reason, remove] of wrappers) {
    if (pattern.test(text)) return { reason, fix: findCorrection(`domain:${remove(text)}`) };
  }
  if (/[:/?#\\@]/.test(text)) {
    const fix = toSiteLine(normalizeHost(text.replace(wrongScheme, '$1://')));
    return { reason: 'After “domain:”, Google accepts only a domain, not a URL.', fix };
  }
  const name = normalizeHost(text);
  if (name === undefined || isRegistrySuffix(name)) return explainName(text);
  return { kind: 'domain', name, text: `domain:${name}` };
}

function readUrl(text: string): Entry | Problem {
  if (text.length > googleDisavowLimits.urlLength) return tooLong;
  if (/\s/.test(text)) return { reason: 'A URL cannot have spaces.', fix: null };
  if (!/^https?:\/\/[^/?#\\]/i.test(text)) return { reason: 'The URL has no host.', fix: null };
  const host = text.slice(text.indexOf('://') + 3);
  if (wildcard.test(host)) return wildcardProblem(host);
  const url = URL.parse(text);
  if (!url) return { reason: 'This is not a valid URL.', fix: null };
  url.hostname = url.hostname.replace(/\.$/, '');
  // A fragment is a part of the page, and search engines ignore it.
  url.hash = '';
  const isIpAddress = isIP(url.hostname) > 0 || url.hostname.startsWith('[');
  const name = isIpAddress ? url.hostname : normalizeHost(text);
  if (name === undefined) return explainName(text);
  // `normalizeHost` repairs names that were read in the wrong encoding.
  if (!isIpAddress && normalizeHost(url.hostname) !== name) {
    url.hostname = `${url.hostname.startsWith('www.') ? 'www.' : ''}${name}`;
  }
  // Characters outside ASCII become longer.
  return url.href.length > googleDisavowLimits.urlLength ? tooLong : { kind: 'url', name, text: url.href };
}

const tooLong: Problem = {
  reason: `A URL can have up to ${googleDisavowLimits.urlLength.toLocaleString('en-US')} characters.`,
  fix: null,
};

/** Explains a line without a prefix. Google reads it as a URL, so it is never valid. */
function readHost(text: string): Problem {
  const name = normalizeHost(text);
  if (name === undefined || isRegistrySuffix(name)) return explainName(text);
  if (isPageAddress(text)) return { reason: 'A URL must start with http:// or https://.', fix: null };
  // `domain.x.com` can be that name, or `domain:x.com`.
  const isAmbiguous = /^domain\./i.test(text) && toDomainLine(normalizeHost(text.slice(7))) !== null;
  return { reason: 'A domain must start with “domain:”.', fix: isAmbiguous ? null : toDomainLine(name) };
}

const wildcardProblem = (text: string): Problem => ({
  reason: 'Google does not know wildcards. A “domain:” line includes all subdomains.',
  fix: toDomainLine(normalizeHost(text.replace(wildcard, ''))),
});

/** Explains a text that is not the name of a domain, or a public suffix. */
function explainName(text: string): Problem {
  // A text that can be listed is a valid name, so there is always a reason.
  const { reason } = listableName(text) as { reason: string };
  return { reason, fix: null };
}

/** Returns the valid line for a text that is a URL with a scheme, or the host of a domain with or without `domain:`. */
function findCorrection(text: string): string | null {
  if (urlPrefix.test(text)) {
    const url = readUrl(text);
    return 'reason' in url ? null : url.text;
  }
  return isPageAddress(text.replace(domainPrefix, '')) ? null : toDomainLine(normalizeHost(text));
}

const toDomainLine = (name: string | undefined): string | null =>
  name === undefined || isRegistrySuffix(name) ? null : `domain:${name}`;

/** Like `toDomainLine` for the host of a page, which says nothing about the websites of others on a shared host. */
const toSiteLine = (name: string | undefined): string | null =>
  name === undefined || registrableDomain(name) === undefined ? null : `domain:${name}`;
