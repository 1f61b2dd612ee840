import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import { mapLockError } from './domains.ts';
import { deleteRows, lockDomains, setLockPatience, truncateDomains } from './store.ts';
import { countFacet } from './store-counts.ts';

/** How many of the deleted names the audit log tells. */
const toldNames = 100;

/** Throws 404. */
export async function deleteDomain({ db }: Pick<Context, 'db'>, id: number, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [domain] = await deleteRows(trx, [id]);
    if (domain === undefined) throw notFound('domain', id);
    await audit(trx, { domain });
  });
}

/** @returns how many of those ids were domains */
export async function deleteDomains(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
  audit: Audit,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const names = await deleteRows(trx, ids);
    await audit(trx, { count: names.length, domains: names.slice(0, toldNames) });
    return names.length;
  });
}

/** Empties the blacklist and its counts at once. Throws 503 while others are at work on it. @returns how many domains there were */
export async function deleteAllDomains(
  { db, log }: Pick<Context, 'db' | 'log'>,
  username: string,
  audit: Audit,
): Promise<number> {
  const count = await mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockPatience(trx, 5);
      await lockDomains(trx);
      const total = await countFacet(trx, 'all', '');
      await truncateDomains(trx);
      await audit(trx, { count: total });
      return total;
    }),
  );
  log.warn({ username, count }, 'all domains were deleted');
  return count;
}
