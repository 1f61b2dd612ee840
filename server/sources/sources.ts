import { maxSourceLength, maxSources } from '#shared/domains.ts';
import { communitySource } from '#shared/submissions.ts';
import { refreshDomains as refreshDomainRows } from './store-refresh.ts';
import { updateSourceRunStarter } from './store-runs.ts';

/** Updates what domains store about their listings, after listings were added or withdrawn. */
export const refreshDomains = refreshDomainRows;

/** Updates the username on changes of sources that the user started. */
export const renameSourceRunStarter = updateSourceRunStarter;

/**
 * Splits a comma-separated cell into its sources, in the order of their first mention and without duplicates (ignoring
 * case). Returns a sentence that says what to correct if there is none or a limit is exceeded. The limits keep every
 * source short enough for an index.
 */
export function readSources(cell: string): { sources: string[] } | { reason: string } {
  const names = new Map<string, string>();
  for (const part of toSingleLine(cell).split(',')) {
    const name = stripQuotes(part);
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const sources = [...names.values()];
  if (sources.length === 0) return { reason: 'The source is missing: enter at least one.' };
  if (sources.length > maxSources) return { reason: `There are more than ${maxSources} sources: remove some.` };
  if (sources.some((name) => name.length > maxSourceLength)) {
    return { reason: `A source name is longer than ${maxSourceLength} characters: shorten it.` };
  }
  return { sources };
}

/**
 * Converts the text that a user entered as the source of a site to one source. Commas would split it into several
 * sources, so they become semicolons. Returns '' if nothing visible was entered.
 */
export function toSingleSource(given: string): string {
  const parts = toSingleLine(given)
    .split(',')
    .map(stripQuotes)
    .filter((part) => part !== '');
  const spaced = parts.join('; ');
  return spaced.length <= maxSourceLength ? spaced : parts.join(';');
}

/**
 * Adds the source of a user's submission and the source `community` to the sources of a domain, and computes its risk
 * level, 1 to 4, from their number. A level set by hand stays.
 * @param before the current listing, or undefined if the domain is not listed
 * @returns `reason` if there are too many sources or one is too long
 */
export function mergeSources(
  before: { source: string; riskLevel: number; riskGiven: boolean } | undefined,
  given: string,
): { source: string; riskLevel: number } | { reason: string } {
  const read = readSources([before?.source ?? '', toSingleSource(given), communitySource].join(','));
  if ('reason' in read) return read;
  const riskLevel = before?.riskGiven ? before.riskLevel : getRiskForSourceCount(read.sources.length);
  return { source: read.sources.join(', '), riskLevel };
}

/** Invisible characters that change the direction of the following text, or make two different names look the same. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Converts a text to one line: runs of white space and control characters become one space, and invisible characters
 * are removed.
 */
export function toSingleLine(text: string): string {
  return text
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const pairs: ReadonlySet<string> = new Set(['""', "''", '“”', '„“', '‘’']);

/** Removes the white space and the pairs of quotation marks around a text. */
function stripQuotes(text: string): string {
  let inner = text.trim();
  while (inner.length > 1 && pairs.has(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

/** Converts a price to the stored form: one line without quotation marks around it. */
export function toStoredCost(text: string): string {
  return stripQuotes(toSingleLine(text));
}

/** Risk levels, 1 to 4, by the number of sources: the first is for one source, the last for five or more. */
export const riskBySourceCount = [1, 2, 2, 3, 4] as const;

/** Returns the risk level, 1 to 4, for a number of sources. */
export function getRiskForSourceCount(count: number): number {
  return riskBySourceCount[Math.min(count, riskBySourceCount.length) - 1] ?? 1;
}
