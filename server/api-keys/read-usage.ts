import { apiKeyLimits } from '#shared/api-keys.ts';
import type { KeyUsage } from '#shared/key-checks.ts';
import type { AppContext } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import type { KeyHolder } from '../http/scope.ts';
import { nextDay, utcDay } from './quota-day.ts';
import { findUsage } from './store-usage.ts';

/** What a key has used, with all that this process has answered. Throws 401 when the key was deleted meanwhile. */
export async function readUsage({ db, quota, now }: AppContext, key: KeyHolder): Promise<KeyUsage> {
  await quota.flush(key.userId);
  const at = now();
  const usage = await findUsage(db, key.userId, key.keyId, utcDay(at));
  if (!usage) throw unauthorized('This API key has been deleted. Please use another one.');
  key.used = usage.dailyUsage;
  return {
    name: usage.name,
    dailyLimit: apiKeyLimits.requestsADay,
    dailyUsage: usage.dailyUsage,
    remaining: quota.left(key),
    resetAt: nextDay(at).toISOString(),
    usageCount: usage.usageCount,
    lastUsed: usage.lastUsedAt?.toISOString() ?? null,
  };
}
