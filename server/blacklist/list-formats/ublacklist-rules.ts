import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { type Entry, readSimpleLine, toEntry } from './entry.ts';

/** Expressions such as `title*="x"`, `url/x/i`, `$category = "x"` and `! path ^= "x"`, and rules with a condition. */
const expression = /^(?:\/|[($]|(?:title|url|scheme|host|path)\s*(?:[=~^$*!]|\/))|^!.*["'/()]|\s@if\s*\(|["']/i;

/**
 * Creates a function that reads the lines of a uBlacklist file in their order: a description between lines of `---`,
 * match patterns such as `*://*.x.com/*`, and names.
 */
export function createUblacklistReader(): (line: string) => readonly Entry[] {
  let isStart = true;
  let insideDescription = false;
  return (line) => {
    const text = trimInvisible(line);
    if (insideDescription || (isStart && text === '---')) {
      insideDescription = isStart || text !== '---';
      isStart = false;
      return [];
    }
    if (text !== '') isStart = false;
    return readRule(text);
  };
}

function readRule(text: string): readonly Entry[] {
  if (text === '' || text.startsWith('#')) return [];
  // `@` unblocks what follows, `@1` only colors it.
  if (text.startsWith('@')) return ['exception'];
  if (expression.test(text)) return ['regex'];
  if (text === '<all_urls>') return ['wildcard'];
  const comment = text.search(/\s#/);
  const rule = comment < 0 ? text : text.slice(0, comment).trimEnd();
  return rule.includes('*') ? [toEntry(rule)] : readSimpleLine(rule);
}
