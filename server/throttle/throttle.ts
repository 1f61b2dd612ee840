import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import { deleteOldUses, deleteUse, deleteUses, insertUses, listUses, lockUses } from './store.ts';

const minute = 60_000;
const failureSpan = 15 * minute;
const maxFailuresPerAccount = 10;
const maxFailuresPerAddress = 100;
const useSpan = 60 * minute;
/** Registrations from one network in an hour: an office or a school behind one address signs up unhindered. */
export const registrationsPerHour = 100;

type ThrottleKeys = ReturnType<typeof throttleKeys>;

/**
 * The keys under which failed sign-ins are counted. An account has one key, for its name and its email address. Without an account,
 * the name is the key.
 */
export function throttleKeys(userId: number | undefined, name: string, address: string) {
  return {
    account: userId === undefined ? `name:${name.toLowerCase()}` : `account:${userId}`,
    address: `address:${address}`,
  };
}

/**
 * Counts a try as a failure before its password is checked, so that concurrent tries cannot outrun the count. Throws 429, and
 * counts nothing, after too many failures of the account or the address in the last 15 minutes, even for the right password.
 */
export async function countAttempt(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  const limits = { [account]: maxFailuresPerAccount, [address]: maxFailuresPerAddress };
  const full = await countUnlessFull(db, limits, failureSpan, now);
  if (!full) return;
  const seconds = (full.oldest.getTime() + failureSpan - now.getTime()) / 1000;
  throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', seconds);
}

/** Call after a successful try that was counted at `now`. Other failures from its address stay counted. */
export async function clearFailures(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  await deleteUses(db, [account]);
  await deleteUse(db, address, now);
}

/** Counts a registration, successful or not. Throws 429 after too many from one network in the last hour. */
export function countRegistration(db: Db, address: string, now: Date): Promise<void> {
  const sentence = 'Too many new accounts from this address. Please try again later.';
  return countUse(db, { key: `register:${address}`, maxPerHour: registrationsPerHour, sentence }, now);
}

/** A use that is limited per hour. */
export interface LimitedUse {
  /** What is used and by whom, such as 'contact:192.0.2.1'. */
  key: string;
  maxPerHour: number;
  /** The message of the error. */
  sentence: string;
}

/** Counts a use, successful or not, across processes and restarts. Throws 429 after too many in the last hour. */
export async function countUse(db: Db, { key, maxPerHour, sentence }: LimitedUse, now: Date): Promise<void> {
  const full = await countUnlessFull(db, { [key]: maxPerHour }, useSpan, now);
  if (full) throw tooManyRequests(sentence, (full.oldest.getTime() + useSpan - now.getTime()) / 1000);
}

/** @returns the key that has reached its limit, in which case nothing was counted */
async function countUnlessFull(db: Db, limits: Record<string, number>, spanMs: number, now: Date) {
  const keys = Object.keys(limits);
  const count = async (trx: Db) => {
    await lockUses(trx, keys);
    const uses = await listUses(trx, keys, new Date(now.getTime() - spanMs));
    const full = uses.find(({ key, count }) => count >= (limits[key] ?? 0));
    if (!full) await insertUses(trx, keys, now);
    return full;
  };
  return db.isTransaction ? await count(db) : await db.transaction().execute(count);
}

/** Deletes uses that no limit counts any more. */
export async function deleteExpiredUses(db: Db, now: Date): Promise<void> {
  await deleteOldUses(db, new Date(now.getTime() - useSpan));
}
