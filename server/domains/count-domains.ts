import type { Db } from '../db/database.ts';
import { conditionsOf, type Matches } from './matches.ts';
import { countCombination, countFacet, countSince, countText } from './store-counts.ts';

/** What the kept counts say of a list. */
export interface Total {
  /** The number of matches, where the kept counts answer that. */
  exact: number | undefined;
  /** Never less than the number of matches. */
  most: number;
}

/** Counts matches without looking at domains. Reads only what the snapshot of `db` shows. */
export async function totalOf(db: Db, matches: Matches): Promise<Total> {
  const names = conditionsOf(matches);
  const { text, tld, niche, riskLevel, source, since } = matches;
  const counts: Total[] = [];
  const known = (count: number) => counts.push({ exact: count, most: count });
  if (text !== undefined) counts.push(await countText(db, text));
  if (source !== undefined) known(await countFacet(db, 'source', source));
  if (since !== undefined) known(await countSince(db, since.toISOString().slice(0, 10)));
  const combined = [riskLevel, tld, niche].filter((value) => value !== undefined).length;
  if (combined > 1) known(await countCombination(db, matches));
  else if (riskLevel !== undefined) known(await countFacet(db, 'risk', String(riskLevel)));
  else if (tld !== undefined) known(await countFacet(db, 'tld', tld));
  else if (niche !== undefined) known(await countFacet(db, 'niche', niche));
  if (names.length === 0) known(await countFacet(db, 'all', ''));
  const most = Math.min(...counts.map((count) => count.most));
  const [only] = counts;
  const exact = counts.length === 1 ? only?.exact : most === 0 ? 0 : undefined;
  return { exact, most };
}
