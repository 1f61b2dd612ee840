import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import argon2 from '@node-rs/argon2';
import { invalidField, unavailable } from '../http/errors.ts';

// OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane.
const memoryCost = 19_456;
const timeCost = 2;
const parallelism = 1;
const parameters = { memoryCost, timeCost, parallelism };

/** Hashes that are computed at the same time. */
export const maxConcurrentHashes = Math.max(2, availableParallelism());
/** Each hash takes 19 MiB: a flood of sign-ins waits in line, up to a limit, instead of taking all memory. */
export const withHashingLimit = createLimiter(maxConcurrentHashes, 100);

/** Throws 503 when too many wait. Slow: call it without holding a database connection. */
export function hashPassword(password: string): Promise<string> {
  return withHashingLimit(() => argon2.hash(password.normalize('NFKC'), parameters));
}

/**
 * Compares a password with a stored hash. Without a hash it takes as long and returns false, so that the time does not reveal
 * which accounts exist. Throws 503 when too many wait.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await dummyHash);
  const same = await withHashingLimit(() => argon2.verify(known, password.normalize('NFKC')));
  return same && stored !== null && stored !== undefined;
}

const dummyHash = argon2.hash('no account has this password', parameters);

/** Whether a stored hash was made with other parameters than today's. */
export function isOutdatedHash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

/** Runs a task as soon as there is a place for it. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * A line in which `places` tasks run at a time and up to `maxWaiting` more wait, first come, first served. When it is full it
 * throws 503 at once: a longer wait would end in a broken connection anyway.
 */
export function createLimiter(places: number, maxWaiting: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (task) => {
    if (free > 0) free -= 1;
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw unavailable('Too many people are signing in right now. Please try again in a moment.', 5);
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Words of this site, which attackers try here first. */
const ownWords = ['linksieve', 'link sieve', 'link-sieve', 'blacklist', 'backlinks', 'backlink'];

/** In lower case. The file contains as many as OWASP ASVS 5.0 asks for at least (6.2.4). */
const commonPasswords = new Set([...ownWords, ...readList(join(import.meta.dirname, 'common-passwords.txt'))]);

/** The lines after the line of dashes. */
function readList(path: string): string[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.slice(lines.indexOf('----------') + 1);
}

/** Refuses what attackers try first: the account's own name or address, and common passwords. Throws 400 naming `field`. */
export function refuseWeakPassword(
  password: string,
  { username, email }: { username: string; email: string },
  field: 'password' | 'newPassword',
): void {
  const plain = password.toLowerCase();
  const own = [username, email, email.split('@')[0] ?? ''].map((text) => text.toLowerCase());
  if (own.includes(plain)) {
    throw invalidField(field, 'Please choose a password that is not your own username or email address.');
  }
  if (commonPasswords.has(plain)) {
    throw invalidField(field, 'Please choose a password that is not among the most common ones.');
  }
}
