import { expect } from 'vitest';
import type { Context } from '../../context.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';

/** Lines of an import without `z-held.example`. */
export function names(from: number, to: number, source = 'One'): string {
  let lines = '';
  for (let i = from; i < to; i += 1) lines += `name-${i}.example,${source}\n`;
  return lines;
}

/** Functions that stop an import of `z-held.example` after it has written the names before it. */
export function buildHeldName({ pool }: Pick<Context, 'pool'>) {
  const listBlockedMerges = () => listLockWaiters(pool, '%with rows as materialized%');
  return {
    /**
     * Inserts the name in a transaction that stays open.
     * @returns a function that rolls the transaction back, or commits it if called with `true`
     */
    async lockHeldName(): Promise<(keep?: boolean) => Promise<void>> {
      const client = await pool.connect();
      await client.query(
        "begin; insert into domains (name, tld, risk_level, source) values ('z-held.example', 'example', 1, '{Before}')",
      );
      return async (keep = false) => {
        await client.query(keep ? 'commit' : 'rollback');
        client.release();
      };
    },
    listBlockedMerges,
    /** Waits until an import is blocked at the name. */
    waitForBlockedMerge: () => expect.poll(listBlockedMerges, { timeout: 30_000 }).toHaveLength(1),
  };
}
