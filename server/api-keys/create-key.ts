import { type ApiKey, apiKeyLimits, usualKeyName } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { conflict, unauthorized } from '../http/errors.ts';
import { keyPlace } from './key-of.ts';
import { hashOf, newKeyValue } from './key-value.ts';
import { seal } from './seal.ts';
import { countKeys, insertKey, lockOwner } from './store.ts';

/** Makes a key. Throws 409 when the user has as many as one may have, also when they were asked for at the same moment. */
export async function createKey(
  { db, secretKey, now }: Pick<Context, 'db' | 'secretKey' | 'now'>,
  userId: number,
  givenName: string | undefined,
): Promise<ApiKey> {
  const keyValue = newKeyValue();
  const hash = hashOf(keyValue);
  const key = {
    userId,
    name: givenName || usualKeyName,
    hash,
    sealed: seal(secretKey, keyValue, keyPlace(userId, hash)),
    now: now(),
  };
  const id = await db.transaction().execute(async (trx) => {
    if (!(await lockOwner(trx, userId))) throw unauthorized();
    if ((await countKeys(trx, userId)) >= apiKeyLimits.maxKeys) {
      throw conflict(`You have ${apiKeyLimits.maxKeys} API keys, which is the most. Please delete one first.`);
    }
    return insertKey(trx, key);
  });
  return {
    id,
    name: key.name,
    keyValue,
    active: true,
    createdAt: key.now.toISOString(),
    usageCount: 0,
    dailyLimit: apiKeyLimits.requestsADay,
    dailyUsage: 0,
    lastUsed: null,
  };
}
