import type { Db } from '../db/database.ts';
import { listFacet } from './store-counts.ts';

/** What occurs in the blacklist, sorted: its endings, niches or sources. */
export async function listKeys(db: Db, facet: 'tld' | 'niche' | 'source'): Promise<string[]> {
  return (await listFacet(db, facet)).map(({ key }) => key).sort((a, b) => a.localeCompare(b, 'en'));
}
