import type * as contract from '#shared/accounts/api-keys.ts';
import {
  type ApiKey,
  apiKeyLimits,
  defaultKeyGraceHours,
  defaultKeyName,
  type KeyRotation,
} from '#shared/accounts/api-keys.ts';
import type { KeyUsage } from '#shared/checks/key-checks.ts';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import type { Context } from '../../context.ts';
import { batchQueries } from '../../platform/db/batch-queries.ts';
import type { Db } from '../../platform/db/database.ts';
import {
  conflict,
  type HttpError,
  invalidField,
  notFound,
  tooManyRequests,
  unauthorized,
} from '../../platform/http/errors.ts';
import type { KeyHolder } from '../../platform/http/scope.ts';
import { hashKeyValue, isKeyValue, newKeyValue, sealValue, unsealValue } from './key-value.ts';
import { hashRecord } from './oauth/adapter.ts';
import * as store from './store.ts';

const limit = apiKeyLimits.requestsPerDay;

/** The user's keys with their values, newest first. */
export async function listKeysOfUser(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  userId: number,
): Promise<ApiKey[]> {
  const rows = await store.listKeyRows(context.db, userId, toUtcDay(context.now()));
  return rows.map((row) => toApiKey(context, userId, row));
}

/** Converts a row to the key as its owner sees it. */
function toApiKey({ secretKey, now }: Pick<Context, 'secretKey' | 'now'>, userId: number, row: store.KeyRow): ApiKey {
  const { expiresAt, previousExpiresAt } = row;
  const at = now();
  return {
    id: row.id,
    name: row.name,
    keyValue: row.hash && row.sealed && unsealValue(secretKey, userId, { hash: row.hash, sealed: row.sealed }),
    assistant: row.oauthClientId === null ? null : { host: toRedirectHost(row.redirectUri ?? '') },
    scopes: row.scopes,
    scopesChosen: row.scopesChosen,
    active: !hasExpired(row, at),
    createdAt: row.createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    previousExpiresAt: previousExpiresAt && previousExpiresAt > at ? previousExpiresAt.toISOString() : null,
    usageCount: row.usageCount,
    dailyLimit: limit,
    dailyUsage: row.dailyUsage,
    lastUsed: row.lastUsed?.toISOString() ?? null,
    lastAddress: row.lastAddress,
  };
}

/** Whether a key has expired. */
const hasExpired = ({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** Where an assistant receives what its user allows: a host, or the scheme of a program such as `cursor:`. */
export function toRedirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

/** Adds a change of a key to the security activity, in the transaction of the change. */
type RecordKeyEvent = (trx: Db, name: string) => Promise<void>;

/**
 * Creates a key.
 * @throws 400 for an expiry in the past, and 409 if the user has the maximum number of keys, even if several are
 *   created at the same time
 */
export async function createKey(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  userId: number,
  { name, scopes = ['check'], expiresAt }: BodyOf<typeof contract.createApiKey>,
  record: RecordKeyEvent,
): Promise<ApiKey> {
  const { db, secretKey, now } = context;
  const at = now();
  const expiry = toExpiry(expiresAt ?? null, at);
  const value = newKeyValue();
  const key = {
    user_id: userId,
    name: name || defaultKeyName,
    hash: hashKeyValue(value),
    sealed: sealValue(secretKey, userId, value),
    created_at: at,
    expires_at: expiry,
    scopes,
  };
  const row = await db.transaction().execute(async (trx) => {
    if (!(await store.lockUser(trx, userId))) throw unauthorized();
    if ((await store.countKeys(trx, userId)) >= apiKeyLimits.maxKeys) {
      throw conflict(`You have ${apiKeyLimits.maxKeys} API keys, which is the maximum. Delete one to create another.`);
    }
    await record(trx, key.name);
    return await store.insertKey(trx, key, toUtcDay(at));
  });
  return toApiKey(context, userId, row);
}

/**
 * Gives a key a new value. The old one works until the grace period ends or the key expires, whichever is first.
 * @throws 404, and 400 for an expired key without a new expiry
 */
export async function rotateKey(
  context: Pick<Context, 'db' | 'secretKey' | 'now'>,
  { userId, id }: { userId: number; id: number },
  { graceHours = defaultKeyGraceHours, expiresAt }: KeyRotation,
  record: RecordKeyEvent,
): Promise<ApiKey> {
  const { db, secretKey, now } = context;
  const at = now();
  const today = toUtcDay(at);
  const value = newKeyValue();
  const row = await db.transaction().execute(async (trx) => {
    await store.lockUser(trx, userId);
    const before = await store.findKeyRow(trx, userId, id, today);
    if (!before || before.oauthClientId !== null) throw notFound('API key', id);
    if (expiresAt === undefined && hasExpired(before, at)) {
      throw invalidField('expiresAt', 'This key has expired. Choose when its new value expires.');
    }
    const expiry = expiresAt === undefined ? before.expiresAt : toExpiry(expiresAt, at);
    const ends = [at.getTime() + graceHours * 3_600_000, before.expiresAt?.getTime(), expiry?.getTime()];
    const after = await store.replaceKeyValue(
      trx,
      { userId, id },
      {
        hash: hashKeyValue(value),
        sealed: sealValue(secretKey, userId, value),
        expiresAt: expiry,
        previousExpiresAt: new Date(Math.min(...ends.filter((end) => end !== undefined))),
      },
      today,
    );
    if (!after) throw notFound('API key', id);
    await record(trx, after.name);
    return after;
  });
  return toApiKey(context, userId, row);
}

/**
 * Reduces what a key or an assistant can do, or keeps it, which answers the question about keys from before scopes.
 * @throws 404, and 400 for a scope that the key does not have
 */
export async function reduceKey(
  db: Db,
  { userId, id, day }: { userId: number; id: number; day: string },
  { scopes }: BodyOf<typeof contract.reduceApiKey>,
  record: RecordKeyEvent,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await store.lockUser(trx, userId);
    const before = await store.findKeyRow(trx, userId, id, day);
    if (!before) throw notFound('API key', id);
    if (!scopes.every((scope) => before.scopes.includes(scope))) {
      throw invalidField('scopes', 'A key can only lose scopes. Create another key to allow more.');
    }
    await store.updateScopes(trx, { userId, id }, scopes);
    if (scopes.length < before.scopes.length) await record(trx, before.name);
  });
}

