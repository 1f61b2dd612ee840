import type { Db } from '../db/database.ts';
import { lookupNames } from './host.ts';
import { listedNameOf } from './listed-name.ts';
import { selectListedNames, selectListings } from './store-match.ts';

/** What the blacklist says of a name. `risk` is 1 (low) to 4 (very high). */
export interface Listing {
  name: string;
  risk: number;
  sourceCount: number;
  niche: string | null;
  addedAt: Date;
  updatedAt: Date;
}

/**
 * The listing of each normalised host that the blacklist covers, itself or by a parent; the nearest name wins. Hosts that are
 * not covered are left out. One question, whatever the number of hosts.
 */
export async function matchHosts(db: Db, hosts: readonly string[]): Promise<Map<string, Listing>> {
  const names = [...new Set(hosts.flatMap(lookupNames))];
  if (names.length === 0) return new Map();
  const listings = new Map((await selectListings(db, names)).map((listing) => [listing.name, listing]));
  return new Map(
    hosts.flatMap((host) => {
      const listing = listings.get(listedNameOf(host, listings) ?? '');
      return listing ? [[host, listing] as const] : [];
    }),
  );
}

/** Those of many names that stand in the blacklist, asked exactly, in no order. Takes and gives text with a name on each line. */
export function findListedNames(db: Db, lines: string): Promise<string> {
  return selectListedNames(db, lines);
}
