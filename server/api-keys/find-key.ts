import type { Context } from '../context.ts';
import { joinQuestions } from '../db/join-questions.ts';
import type { FindKeyHolder, KeyHolder } from '../http/scope.ts';
import { hashOf, isKeyValue } from './key-value.ts';
import { utcDay } from './quota-day.ts';
import { findKeysByHash } from './store.ts';

/**
 * Finds keys by their values, those asked for at the same moment together. Nothing is kept: a key that is deleted, or whose
 * owner's account is disabled, is found no more from that moment on. A value with a typing error, or of another service, is
 * refused by its checksum, without a question to the database.
 */
export function keyFinder({ pool, now }: Pick<Context, 'pool' | 'now'>): FindKeyHolder {
  const find = joinQuestions(async (hashes: readonly Buffer[]) => {
    const found: (KeyHolder | undefined)[] = hashes.map(() => undefined);
    for (const { place, ...holder } of await findKeysByHash(pool, hashes, utcDay(now()))) found[place - 1] = holder;
    return found;
  });
  return async (value) => (isKeyValue(value) ? find(hashOf(value)) : undefined);
}
