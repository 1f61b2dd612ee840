import { type ApiKey, apiKeyLimits } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import { batchQueries } from '../db/batch-queries.ts';
import { type HttpError, tooManyRequests, unauthorized } from '../http/errors.ts';
import type { KeyHolder } from '../http/scope.ts';
import { hashOf, isKeyValue, unsealValue } from './key-value.ts';
import { type Charge, chargeKeys, type KeyRow, selectKeys, selectKeysByHash } from './store.ts';

const limit = apiKeyLimits.requestsPerDay;

/** The user's keys with their values, newest first. */
export async function listKeys(context: Pick<Context, 'db' | 'secretKey' | 'now'>, userId: number): Promise<ApiKey[]> {
  const rows = await selectKeys(context.db, userId, utcDay(context.now()));
  return rows.map((row) => toApiKey(context, userId, row));
}

/** A key as its owner sees it. A key that exists is active: deleting one switches it off. */
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
 * Returns a function that finds whose key a value is: undefined when it is no key, was deleted, or its owner's account is
 * disabled. Nothing is cached.
 */
export function openKeyFinder({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const find = batchQueries(async (hashes: readonly Buffer[]) => {
    const found: (KeyHolder | undefined)[] = hashes.map(() => undefined);
    for (const { place, ...holder } of await selectKeysByHash(pool, hashes, utcDay(now()))) found[place - 1] = holder;
    return found;
  });
  return async (value: string): Promise<KeyHolder | undefined> => (isKeyValue(value) ? find(hashOf(value)) : undefined);
}

/**
 * Returns a function that does work and then charges the key for it, so that work that fails costs nothing. It throws 429 when the
 * key has fewer requests left than the work costs, and charges nothing then. It keeps the key's `dailyUsage` up to date.
 */
export function openQuota({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const charge = batchQueries((calls: readonly Charge[]) => chargeInOrder(pool, calls, now()));
  return async <T>(key: KeyHolder, cost: number, work: () => Promise<T>): Promise<T> => {
    if (key.dailyUsage + cost > limit) throw tooFewLeft(key, cost, now());
    const result = await work();
    const charged = await charge({ keyId: key.keyId, cost });
    if (!charged) throw keyDeleted();
    key.day = charged.day;
    key.dailyUsage = charged.dailyUsage;
    if (!charged.fits) throw tooFewLeft(key, cost, now());
    return result;
  };
}

/**
 * Charges calls that arrived together in one statement, each key with the sum of its calls. Where a sum does not fit, the key's
 * calls are charged one by one, in their order.
 * @returns undefined for a call whose key was deleted
 */
async function chargeInOrder(pool: Context['pool'], calls: readonly Charge[], at: Date) {
  const chargeAll = (charges: Charge[]) => chargeKeys(pool, charges, { today: utcDay(at), now: at, limit });
  const byKey = Map.groupBy(calls, ({ keyId }) => keyId);
  const sums = Array.from(byKey, ([keyId, own]) => ({ keyId, cost: own.reduce((sum, { cost }) => sum + cost, 0) }));
  const results = new Map<Charge, { day: string; dailyUsage: number; fits: boolean }>();
  for (const { keyId, ...together } of await chargeAll(sums)) {
    let { day, used } = together;
    for (const call of byKey.get(keyId) ?? []) {
      let { fits } = together;
      if (!fits && used + call.cost <= limit) {
        const [alone] = await chargeAll([call]);
        if (!alone) break;
        ({ day, used, fits } = alone);
      }
      if (fits) used += call.cost;
      results.set(call, { day, dailyUsage: used, fits });
    }
  }
  return calls.map((call) => results.get(call));
}

/** The UTC day of a moment, 'YYYY-MM-DD'. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** When the UTC day after this one begins. */
export const endOf = (day: string): Date => new Date(Date.parse(day) + 86_400_000);

export const keyDeleted = () => unauthorized('This API key has been deleted. Please use another one.');

function tooFewLeft({ day, dailyUsage }: KeyHolder, cost: number, at: Date): HttpError {
  const left = limit - dailyUsage;
  const end = endOf(day);
  const sentence =
    left === 0
      ? `This key has none of its ${limit} requests left today.`
      : `This asks for ${cost} requests, and this key has ${left} left today: please ask for fewer at once.`;
  return tooManyRequests(
    `${sentence} The count resets at 00:00 UTC on ${utcDay(end)}.`,
    (end.getTime() - at.getTime()) / 1000,
  );
}
