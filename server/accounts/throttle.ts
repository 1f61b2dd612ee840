import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import { deleteFailures, deleteOldFailures, insertFailures, listFailures } from './store.ts';

const minute = 60_000;
const span = 15 * minute;
const perAccount = 10;
const perAddress = 100;
const registrationSpan = 60 * minute;
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

/** Throws 429 when an account or an address has failed too often in the last quarter of an hour, whatever the password. */
export async function refuseThrottled(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  const failures = await listFailures(db, [account, address], new Date(now.getTime() - span));
  for (const { key, count, oldest } of failures) {
    if (count < (key === address ? perAddress : perAccount)) continue;
    const seconds = (oldest.getTime() + span - now.getTime()) / 1000;
    throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', seconds);
  }
}

export async function noteFailure(db: Db, { account, address }: ThrottleKeys, now: Date): Promise<void> {
  await insertFailures(db, [account, address], now);
}

export async function forgetFailures(db: Db, { account }: ThrottleKeys): Promise<void> {
  await deleteFailures(db, [account]);
}

/** Counts a registration, whatever becomes of it. Throws 429 when an address has asked for too many in the last hour. */
export async function countRegistration(db: Db, address: string, now: Date): Promise<void> {
  const key = `register:${address}`;
  const [earlier] = await listFailures(db, [key], new Date(now.getTime() - registrationSpan));
  if (earlier && earlier.count >= registrationsPerHour) {
    const seconds = (earlier.oldest.getTime() + registrationSpan - now.getTime()) / 1000;
    throw tooManyRequests('Too many new accounts from this address. Please try again later.', seconds);
  }
  await insertFailures(db, [key], now);
}

/** Deletes what no throttle counts any more. */
export async function forgetOldFailures(db: Db, now: Date): Promise<void> {
  await deleteOldFailures(db, new Date(now.getTime() - registrationSpan));
}
