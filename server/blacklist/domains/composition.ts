import { type Composition, toTopValues } from '#shared/blacklist/composition.ts';
import { sumRiskCounts } from '#shared/blacklist/domains.ts';
import type { Db } from '../../platform/db/database.ts';
import { listUpdateMonths } from '../updates/updates.ts';
import { countFacet, listFacet } from './counts/store-counts.ts';
import { countByRisk } from './domains.ts';

const maxMonths = 12;

/** Returns what the blacklist consists of. Reads only stored counts, so it is fast at any size. */
export async function getComposition(db: Db, now: Date): Promise<Composition> {
  const [riskCounts, niches, withoutNiche, tlds, changes] = await Promise.all([
    countByRisk(db),
    listFacet(db, 'niche'),
    countFacet(db, 'niche', ''),
    listFacet(db, 'tld'),
    listUpdateMonths(db, now, maxMonths),
  ]);
  const changed = new Map(changes.map((month) => [month.month, month]));
  const months = Array.from({ length: maxMonths }, (_, index) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - maxMonths + 1 + index));
    const month = start.toISOString().slice(0, 7);
    const { added = 0, removed = 0 } = changed.get(month) ?? {};
    return { month, added, removed };
  });
  const total = sumRiskCounts(riskCounts);
  return { total, riskCounts, niches: toTopValues(niches), withoutNiche, tlds: toTopValues(tlds), months };
}
