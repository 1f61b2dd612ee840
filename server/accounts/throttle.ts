import type { Db } from '../db/database.ts';
import { tooManyRequests } from '../http/errors.ts';
import { deleteFailures, insertFailures, listFailures } from './store.ts';

const minutes = 15;
const span = minutes * 60_000;
const perAccount = 10;
const perAddress = 100;

/** Throws 429 when an account or an address has failed too often in the last quarter of an hour, whatever the password. */
export async function refuseThrottled(db: Db, username: string, address: string, now: Date): Promise<void> {
  const failures = await listFailures(db, [accountKey(username), addressKey(address)], new Date(now.getTime() - span));
  for (const { key, count, oldest } of failures) {
    if (count < (key === addressKey(address) ? perAddress : perAccount)) continue;
    const seconds = (oldest.getTime() + span - now.getTime()) / 1000;
    throw tooManyRequests('Too many failed sign-ins. Please wait a few minutes and try again.', seconds);
  }
}

export async function noteFailure(db: Db, username: string, address: string, now: Date): Promise<void> {
  await insertFailures(db, [accountKey(username), addressKey(address)], now);
}

export async function forgetFailures(db: Db, username: string): Promise<void> {
  await deleteFailures(db, [accountKey(username)]);
}

const accountKey = (username: string) => `account:${username.toLowerCase()}`;
const addressKey = (address: string) => `address:${address}`;
