import { maxSourceLength, maxSources } from '#shared/domains.ts';
import { communitySource } from '#shared/submissions.ts';

/**
 * The sources of a cell in the order of their first mention, each once, compared without case; or a sentence that says what to
 * correct. The limits keep every source short enough for an index.
 */
export function readSources(cell: string): { sources: string[] } | { reason: string } {
  const names = new Map<string, string>();
  for (const part of toSingleLine(cell).split(',')) {
    const name = withoutQuotes(part);
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const sources = [...names.values()];
  if (sources.length === 0) return { reason: 'The source is missing.' };
  if (sources.length > maxSources) return { reason: `There are more than ${maxSources} sources.` };
  if (sources.some((name) => name.length > maxSourceLength)) {
    return { reason: `A source name is longer than ${maxSourceLength} characters.` };
  }
  return { sources };
}

/**
 * The source that a user gave for a site, as one source. Commas separate sources, so they become semicolons. Empty where no source is
 * given.
 */
export function toSingleSource(given: string): string {
  const parts = toSingleLine(given)
    .split(',')
    .map(withoutQuotes)
    .filter((part) => part !== '');
  const spaced = parts.join('; ');
  return spaced.length <= maxSourceLength ? spaced : parts.join(';');
}

/**
 * The sources and the level, 1 to 4, of a domain that is listed for a user's suggestion: the user's source is one source, and
 * `community` another. A level given by hand stays.
 * @param before the domain as it is listed now
 * @returns `reason` where the sources become too many or too long
 */
export function mergeSources(
  before: { source: string; riskLevel: number; riskGiven: boolean } | undefined,
  given: string,
): { source: string; riskLevel: number } | { reason: string } {
  const read = readSources([before?.source ?? '', toSingleSource(given), communitySource].join(','));
  if ('reason' in read) return read;
  const riskLevel = before?.riskGiven ? before.riskLevel : riskOfSources(read.sources.length);
  return { source: read.sources.join(', '), riskLevel };
}

/** Invisible characters: they change the direction of the text after them, or make two names look the same. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text as one line: every run of white space and controls becomes one space, and invisible characters go. */
export function toSingleLine(text: string): string {
  return text
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const pairs: ReadonlySet<string> = new Set(['""', "''", '“”', '„“', '‘’']);

/** A text without the white space and the pairs of quotation marks around it. */
function withoutQuotes(text: string): string {
  let inner = text.trim();
  while (inner.length > 1 && pairs.has(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

/** A price as it is stored: one line without quotation marks around it. */
export function costCell(text: string): string {
  return withoutQuotes(toSingleLine(text));
}

/** Risk levels, 1 to 4, by the number of sources. The first is the level of one source, the last that of five and more. */
export const riskBySources = [1, 2, 2, 3, 4] as const;

/** The level, 1 to 4, of a number of sources. */
export function riskOfSources(count: number): number {
  return riskBySources[Math.min(count, riskBySources.length) - 1] ?? 1;
}
