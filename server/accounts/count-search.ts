import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { findSearches, lockSearches, type SearchState, saveSearch } from './store-searches.ts';

const minute = 60_000;
const sameFor = 60 * minute;
const typingFor = minute;

/**
 * What a text is to the last one that was searched for. The `same` within an hour, so that sorting, paging and coming back cost
 * nothing, or with letters taken away at its end; `typed on` when letters were added within a minute; else `another`.
 */
export function kindOfSearch(
  text: string,
  last: Pick<SearchState, 'text' | 'at'>,
  now: Date,
): 'same' | 'typed on' | 'another' {
  if (last.text === null || last.at === null) return 'another';
  const age = now.getTime() - last.at.getTime();
  if (age < sameFor && last.text.startsWith(text)) return 'same';
  return age < typingFor && text.startsWith(last.text) ? 'typed on' : 'another';
}

/**
 * Counts a search of the blacklist, where it is another one than the last; also when it finds nothing. Searches at the same
 * moment are counted one by one. Throws 403 `search_limit` for another search of somebody who has used up theirs; then nothing
 * is counted.
 */
export async function countSearch(
  { config, db, now: clock }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  text: string,
): Promise<void> {
  const now = clock();
  const seen = await findSearches(db, userId);
  // Without a lock or a write, as nearly always: whoever sorts or pages waits for nobody.
  if (!seen || kindOfSearch(text, seen, now) === 'same') return;
  await db.transaction().execute(async (trx) => {
    const state = await lockSearches(trx, userId);
    const kind = state && kindOfSearch(text, state, now);
    if (!state || kind === 'same') return;
    if (kind === 'another') refuseBeyond(state, config.searchLimit);
    await saveSearch(trx, userId, text, now, kind === 'another' ? 1 : 0);
  });
}

function refuseBeyond({ isAdmin, searchLimit, searchesUsed }: SearchState, usual: number | undefined): void {
  const limit = searchLimit ?? usual;
  if (isAdmin || limit === undefined || searchesUsed < limit) return;
  throw new HttpError(403, 'search_limit', 'Search limit reached', {
    message: `You have used all ${limit} of your searches.`,
    searchesUsed,
    searchLimit: limit,
  });
}
