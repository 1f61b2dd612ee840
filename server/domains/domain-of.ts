import { type Domain, type RiskLevel, riskLevels } from '#shared/domains.ts';
import type { DomainRow } from './store-rows.ts';

/** A row as the asker may see it: where it comes from is for admins only. */
export function domainOf(row: DomainRow, isAdmin: boolean): Domain {
  const { source, sourceDetails, notes, addedBy, riskLevel, riskGiven, dateAdded, lastUpdated, ...open } = row;
  return {
    ...open,
    riskLevel: riskWord(riskLevel),
    dateAdded: dateAdded.toISOString(),
    lastUpdated: lastUpdated.toISOString(),
    ...(isAdmin && { source, sourceDetails, notes, addedBy }),
  };
}

/** The word of a stored level, 1 to 4. */
export function riskWord(level: number): RiskLevel {
  return riskLevels[level - 1] ?? 'low';
}
