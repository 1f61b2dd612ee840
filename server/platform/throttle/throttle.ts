import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import * as store from './store.ts';

const minuteMs = 60_000;
const failureWindowMs = 15 * minuteMs;
const useWindowMs = 60 * minuteMs;
/** Failures of one network, device or session for one account, within 15 minutes. */
export const maxFailures = 10;
/** Failures of one network, for all accounts, within 15 minutes. */
const maxFailuresPerNetwork = 100;
/** For a network whose address may be that of a proxy, and so be shared by all visitors. */
const maxFailuresPerSharedNetwork = 1000;
/** After this many failures within an hour, all networks together wait between attempts for one account. */
export const maxUndelayedFailures = 50;
/** The delay is a second at first. It doubles after each of these many further failures, up to a minute. */
const failuresPerDelay = 5;
/** Per network. High enough for an office or a school behind one IP address. */
export const maxRegistrationsPerHour = 100;

/** A limit of attempts, of which each counts as a failure until it has succeeded. */
export interface Limit {
  /** What is limited and for whom, such as 'account:7@192.0.2.1'. */
  key: string;
  /** The account whose owner is kept waiting when the limit is reached. An admin can see this and unlock it. */
  userId?: number;
  windowMs: number;
  /** The next attempt is refused after this many. Undefined for a limit that only delays attempts. */
  max?: number;
}

/** Where an attempt to sign in comes from. */
export interface Origin {
  network: string;
  /** Whether the network may be a proxy that many visitors share. */
  isShared: boolean;
  /** The id of a known device of the account. Failures of others do not affect it, and its failures affect nobody. */
  device?: string | undefined;
}

/**
 * The limits of an attempt to sign in to an account, or with a name that has none. An account has the same limits for
 * its username and its email address.
 */
export function signInLimits(userId: number | undefined, name: string, { network, isShared, device }: Origin): Limit[] {
  const account = userId === undefined ? `name:${name.toLowerCase()}` : `account:${userId}`;
  const owner = userId === undefined ? {} : { userId };
  if (device) return [{ key: `${account}@device:${device}`, ...owner, windowMs: failureWindowMs, max: maxFailures }];
  const max = isShared ? maxFailuresPerSharedNetwork : maxFailuresPerNetwork;
  return [
    { key: `${account}@${network}`, ...owner, windowMs: failureWindowMs, max: maxFailures },
    { key: account, ...owner, windowMs: useWindowMs },
    { key: toNetworkKey(network), windowMs: failureWindowMs, max },
  ];
}

const toNetworkKey = (network: string) => `address:${network}`;

/** The limit of attempts to confirm the password in a session. Failures outside of the session do not affect it. */
export const sessionLimits = (userId: number, session: string): Limit[] => [
  { key: `account:${userId}@session:${session}`, userId, windowMs: failureWindowMs, max: maxFailures },
];

/** The limit of one-time codes for an account. A known device has its own. */
export const codeLimits = (userId: number, device: string | undefined): Limit[] => [
  { key: `code:${userId}@${device ?? 'any'}`, userId, windowMs: failureWindowMs, max: maxFailures },
];

/**
 * Records an attempt as a failure before its secret is checked, so that concurrent attempts cannot exceed the limits.
 * @param onLocked called if the reached limit is that of an account
 * @throws 429, and records nothing, when a limit is reached, even if the secret is right
 */
export async function recordAttempt(
  db: Db,
  limits: Limit[],
  now: Date,
  onLocked?: (userId: number) => Promise<void>,
): Promise<void> {
  const reached = await recordUnlessReached(db, limits, now);
  if (!reached) return;
  if (reached.userId !== undefined) await onLocked?.(reached.userId);
  throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', reached.waitMs / 1000);
}

/**
 * Deletes the failures that a successful attempt, recorded at `now`, makes up for: those of the same origin for the
 * same account. Of the limits that others share, only the attempt itself is deleted.
 */
export async function clearFailures(trx: Db, limits: Limit[], now: Date): Promise<void> {
  const own = limits.filter(({ max, userId }) => max !== undefined && userId !== undefined);
  await store.deleteUses(
    trx,
    own.map(({ key }) => key),
  );
  for (const limit of limits) if (!own.includes(limit)) await store.deleteUse(trx, limit.key, now);
}

/** Which of the accounts have a reached limit; without `userIds`, all of them. */
export async function listLockedAccounts(db: Db, now: Date, userIds?: number[]): Promise<Set<number>> {
  const since = { hard: new Date(now.getTime() - failureWindowMs), delays: new Date(now.getTime() - useWindowMs) };
  const max = { hard: maxFailures, delays: maxUndelayedFailures };
  return new Set(await store.listLockedAccounts(db, { since, max, until: maxTime(now), userIds }));
}

/** Whether so many attempts failed, or accounts were created, in one network that many people seem to share it. */
export async function isCrowded(db: Db, network: string, now: Date): Promise<boolean> {
  const spans = [
    { key: toNetworkKey(network), since: new Date(now.getTime() - failureWindowMs), max: maxFailuresPerNetwork },
    { key: toRegistrationKey(network), since: windowStart(now), max: maxRegistrationsPerHour },
  ];
  const uses = await store.listUses(db, spans, maxTime(now));
  return spans.some(({ key, max }) => uses.some((use) => use.key === key && use.count >= max));
}

