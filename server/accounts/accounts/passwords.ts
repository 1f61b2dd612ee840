import { availableParallelism } from 'node:os';
import argon2 from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { createFairQueue, type Turn } from '../../platform/db/fair-queue.ts';
import { invalidField, unavailable } from '../../platform/http/errors.ts';

// Recommended by the OWASP Password Storage Cheat Sheet for argon2id: 19 MiB of memory, two passes, one lane.
const memoryCost = 19_456;
const timeCost = 2;
const parallelism = 1;
const parameters = { memoryCost, timeCost, parallelism };

/** The number of hashes that are computed at the same time. */
export const maxConcurrentHashes = Math.max(2, availableParallelism());
/**
 * Limits concurrent hashing. Each hash takes 19 MiB, so without a limit a flood of sign-ins would use up the memory.
 * Client networks take turns. Two cores compute about 60 hashes per second, so the longest wait is about 10 seconds.
 */
export const passwordQueue = createFairQueue({
  maxRunning: maxConcurrentHashes,
  maxRunningPerKey: maxConcurrentHashes,
  maxWaiting: 600,
  maxWaitingPerKey: 100,
  maxWaitMs: 20_000,
  buildError: () => unavailable('Too many sign-ins right now. Please try again in a moment.', 5),
});

/** The ranks of turns in the queue of passwords, from the first to the last. */
export const passwordRanks = {
  /** The user has a session, or had one on the same network. */
  known: 0,
  unknown: 1,
  /** The network has failed sign-ins in the last 15 minutes. */
  suspect: 2,
} as const;

/** The turn of someone who has a session or a link that only the owner of the account receives. */
export const toKnownTurn = (userId: number): Turn => ({ key: `account:${userId}`, rank: passwordRanks.known });

/** Slow: call it without holding a database connection. @throws 503 when too many passwords are waiting to be hashed */
export function hashPassword(password: string, turn: Turn): Promise<string> {
  return passwordQueue.run(turn, () => argon2.hash(password.normalize('NFKC'), parameters));
}

/**
 * Whether a password matches a stored hash. Without a hash it takes equally long and returns false, so that the time
 * does not reveal which accounts exist.
 * @throws 503 when too many passwords are waiting to be hashed
 */
export async function verifyPassword(
  stored: string | null | undefined,
  password: string,
  turn: Turn,
): Promise<boolean> {
  const hash = stored ?? (await dummyHash);
  const matches = await passwordQueue.run(turn, () => argon2.verify(hash, password.normalize('NFKC')));
  return matches && stored !== null && stored !== undefined;
}

const dummyHash = argon2.hash('no account has this password', parameters);

/** Whether a stored hash was made with parameters other than the current ones. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

/** Words from this site, which attackers try first. */
const siteWords = ['linksieve', 'link sieve', 'link-sieve', 'blacklist', 'backlinks', 'backlink'];

/** In lower case. Those of the package are the most frequent ones in breaches, half of which are long enough. */
const commonPasswords = new Set([...siteWords, ...dictionary['passwords-common']]);

/** @throws 400 for `field` when the password is the account's username or email address, or a common password */
export function refuseWeakPassword(
  password: string,
  { username, email }: { username: string; email: string },
  field: 'password' | 'newPassword',
): void {
  const plain = password.toLowerCase();
  const own = [username, email, email.split('@')[0] ?? ''].map((text) => text.toLowerCase());
  if (own.includes(plain)) {
    throw invalidField(field, 'Please choose a password that is not your username or email address.');
  }
  if (commonPasswords.has(plain)) {
    throw invalidField(field, 'Please choose a password that is harder to guess.');
  }
}