/** Deletes a key or disconnects an assistant, which stops working immediately. @throws 404 */
export async function deleteKey(
  db: Db,
  userId: number,
  id: number,
  record: (trx: Db, deleted: { name: string; oauthClientId: string | null }) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Locks the user before the key, in the same order as deleting the account.
    await store.lockUser(trx, userId);
    const deleted = await store.deleteKey(trx, userId, id);
    if (!deleted) throw notFound('API key', id);
    await record(trx, deleted);
  });
}

/** @throws 401 if the key was deleted after the request was authenticated */
export async function readUsage(db: Db, key: KeyHolder): Promise<KeyUsage> {
  const row = await store.findKeyRow(db, key.userId, key.keyId, key.day);
  if (!row) throw keyDeletedError();
  key.dailyUsage = row.dailyUsage;
  return {
    name: row.name,
    dailyLimit: limit,
    dailyUsage: row.dailyUsage,
    remaining: limit - row.dailyUsage,
    resetAt: endOfUtcDay(key.day).toISOString(),
    usageCount: row.usageCount,
    lastUsed: row.lastUsed?.toISOString() ?? null,
  };
}

/** @throws 400 for a time in the past */
function toExpiry(expiresAt: string | null, now: Date): Date | null {
  if (expiresAt === null) return null;
  const date = new Date(expiresAt);
  if (date <= now) throw invalidField('expiresAt', 'Please choose a date in the future');
  return date;
}

/**
 * Returns a function that finds the key with a value, including keys and values that have expired. It returns undefined
 * if the value is not a key, the key was deleted, or the account of its owner is disabled. Nothing is cached, so
 * deleting or rotating a key takes effect immediately.
 */
export function createKeyFinder({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const find = batchQueries(async (hashes: readonly Buffer[]) => {
    const found: (store.FoundKey | undefined)[] = hashes.map(() => undefined);
    for (const { position, ...holder } of await store.listKeyHoldersByHash(pool, hashes, toUtcDay(now()))) {
      found[position - 1] = holder;
    }
    return found;
  });
  return async (value: string): Promise<store.FoundKey | undefined> =>
    isKeyValue(value) ? find(hashKeyValue(value)) : undefined;
}

/** 256 random bits. */
const tokenPattern = /^[\w-]{43}$/;

/**
 * Finds the connection that an access token belongs to. It returns undefined if the token is not for this address of
 * the site, has expired or was revoked.
 */
export async function findTokenHolder({ pool, now }: Pick<Context, 'pool' | 'now'>, token: string, resource: string) {
  if (!tokenPattern.test(token)) return undefined;
  const at = now();
  const hash = hashRecord('AccessToken', token);
  return await store.findTokenHolder(pool, { hash, resource, now: at, today: toUtcDay(at) });
}

/**
 * Returns a function that does work and then charges the key for it, so that failed work costs nothing. It updates the
 * `dailyUsage` of the key. If the key has fewer requests left than the work costs, it throws 429 and charges nothing.
 */
export function createKeyCharger({ pool, now }: Pick<Context, 'pool' | 'now'>) {
  const charge = batchQueries((calls: readonly store.Charge[]) => chargeInOrder(pool, calls, now()));
  return async <T>(key: KeyHolder, cost: number, work: () => Promise<T>): Promise<T> => {
    if (key.dailyUsage + cost > limit) throw quotaError(key, cost, now());
    const result = await work();
    const charged = await charge({ keyId: key.keyId, cost, address: key.address });
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
async function chargeInOrder(pool: Context['pool'], calls: readonly store.Charge[], at: Date) {
  const chargeAll = (charges: store.Charge[]) =>
    store.chargeKeys(pool, charges, { today: toUtcDay(at), now: at, limit });
  const byKey = Map.groupBy(calls, ({ keyId }) => keyId);
  const sums = Array.from(byKey, ([keyId, keyCalls]) => ({
    keyId,
    cost: keyCalls.reduce((sum, { cost }) => sum + cost, 0),
    address: keyCalls.at(-1)?.address ?? 'unknown',
  }));
  const results = new Map<store.Charge, { day: string; dailyUsage: number; fits: boolean }>();
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

const keyDeletedError = () => unauthorized('This API key has been deleted. Use another one.');

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
