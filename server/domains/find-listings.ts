import type pg from 'pg';
import type { RiskLevel } from '#shared/domains.ts';
import { riskWord } from './domain-of.ts';
import { lookupNames } from './host.ts';
import { listedNameOf } from './listed-name.ts';
import { selectListings } from './store-match.ts';

/** What anybody may know of a listed name. Dates are ISO 8601. */
export interface Listing {
  id: number;
  domain: string;
  riskLevel: RiskLevel;
  sourceCount: number;
  niche: string | null;
  dateAdded: string;
  lastUpdated: string;
}

/**
 * The listing that covers each normalised host, its own or that of a domain above it; a host without one is missing. One
 * question to the database.
 */
export async function findListings(pool: pg.Pool, hosts: readonly string[]): Promise<Map<string, Listing>> {
  const names = [...new Set(hosts.flatMap(lookupNames))];
  if (names.length === 0) return new Map();
  const rows = await selectListings(pool, names);
  const listed = new Map(rows.map((row) => [row.domain, row]));
  const found = new Map<string, Listing>();
  for (const host of hosts) {
    const row = listed.get(listedNameOf(host, listed) ?? '');
    if (!row) continue;
    found.set(host, {
      ...row,
      riskLevel: riskWord(row.riskLevel),
      dateAdded: row.dateAdded.toISOString(),
      lastUpdated: row.lastUpdated.toISOString(),
    });
  }
  return found;
}
