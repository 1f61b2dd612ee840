import { longestSource, mostSources } from '#shared/domains.ts';
import { plainLine } from './plain-line.ts';
import { withoutQuotes } from './without-quotes.ts';

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
