import { communitySource } from '#shared/submissions.ts';
import { riskOfSources } from './domain-cells.ts';
import { oneSource } from './one-source.ts';
import { readSources } from './read-sources.ts';
import type { DomainRow } from './store-rows.ts';

/**
 * The sources and the level, 1 to 4, that a domain has once it is listed for what a user named: that is one source, and
 * `community` another. A level that was given stays. `before`: the domain as it is listed now. `reason`: why it cannot be.
 */
export function uniteSources(
  before: Pick<DomainRow, 'source' | 'riskLevel' | 'riskGiven'> | undefined,
  named: string,
): { source: string; riskLevel: number } | { reason: string } {
  const read = readSources([before?.source ?? '', oneSource(named), communitySource].join(','));
  if ('reason' in read) return read;
  const riskLevel = before?.riskGiven ? before.riskLevel : riskOfSources(read.sources.length);
  return { source: read.sources.join(', '), riskLevel };
}
