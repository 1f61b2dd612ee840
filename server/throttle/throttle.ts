import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import { deleteOldUses, deleteUse, deleteUses, insertUses, listUses, lockUses } from './store.ts';

const minute = 60_000;
const span = 15 * minute;
const perAccount = 10;
const perAddress = 100;
const useSpan = 60 * minute;
/** Accounts asked for from one address in an hour: an office or a school behind one address signs up unhindered. */
export const registrationsPerHour = 100;

/** What the failures of a sign-in are counted under. */
export interface ThrottleKeys {
  account: string;
  address: string;
}

/** An account is counted as one, whether it is called by its name or its e-mail address; `name` counts where there is none. */
export function throttleKeys(userId: number | undefined, name: string, address: string): ThrottleKeys {
  return {
    account: userId === undefined ? `name:${name.toLowerCase()}` : `account:${userId}`,
    address: `address:${address}`,
  };
}

/**
 * Counts a try as a failure before its password is looked at: tries at the same moment cannot outrun the count. Throws 429, and
 * counts nothing, when an account or an address has failed too often in the last quarter of an hour, whatever the password.
 */
export async function countTry(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  const limits = { [account]: perAccount, [address]: perAddress };
  const full = await countUnlessFull(db, limits, span, now);
  if (!full) return;
  const seconds = (full.oldest.getTime() + span - now.getTime()) / 1000;
  throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', seconds);
}

/** After a try that succeeded: `now` is the time it was counted at. Other failures of its address stay counted. */
export async function forgetFailures(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  await deleteUses(db, [account]);
  await deleteUse(db, address, now);
}

/** Counts a registration, whatever becomes of it. Throws 429 when an address has asked for too many in the last hour. */
export function countRegistration(db: Db, address: string, now: Date): Promise<void> {
  const sentence = 'Too many new accounts from this address. Please try again later.';
  return countUse(db, { key: `register:${address}`, maxPerHour: registrationsPerHour, sentence }, now);
}

/** Something that anybody may do, but not without end. */
export interface LimitedUse {
  /** What is done, and by whom: 'contact:192.0.2.1'. */
  key: string;
  maxPerHour: number;
  /** What the refused one is told. */
  sentence: string;
}

/** Counts a use, across processes and restarts, whatever becomes of it. Throws 429 when there were too many in the last hour. */
export async function countUse(db: Db, { key, maxPerHour, sentence }: LimitedUse, now: Date): Promise<void> {
  const full = await countUnlessFull(db, { [key]: maxPerHour }, useSpan, now);
  if (full) throw tooManyRequests(sentence, (full.oldest.getTime() + useSpan - now.getTime()) / 1000);
}

/** @returns the key that has reached its limit; then nothing was counted */
async function countUnlessFull(db: Db, limits: Record<string, number>, milliseconds: number, now: Date) {
  const keys = Object.keys(limits);
  const count = async (trx: Db) => {
    await lockUses(trx, keys);
    const uses = await listUses(trx, keys, new Date(now.getTime() - milliseconds));
    const full = uses.find(({ key, count }) => count >= (limits[key] ?? 0));
    if (!full) await insertUses(trx, keys, now);
    return full;
  };
  return db.isTransaction ? await count(db) : await db.transaction().execute(count);
}

/** Deletes what no throttle counts any more. */
export async function forgetOldUses(db: Db, now: Date): Promise<void> {
  await deleteOldUses(db, new Date(now.getTime() - useSpan));
}
