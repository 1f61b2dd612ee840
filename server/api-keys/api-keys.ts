import { type ApiKey, apiKeyLimits } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { batchQueries } from '../db/batch-queries.ts';
import { type HttpError, tooManyRequests, unauthorized } from '../http/errors.ts';
import type { KeyHolder } from '../http/scope.ts';
import { hashKeyValue, isKeyValue, unsealValue } from './key-value.ts';
import { type Charge, chargeKeys, type KeyRow, listKeyHoldersByHash, listKeyRows } from './store.ts';

const limit = apiKeyLimits.requestsPerDay;

/** The user's keys with their values, newest first. */
export async function listKeysOfUser(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  userId: number,
): Promise<ApiKey[]> {
  const rows = await listKeyRows(context.db, userId, toUtcDay(context.now()));
  return rows.map((row) => toApiKey(context, userId, row));
}

/** Converts a row to the key as its owner sees it. A key is active until it is deleted. */
export function toApiKey({ secretKey }: Pick<Context, 'secretKey'>, userId: number, row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    keyValue: unsealValue(secretKey, userId, row),
    active: true,
    createdAt: row.createdAt.toISOString(),
    usageCount: row.usageCount,
    dailyLimit: limit,
    dailyUsage: row.dailyUsage,
    lastUsed: row.lastUsed?.toISOString() ?? null,
  };
}

/**
 * Returns a function that finds the key with a value. It returns undefined if the value is not a key, the key was
 * deleted, or the account of its owner is disabled. Nothing is cached, so deleting a key takes effect immediately.
 */
export function createKeyFinder({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const find = batchQueries(async (hashes: readonly Buffer[]) => {
    const found: (KeyHolder | undefined)[] = hashes.map(() => undefined);
    for (const { position, ...holder } of await listKeyHoldersByHash(pool, hashes, toUtcDay(now()))) {
      found[position - 1] = holder;
    }
    return found;
  });
  return async (value: string): Promise<KeyHolder | undefined> =>
    isKeyValue(value) ? find(hashKeyValue(value)) : undefined;
}

/**
 * Returns a function that does work and then charges the key for it, so that failed work costs nothing. It updates the
 * `dailyUsage` of the key. If the key has fewer requests left than the work costs, it throws 429 and charges nothing.
 */
export function createKeyCharger({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const charge = batchQueries((calls: readonly Charge[]) => chargeInOrder(pool, calls, now()));
  return async <T>(key: KeyHolder, cost: number, work: () => Promise<T>): Promise<T> => {
    if (key.dailyUsage + cost > limit) throw quotaError(key, cost, now());
    const result = await work();
    const charged = await charge({ keyId: key.keyId, cost });
    if (!charged) throw keyDeletedError();
    key.day = charged.day;
    key.dailyUsage = charged.dailyUsage;
    if (!charged.fits) throw quotaError(key, cost, now());
    return result;
  };
}

/**
 * Charges calls that arrived together in one statement, each key with the sum of its calls. If the sum exceeds the
 * limit of a key, its calls are charged one by one in their order.
 * @returns undefined for a call whose key was deleted
 */
async function chargeInOrder(pool: Context['pool'], calls: readonly Charge[], at: Date) {
  const chargeAll = (charges: Charge[]) => chargeKeys(pool, charges, { today: toUtcDay(at), now: at, limit });
  const byKey = Map.groupBy(calls, ({ keyId }) => keyId);
  const sums = Array.from(byKey, ([keyId, keyCalls]) => ({
    keyId,
    cost: keyCalls.reduce((sum, { cost }) => sum + cost, 0),
  }));
  const results = new Map<Charge, { day: string; dailyUsage: number; fits: boolean }>();
  for (const { keyId, ...sumResult } of await chargeAll(sums)) {
    let { day, used } = sumResult;
    for (const call of byKey.get(keyId) ?? []) {
      let { fits } = sumResult;
      if (!fits && used + call.cost <= limit) {
        const [result] = await chargeAll([call]);
        if (!result) break;
        ({ day, used, fits } = result);
      }
      if (fits) used += call.cost;
      results.set(call, { day, dailyUsage: used, fits });
    }
  }
  return calls.map((call) => results.get(call));
}

/** Returns the UTC day as 'YYYY-MM-DD'. */
export const toUtcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Returns when the next UTC day starts. */
export const endOfUtcDay = (day: string): Date => new Date(Date.parse(day) + 86_400_000);

export const keyDeletedError = () => unauthorized('This API key has been deleted. Use another one.');

function quotaError({ day, dailyUsage }: KeyHolder, cost: number, at: Date): HttpError {
  const left = limit - dailyUsage;
  const end = endOfUtcDay(day);
  const reason =
    left === 0
      ? `This key has used all of its ${limit.toLocaleString('en-US')} requests today.`
      : `This call needs ${cost} requests, but this key has ${left} left today. Send fewer domains.`;
  return tooManyRequests(
    `${reason} The limit resets at 00:00 UTC on ${toUtcDay(end)}.`,
    (end.getTime() - at.getTime()) / 1000,
  );
}
