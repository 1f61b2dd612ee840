import { maxNetworks, type Network } from '#shared/checks/domain-lists.ts';
import type { ActiveListing } from '../../blacklist/sources/sources.ts';

/** A source or family, with the positions of the results that it lists. */
type FoundNetwork = Pick<Network, 'kind' | 'name'> & { members: Set<number> };

/**
 * Finds the sources and families that list at least two of the checked domains, those with the most domains first. A
 * source with a family counts as its family, unless only the source has a name that the caller may see.
 * @param listings active listings of the listed domains
 * @param positions of the results by the listed domain
 */
export function findNetworks(
  listings: readonly ActiveListing[],
  positions: ReadonlyMap<string, readonly number[]>,
): FoundNetwork[] {
  const found = new Map<string, FoundNetwork>();
  for (const { name, sourceId, source, family } of listings) {
    const isFamily = family !== null && (family.name !== null || source === null);
    if (!isFamily && source === null) continue;
    const key = isFamily ? `family ${family.id}` : `source ${sourceId}`;
    const known: FoundNetwork = found.get(key) ?? {
      kind: isFamily ? 'family' : 'source',
      name: isFamily ? family.name : source,
      members: new Set(),
    };
    for (const position of positions.get(name) ?? []) known.members.add(position);
    found.set(key, known);
  }
  return [...found.values()]
    .filter(({ members }) => members.size > 1)
    .sort((a, b) => b.members.size - a.members.size || (a.name ?? '').localeCompare(b.name ?? ''))
    .slice(0, maxNetworks);
}
