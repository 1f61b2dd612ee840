import type { FeedFormat } from '#shared/blacklist/feeds.ts';
import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { isNullAddress } from '../../hostnames/links/list-lines.ts';
import { splitComment } from '../../hostnames/links/list-marks.ts';
import { rankNameField } from '../../hostnames/links/name-fields.ts';
import type { FileHead } from '../../platform/csv/file-bytes.ts';
import { isJson } from '../../platform/csv/reject-other-formats.ts';
import { readAdblockLine } from './adblock-rules.ts';
import { findCsvColumns } from './csv-names.ts';
import { isName, readSimpleLine } from './entry.ts';
import { listError } from './list-errors.ts';
import { hasYamlKey, isYamlLine } from './yaml-names.ts';

const maxLines = 200;

/**
 * Detects the format of a list by its first 200 lines that are not comments. A rule that only one format has decides
 * for it, because the readers of rules also read names. A file is CSV only if most of its lines are not readable
 * otherwise, or if its first line is the name of a column.
 * @throws UnreadableFile for a web page, other files that are not text, and a file with nothing but comments
 */
export function detectFormat(head: FileHead): FeedFormat {
  const text = head.bytes.toString('utf8');
  rejectOtherContent(head.bytes, text);
  if (isJson(text)) return 'json';
  if (head.delimiter !== undefined) return 'csv';
  const all = text.split(/\r\n?|\n/, 20_000).map(trimInvisible);
  // The end of the head can cut off the last line.
  if (!head.complete && all.length > 1) all.pop();
  const hasDescription = all[0] === '---' && all.indexOf('---', 1) > 0;
  if (hasDescription) return 'ublacklist';
  if (all.some((line) => /^\[(adblock|ublock|adguard)[^\]]*\]$/i.test(line))) return 'adblock';
  if (all.some((line) => /^\$(?:TTL|ORIGIN)\s|^\S+\s+(?:\d+\s+)?(?:IN\s+)?SOA\s/i.test(line))) return 'rpz';

  const lines = all.filter((line) => isRuleOfAdblock(line) || splitComment(line).text !== '').slice(0, maxLines);
  if (lines.length === 0) {
    if (head.complete) throw listError('empty');
    return 'plain';
  }
  const [first = ''] = lines;
  if (!isYamlLine(first) && rankNameField(first) >= 0 && findCsvColumns(head) !== undefined) return 'csv';
  const counts = new Map<LineKind, number>();
  for (const line of lines) counts.set(classifyLine(line), (counts.get(classifyLine(line)) ?? 0) + 1);
  const count = (kind: LineKind) => counts.get(kind) ?? 0;
  if (
    count('clash') * 2 >= lines.length ||
    (all.some((line) => /^(payload|rules):/.test(line)) && all.some((line) => clashLine.test(line)))
  )
    return 'clash';
  const isYaml = lines.filter(isYamlLine).length * 2 >= lines.length;
  const hasItems = lines.some((line) => /^- +[\w-]+:(?: |$)/.test(line));
  if (isYaml && count('unbound') === 0 && (hasItems || count('disavow') === 0))
    return lines[0] === 'payload:' ? 'clash' : 'yaml';
  const readable = lines.length - count('other');
  if (readable * 2 < lines.length && findCsvColumns(head) !== undefined) return 'csv';
  if (count('ublacklist') > count('adblock')) return 'ublacklist';
  if (count('adblock') > 0) return 'adblock';
  const [most] = lineFormats.toSorted((a, b) => count(b) - count(a));
  if (most !== undefined && count(most) > 0 && (most !== 'map' || count('map') >= count('plain'))) return most;
  return 'plain';
}

/**
 * Returns the format of a list in YAML with keys, such as `action: allow`, because its lines have a meaning only
 * together. Undefined for other lists.
 * @throws UnreadableFile as `detectFormat`
 */
export function findKeyedFormat(head: FileHead): 'yaml' | 'clash' | undefined {
  if (head.delimiter !== undefined || head.hasQuotedLines === true) return undefined;
  if (
    !head.bytes
      .toString('utf8')
      .split(/\r\n?|\n/, maxLines)
      .some(hasYamlKey)
  )
    return undefined;
  const format = detectFormat(head);
  return format === 'yaml' || format === 'clash' ? format : undefined;
}

/** @throws UnreadableFile for web pages, XML and binary content */
export function rejectOtherContent(bytes: Buffer, text: string): void {
  if (bytes.includes(0)) throw listError('binary');
  if (/^\s*<[a-z!?/]/i.test(text.slice(0, 10_000))) throw listError('web_page');
}

const isRuleOfAdblock = (line: string) => !line.startsWith('!') && readAdblockLine(line)[0] === 'cosmetic';

/** Formats whose lines only they have. The first ones are preferred. */
const lineFormats = ['hosts', 'disavow', 'dnsmasq', 'rpz', 'unbound', 'map'] as const;
type LineKind = FeedFormat | 'other';

const clashLine =
  /^(?:- *["']?)?(?:DOMAIN|HOST|(?:domain|host)(?:-[a-z]+|(?= *, *[^, ]+ *, *(?:reject|direct|proxy)))|(?:DOMAIN|HOST)-[A-Z]+|IP-CIDR6?|PROCESS-NAME|GEOIP) *,|^- *["']?\+\./;

function classifyLine(line: string): LineKind {
  if (/^(\|\||@@)/.test(line) || isRuleOfAdblock(line)) return 'adblock';
  if (/^@?\d*(\*|https?):\/\/\S*\*|^@\S|^(title|url)\//i.test(line)) return 'ublacklist';
  const { text } = splitComment(line);
  if (/^domain:/i.test(text)) return 'disavow';
  if (/^(?:address|server|local)=\//i.test(text)) return 'dnsmasq';
  if (/^local-(?:zone|data)\S*\s/i.test(text)) return 'unbound';
  if (clashLine.test(text)) return 'clash';
  if (/\sCNAME\s+(?:\*?\.|rpz-\S+)$/i.test(text)) return 'rpz';
  if (/^(?:map|geo)\s[^;]*\{$|^\S+\s+\S+;$|^valid_referers\b|^if\s*\(/.test(text)) return 'map';
  if (/^\S+(?:\s+@!?[\w-]+)+$/.test(text)) return 'plain';
  const [first = '', second] = text.split(/\s+/, 2);
  if (second !== undefined) {
    if (isNullAddress(first)) return 'hosts';
    return /^\S+\s+(?:-|[\w-]+)$/.test(text) && isName(readSimpleLine(text)[0] ?? 'invalid') ? 'map' : 'other';
  }
  if (/[\w*]\^(\$[\w,~=|.-]+)?$/.test(text)) return 'adblock';
  return /[,;|"]/.test(text) || !/[.:]/.test(text) ? 'other' : 'plain';
}
