import type { FeedFormat } from '#shared/blacklist/feeds.ts';
import type { FileHead } from '../../../platform/csv/file-bytes.ts';
import { isJson } from '../../../platform/csv/reject-other-formats.ts';
import { readAdblockLine } from './adblock-rules.ts';
import { findCsvColumn } from './csv-names.ts';
import { listError } from './list-errors.ts';
import { rankNameField } from './name-fields.ts';
import { isNullAddress, removeComment } from './simple-lines.ts';

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
  const all = text.split(/\r\n?|\n/, 20_000).map((line) => line.trim());
  // The end of the head can cut off the last line.
  if (!head.complete && all.length > 1) all.pop();
  const hasDescription = all[0] === '---' && all.indexOf('---', 1) > 0;
  if (hasDescription) return 'ublacklist';
  if (all.some((line) => /^\[(adblock|ublock|adguard)[^\]]*\]$/i.test(line))) return 'adblock';

  const lines = all.filter((line) => isRuleOfAdblock(line) || removeComment(line) !== '').slice(0, maxLines);
  if (lines.length === 0) {
    if (head.complete) throw listError('empty');
    return 'plain';
  }
  if (rankNameField(lines[0] ?? '') >= 0 && findCsvColumn(head) !== undefined) return 'csv';
  const counts = { adblock: 0, ublacklist: 0, hosts: 0, disavow: 0, plain: 0, other: 0 };
  for (const line of lines) counts[classifyLine(line)] += 1;
  const readable = lines.length - counts.other;
  if (readable * 2 < lines.length && findCsvColumn(head) !== undefined) return 'csv';
  if (counts.ublacklist > counts.adblock) return 'ublacklist';
  if (counts.adblock > 0) return 'adblock';
  if (counts.hosts > 0 || counts.disavow > 0) return counts.hosts >= counts.disavow ? 'hosts' : 'disavow';
  return 'plain';
}

/** @throws UnreadableFile for web pages, XML and binary content */
export function rejectOtherContent(bytes: Buffer, text: string): void {
  if (bytes.includes(0)) throw listError('binary');
  if (/^\s*<[a-z!?/]/i.test(text.slice(0, 10_000))) throw listError('web_page');
}

const isRuleOfAdblock = (line: string) => !line.startsWith('!') && readAdblockLine(line)[0] === 'cosmetic';

function classifyLine(line: string): 'adblock' | 'ublacklist' | 'hosts' | 'disavow' | 'plain' | 'other' {
  if (/^(\|\||@@)/.test(line) || isRuleOfAdblock(line)) return 'adblock';
  if (/^@?\d*(\*|https?):\/\/\S*\*|^@|^(title|url)\//i.test(line)) return 'ublacklist';
  const text = removeComment(line);
  if (/^domain:/i.test(text)) return 'disavow';
  const [first = '', second] = text.split(/\s+/, 2);
  if (second !== undefined) return isNullAddress(first) ? 'hosts' : 'other';
  if (/[\w*]\^(\$[\w,~=|.-]+)?$/.test(text)) return 'adblock';
  return /[,;|"]/.test(text) || !/[.:]/.test(text) ? 'other' : 'plain';
}
