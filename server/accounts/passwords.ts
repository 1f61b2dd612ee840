import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

// OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const waiting: (() => void)[] = [];
let free = Math.max(2, availableParallelism());

export function hashPassword(password: string): Promise<string> {
  return limited(() => hash(password.normalize('NFKC'), parameters));
}

/**
 * Compares a password with a stored hash; against no hash it takes as long and answers false, so that the time does not tell
 * which accounts exist.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const known = stored ?? (await standIn);
  const same = await limited(() => verify(known, password.normalize('NFKC')));
  return same && stored !== null && stored !== undefined;
}

const standIn = hash('no account has this password', parameters);

/** Hashing takes 19 MiB each: a flood of sign-ins waits in line instead of taking all memory. */
async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}
