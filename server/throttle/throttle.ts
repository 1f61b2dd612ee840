import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import { deleteOldUses, deleteUse, deleteUses, insertUses, listUses, lockUses } from './store.ts';

const minuteMs = 60_000;
const failureWindowMs = 15 * minuteMs;
const maxFailuresPerAccount = 10;
const maxFailuresPerNetwork = 100;
const useWindowMs = 60 * minuteMs;
/** Per network. High enough for an office or a school behind one IP address. */
export const maxRegistrationsPerHour = 100;

type ThrottleKeys = ReturnType<typeof throttleKeys>;

/**
 * The keys under which failed sign-ins are counted. An account has the same key for its username and its email address.
 * If there is no account, the key is the name that was entered.
 */
export function throttleKeys(userId: number | undefined, name: string, network: string) {
  return {
    account: userId === undefined ? `name:${name.toLowerCase()}` : `account:${userId}`,
    network: `address:${network}`,
  };
}

/**
 * Records an attempt as a failure before its password is checked, so that concurrent attempts cannot exceed the limit.
 * Throws 429, and records nothing, after too many failures for the account or the network in the last 15 minutes, even
 * if the password is right.
 */
export async function recordAttempt(db: Db, { account, network }: ThrottleKeys, now: Date): Promise<void> {
  const limits = { [account]: maxFailuresPerAccount, [network]: maxFailuresPerNetwork };
  const exceeded = await recordUnlessExceeded(db, limits, failureWindowMs, now);
  if (!exceeded) return;
  const seconds = (exceeded.oldest.getTime() + failureWindowMs - now.getTime()) / 1000;
  throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', seconds);
}

/**
 * Deletes the account's failures after a successful attempt that was recorded at `now`. Other failures of the network
 * stay.
 */
export async function clearFailures(db: Db, { account, network }: ThrottleKeys, now: Date): Promise<void> {
  await deleteUses(db, [account]);
  await deleteUse(db, network, now);
}

/** Whether a sign-in from this network failed in the last 15 minutes, or is in progress. */
export async function hasFailures(db: Db, network: string, now: Date): Promise<boolean> {
  const key = throttleKeys(undefined, '', network).network;
  return (await listUses(db, [key], new Date(now.getTime() - failureWindowMs))).length > 0;
}

/** Removes an attempt that was recorded at `now` and whose password was not checked. */
export async function withdrawAttempt(db: Db, { account, network }: ThrottleKeys, now: Date): Promise<void> {
  await deleteUse(db, account, now);
  await deleteUse(db, network, now);
}

/** Records a registration, successful or not. Throws 429 after too many from one network in the last hour. */
export function recordRegistration(db: Db, network: string, now: Date): Promise<void> {
  const limitMessage = 'Too many new accounts from this network. Please try again later.';
  return recordUse(db, { key: `register:${network}`, maxPerHour: maxRegistrationsPerHour, limitMessage }, now);
}

/** Something that is limited per hour. */
export interface LimitedUse {
  /** What is limited and for whom, such as 'contact:192.0.2.1'. */
  key: string;
  maxPerHour: number;
  /** The error message when the limit is reached. */
  limitMessage: string;
}

/**
 * Records a use, successful or not, across processes and restarts. Throws 429 when the limit for the last hour is
 * reached.
 */
export async function recordUse(db: Db, { key, maxPerHour, limitMessage }: LimitedUse, now: Date): Promise<void> {
  const exceeded = await recordUnlessExceeded(db, { [key]: maxPerHour }, useWindowMs, now);
  if (exceeded) throw tooManyRequests(limitMessage, (exceeded.oldest.getTime() + useWindowMs - now.getTime()) / 1000);
}

/**
 * Records one use under each key, unless a key has reached its limit.
 * @returns the key that has reached its limit, if any
 */
async function recordUnlessExceeded(db: Db, limits: Record<string, number>, windowMs: number, now: Date) {
  const keys = Object.keys(limits);
  const count = async (trx: Db) => {
    await lockUses(trx, keys);
    const uses = await listUses(trx, keys, new Date(now.getTime() - windowMs));
    const exceeded = uses.find(({ key, count }) => count >= (limits[key] ?? 0));
    if (!exceeded) await insertUses(trx, keys, now);
    return exceeded;
  };
  return db.isTransaction ? await count(db) : await db.transaction().execute(count);
}

/** Deletes uses that are too old for any limit. */
export async function deleteExpiredUses(db: Db, now: Date): Promise<void> {
  await deleteOldUses(db, new Date(now.getTime() - useWindowMs));
}
