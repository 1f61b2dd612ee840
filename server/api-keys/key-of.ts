import { type ApiKey, apiKeyLimits } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { unseal } from './seal.ts';
import type { KeyRow } from './store.ts';

/** What a sealed value is bound to: its owner, and the row that is found by its hash. */
export const keyPlace = (userId: number, hash: Buffer) => `api key of user ${userId} ${hash.toString('hex')}`;

/** A key as its owner sees it. A key that exists is active: deleting is how one is switched off. */
export function keyOf({ secretKey }: Pick<Context, 'secretKey'>, userId: number, row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    keyValue: unseal(secretKey, row.sealed, keyPlace(userId, row.hash)) ?? null,
    active: true,
    createdAt: row.createdAt.toISOString(),
    usageCount: row.usageCount,
    dailyLimit: apiKeyLimits.requestsADay,
    dailyUsage: row.dailyUsage,
    lastUsed: row.lastUsedAt?.toISOString() ?? null,
  };
}
