import { createHash } from 'node:crypto';

/**
 * `0001_baseline.sql` replaced the migrations that were written before the release of version 0.2. This was the first.
 */
const firstReplaced = '0001_accounts.sql';
/** The SHA-256 of their names and hashes, in the format of `migrations/SHA256SUMS`. */
const replacedSums = 'f2e3903a03bcd4fc5d1ed84aae42a5569e473c032752f2094d6dc792c8f77b15';

/** The last commit that contains the replaced migrations, so it can update a database that has only a part of them. */
export const lastBeforeBaseline = '142753b7';

export interface MigrationRecord {
  name: string;
  sha256: string;
}

/**
 * Returns how many of the migrations that the baseline replaced have run. After all of them, the schema is that of the
 * baseline.
 * @param applied the migrations that have run, sorted by name
 */
export function findReplaced(applied: readonly MigrationRecord[]): 'all' | 'some' | 'none' {
  if (applied[0]?.name !== firstReplaced) return 'none';
  const lines = applied.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  return createHash('sha256').update(lines).digest('hex') === replacedSums ? 'all' : 'some';
}