const sharedNetworkKey = 'shared-network';
const windowStart = (now: Date) => new Date(now.getTime() - useWindowMs);

/** Whether `reportSharedNetwork` was called within the last hour. */
export async function isSharedNetworkReported(db: Db, now: Date): Promise<boolean> {
  const uses = await store.listUses(db, [{ key: sharedNetworkKey, since: windowStart(now) }], maxTime(now));
  return uses.length > 0;
}

/** Records that visitors seem to share one address. @returns false if this was reported within the last hour */
export function reportSharedNetwork(db: Db, now: Date): Promise<boolean> {
  return tryUse(db, { key: sharedNetworkKey, maxPerHour: 1 }, now);
}

/** Whether a sign-in from this network failed in the last 15 minutes, or is in progress. */
export async function hasFailures(db: Db, network: string, now: Date): Promise<boolean> {
  const span = { key: toNetworkKey(network), since: new Date(now.getTime() - failureWindowMs) };
  return (await store.listUses(db, [span], maxTime(now))).length > 0;
}

/** Removes an attempt that was recorded at `now` and whose password was not checked. */
export async function withdrawAttempt(db: Db, limits: Limit[], now: Date): Promise<void> {
  for (const { key } of limits) await store.deleteUse(db, key, now);
}

/** Records a registration, successful or not. @throws 429 after too many from one network in the last hour */
export function recordRegistration(db: Db, network: string, now: Date): Promise<void> {
  const limitMessage = 'Too many new accounts from this network. Please try again later.';
  return recordUse(db, { key: toRegistrationKey(network), maxPerHour: maxRegistrationsPerHour, limitMessage }, now);
}

const toRegistrationKey = (network: string) => `register:${network}`;

/** Something that is limited per hour. */
export interface LimitedUse {
  /** What is limited and for whom, such as 'contact:192.0.2.1'. */
  key: string;
  maxPerHour: number;
  /** The error message when the limit is reached. */
  limitMessage: string;
}

/**
 * Records a use, successful or not, across processes and restarts.
 * @throws 429 when the limit for the last hour is reached
 */
export async function recordUse(db: Db, { key, maxPerHour, limitMessage }: LimitedUse, now: Date): Promise<void> {
  const reached = await recordUnlessReached(db, [{ key, windowMs: useWindowMs, max: maxPerHour }], now);
  if (reached) throw tooManyRequests(limitMessage, reached.waitMs / 1000);
}

/** Records a use unless the limit for the last hour is reached. @returns whether it was recorded */
export async function tryUse(
  db: Db,
  { key, maxPerHour }: Pick<LimitedUse, 'key' | 'maxPerHour'>,
  now: Date,
): Promise<boolean> {
  return !(await recordUnlessReached(db, [{ key, windowMs: useWindowMs, max: maxPerHour }], now));
}

/**
 * Records one use for each limit, unless one is reached.
 * @returns the account of the reached limit, if any, and the milliseconds until the next use is allowed
 */
async function recordUnlessReached(
  db: Db,
  limits: Limit[],
  now: Date,
): Promise<{ userId: number | undefined; waitMs: number } | undefined> {
  const count = async (trx: Db) => {
    await store.lockUses(
      trx,
      limits.map(({ key }) => key),
    );
    const spans = limits.map(({ key, windowMs }) => ({ key, since: new Date(now.getTime() - windowMs) }));
    const uses = await store.listUses(trx, spans, maxTime(now));
    for (const limit of limits) {
      const found = uses.find(({ key }) => key === limit.key);
      const waitMs = found ? getWaitMs(limit, found, now) : 0;
      if (waitMs > 0) return { userId: limit.userId, waitMs };
    }
    await store.insertUses(trx, limits, now);
    return undefined;
  };
  return db.isTransaction ? await count(db) : await db.transaction().execute(count);
}

function getWaitMs(
  { max, windowMs }: Limit,
  { count, oldest, newest }: { count: number; oldest: Date; newest: Date },
  now: Date,
): number {
  if (max !== undefined) return count < max ? 0 : Math.max(1, oldest.getTime() + windowMs - now.getTime());
  if (count < maxUndelayedFailures) return 0;
  const delayMs = Math.min(minuteMs, 1000 * 2 ** Math.floor((count - maxUndelayedFailures) / failuresPerDelay));
  return newest.getTime() + delayMs - now.getTime();
}

/**
 * Uses later than this were recorded by a clock that was ahead. They do not count, because they would count for as long
 * as the clock was ahead.
 */
const maxTime = (now: Date) => new Date(now.getTime() + minuteMs);

/** Deletes uses that are too old for any limit, and those in the future. */
export async function deleteExpiredUses(db: Db, now: Date): Promise<void> {
  await store.deleteUsesOutside(db, windowStart(now), maxTime(now));
}
