import type { Db } from '../db/database.ts';
import { shortGram } from './count-grams.ts';
import { conditionsOf, type Matches } from './matches.ts';
import { countCombination, countFacet, countPieces, countSince } from './store-counts.ts';

/** What the kept counts say of a list. */
export interface Total {
  /** The number of matches, where the kept counts answer that. */
  exact: number | undefined;
  /** Never less than the number of matches. */
  most: number;
  /** The part of the text that fewest names contain and that the search index knows well; undefined where there is none. */
  rarest: string | undefined;
  /** The text is long and was rare when the pieces to be counted were chosen: `most` is far too much. */
  rare: boolean;
  /** The text leaves fewer names than any other condition does rows, but has no part that the search index knows well. */
  byNames: boolean;
}

/** Counts matches without looking at domains. Reads only what the snapshot of `db` shows. */
export async function totalOf(db: Db, matches: Matches): Promise<Total> {
  const { text, tld, niche, riskLevel, source, since } = matches;
  const counts: number[] = [];
  const searched = text === undefined ? undefined : await countText(db, text);
  if (searched) counts.push(searched.most);
  if (source !== undefined) counts.push(await countFacet(db, 'source', source));
  if (since !== undefined) counts.push(await countSince(db, since.toISOString().slice(0, 10)));
  const combined = [riskLevel, tld, niche].filter((value) => value !== undefined).length;
  if (combined > 1) counts.push(await countCombination(db, matches));
  else if (riskLevel !== undefined) counts.push(await countFacet(db, 'risk', String(riskLevel)));
  else if (tld !== undefined) counts.push(await countFacet(db, 'tld', tld));
  else if (niche !== undefined) counts.push(await countFacet(db, 'niche', niche));
  if (conditionsOf(matches).length === 0) counts.push(await countFacet(db, 'all', ''));
  const most = Math.min(...counts);
  const answered = counts.length === 1 && searched?.rare !== true;
  return {
    exact: answered || most === 0 ? most : undefined,
    most,
    rarest: searched?.rarest,
    rare: searched?.rare ?? false,
    byNames: searched !== undefined && searched.rarest === undefined && searched.most === most,
  };
}

async function countText(db: Db, text: string): Promise<Pick<Total, 'most' | 'rarest' | 'rare'>> {
  const pieces = Array.from({ length: Math.max(1, text.length - shortGram + 1) }, (_, i) =>
    text.slice(i, i + shortGram),
  );
  const { counted, counts, change, came } = await countPieces(db, text, pieces);
  const known = counted ?? (text.length <= shortGram ? 0 : undefined);
  const most = known === undefined ? Math.min(...counts) + came : known + change;
  return { most, rarest: rarestPart(text, pieces, counts), rare: known === undefined };
}

/**
 * The rarest piece with two more characters on each side, within letters and digits: the search index has no entries across dots
 * and hyphens, and those for the begin and end of a word stand for too many names.
 */
function rarestPart(text: string, pieces: string[], counts: number[]): string | undefined {
  const words = [...text.matchAll(/[a-z0-9]{3,}/g)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  const parts = pieces.flatMap((_, i) => {
    const word = words.find(({ from, to }) => from <= i && i + shortGram <= to);
    return word
      ? [{ count: counts[i] ?? 0, from: Math.max(word.from, i - 2), to: Math.min(word.to, i + shortGram + 2) }]
      : [];
  });
  const [best] = parts.sort((a, b) => a.count - b.count);
  if (best) return text.slice(best.from, best.to);
  // Two letters beside a dot or hyphen are an entry too.
  return /[a-z0-9]{3}|[a-z0-9]{2}[._-]|[._-][a-z0-9]{2}/.test(text) ? text : undefined;
}
