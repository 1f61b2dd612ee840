import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { orBusy } from './or-busy.ts';
import { deleteRows, lockDomains, setLockPatience, truncateDomains } from './store.ts';
import { countFacet } from './store-counts.ts';

/** Throws 404. */
export async function deleteDomain({ db }: Pick<Context, 'db'>, id: number): Promise<void> {
  if ((await deleteRows(db, [id])) === 0) throw notFound('domain', id);
}

/** @returns how many of the ids were domains */
export async function deleteDomains({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<number> {
  return await deleteRows(db, ids);
}

/** Empties the blacklist and its counts at once. Throws 503 while others are at work on it. @returns how many domains there were */
export async function deleteAllDomains({ db, log }: Pick<Context, 'db' | 'log'>, username: string): Promise<number> {
  const count = await orBusy(
    db.transaction().execute(async (trx) => {
      await setLockPatience(trx, 5);
      await lockDomains(trx);
      const total = await countFacet(trx, 'all', '');
      await truncateDomains(trx);
      return total;
    }),
  );
  log.warn({ username, count }, 'all domains were deleted');
  return count;
}
