import { longestSource, mostSources } from '#shared/domains.ts';
import { communitySource } from '#shared/submissions.ts';

/**
 * The separate sources of a cell, in the order first seen, each once whatever its case; or a sentence that says what has to be
 * mended. The limits keep every source short enough for an index.
 */
export function readSources(cell: string): { sources: string[] } | { reason: string } {
  const names = new Map<string, string>();
  for (const part of plainLine(cell).split(',')) {
    const name = withoutQuotes(part);
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const sources = [...names.values()];
  if (sources.length === 0) return { reason: 'The source is missing.' };
  if (sources.length > mostSources) return { reason: `There are more than ${mostSources} sources.` };
  if (sources.some((name) => name.length > longestSource)) {
    return { reason: `A source name is longer than ${longestSource} characters.` };
  }
  return { sources };
}

/**
 * What somebody named as the source of a site, as one source: commas separate sources, and one person's word is one, so they
 * become semicolons. Empty where nothing is named.
 */
export function oneSource(named: string): string {
  const parts = plainLine(named)
    .split(',')
    .map(withoutQuotes)
    .filter((part) => part !== '');
  const spaced = parts.join('; ');
  return spaced.length <= longestSource ? spaced : parts.join(';');
}

/**
 * The sources and the level, 1 to 4, that a domain has once it is listed for what a user named: that is one source, and
 * `community` another. A level that was given stays. `before`: the domain as it is listed now. `reason`: why it cannot be.
 */
export function uniteSources(
  before: { source: string; riskLevel: number; riskGiven: boolean } | undefined,
  named: string,
): { source: string; riskLevel: number } | { reason: string } {
  const read = readSources([before?.source ?? '', oneSource(named), communitySource].join(','));
  if ('reason' in read) return read;
  const riskLevel = before?.riskGiven ? before.riskLevel : riskOfSources(read.sources.length);
  return { source: read.sources.join(', '), riskLevel };
}

/** Signs that nobody sees: they turn the direction of what follows, or make two names that look the same. */
const unseen = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text as one line: every run of white space and controls is one space, and nothing turns what stands behind it. */
export function plainLine(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const pairs: ReadonlySet<string> = new Set(['""', "''", '“”', '„“', '‘’']);

/** A text without white space and pairs of quotation marks around it, however many. */
function withoutQuotes(text: string): string {
  let inner = text.trim();
  while (inner.length > 1 && pairs.has(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

/** A price as it is stored: one line, without the quotation marks of a table around it. */
export function costCell(text: string): string {
  return withoutQuotes(plainLine(text));
}

/** The level that follows from a number of sources. */
export function riskOfSources(count: number): number {
  if (count >= 5) return 4;
  if (count === 4) return 3;
  return count >= 2 ? 2 : 1;
}
