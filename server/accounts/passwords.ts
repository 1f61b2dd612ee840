import { availableParallelism } from 'node:os';
import argon2 from '@node-rs/argon2';
import { openLine } from './waiting-line.ts';

// OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane.
const memoryCost = 19_456;
const timeCost = 2;
const parallelism = 1;
const parameters = { memoryCost, timeCost, parallelism };

export const hashingPlaces = Math.max(2, availableParallelism());
/** Hashing takes 19 MiB each: a flood of sign-ins waits in line instead of taking all memory, and a long line turns away. */
export const inHashingLine = openLine(hashingPlaces, 100);

/** Throws 503 when too many wait. Takes its time: not to be called with a connection of the database in hand. */
export function hashPassword(password: string): Promise<string> {
  return inHashingLine(() => argon2.hash(password.normalize('NFKC'), parameters));
}

/**
 * Compares a password with a stored hash; against no hash it takes as long and answers false, so that the time does not tell
 * which accounts exist. Throws 503 when too many wait.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await standIn);
  const same = await inHashingLine(() => argon2.verify(known, password.normalize('NFKC')));
  return same && stored !== null && stored !== undefined;
}

/** Whether a stored hash was made with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
}

const standIn = argon2.hash('no account has this password', parameters);
