import { longestSource } from '#shared/domains.ts';
import { plainLine } from './plain-line.ts';
import { withoutQuotes } from './without-quotes.ts';

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
