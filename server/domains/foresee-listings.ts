import type { RiskLevel } from '#shared/domains.ts';
import type { Db } from '../db/database.ts';
import { riskWord } from './domain-of.ts';
import { listRows } from './store-rows.ts';
import { uniteSources } from './unite-sources.ts';

/** What the blacklist would say of a suggested site. */
export interface ForeseenListing {
  sources: string[];
  riskLevel: RiskLevel;
}

/** What approving each of the sites would make of its domain now, by their order; undefined where it cannot be listed. */
export async function foreseeListings(
  db: Db,
  sites: readonly { domain: string; source: string }[],
): Promise<(ForeseenListing | undefined)[]> {
  if (sites.length === 0) return [];
  const rows = await listRows(db, [...new Set(sites.map(({ domain }) => domain))]);
  const listed = new Map(rows.map((row) => [row.domain, row]));
  return sites.map(({ domain, source }) => {
    const after = uniteSources(listed.get(domain), source);
    if ('reason' in after) return undefined;
    return { sources: after.source.split(', '), riskLevel: riskWord(after.riskLevel) };
  });
}
