import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { type Entry, isName, readSimpleLine, toEntry } from './entry.ts';

/**
 * Options of rules that are about a domain as a whole. All others limit a rule, for example to certain sites (`domain`)
 * or kinds of requests (`image`).
 */
const wholeSiteOptions: ReadonlySet<string> = new Set([
  ...['all', 'document', 'doc', 'frame', 'important', 'match-case', 'popup', 'popunder', 'subdocument'],
  ...['third-party', '3p', 'strict3p'],
]);

/** Rules about parts of pages: `##`, `#@#`, `#?#`, `#$#`, `#%#`, `$$`, `$@$`. A heading such as `## Ads` is none. */
const cosmeticRule = /#(?:@?[$%]?\??)?#[^\s#]|\$@?\$|#?\+js\(/;
/** Whether a line that starts with `#` is a comment is known only after the test for cosmetic rules. */
const comment = /^(?:!|#|\[[^\]:]*\]$)/;

/** Reads a line of an adblock list. Names and lines of hosts files can be among the rules. */
export function readAdblockLine(line: string): readonly Entry[] {
  const text = trimInvisible(line);
  if (text.startsWith('@@')) return ['exception'];
  if (!text.startsWith('!') && cosmeticRule.test(text)) return ['cosmetic'];
  if (text === '' || comment.test(text)) return [];
  if (/^\/.+\/(?:\$[^/]*)?$/.test(text)) return ['regex'];
  if (!/[|^*$]/.test(text)) return readSimpleLine(text);
  return [toRuleEntry(cutComment(text))];
}

function toRuleEntry(rule: string): Entry {
  const dollar = rule.indexOf('$');
  const pattern = dollar < 0 ? rule : rule.slice(0, dollar);
  if (pattern === '') return 'option';
  // `|https://x.com/|` matches only that page.
  if (pattern.endsWith('/|') || pattern.includes('#')) return 'path';
  const site = pattern
    .replace(/^\|{0,2}(?::\/\/)?/, '')
    .replace(/\^?\*?\|?$/, (end) => (end.startsWith('*') ? end : ''))
    .replace('^', '/');
  // `||x.` matches every name that starts with `x.`.
  if (site.endsWith('.')) return 'wildcard';
  const entry = toEntry(site);
  return isName(entry) && dollar >= 0 && !isAboutWholeSite(rule.slice(dollar + 1)) ? 'option' : entry;
}

/** `_` is an option without a meaning. */
const isAboutWholeSite = (options: string) =>
  options
    .toLowerCase()
    .split(',')
    .every((option) => wholeSiteOptions.has(option.trim()) || /^_+$/.test(option.trim()));

function cutComment(text: string): string {
  const start = text.search(/\s#/);
  return start < 0 ? text : text.slice(0, start).trimEnd();
}
