import type { RiskCounts } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import type { Audit } from '../http/scope.ts';
import { mapLockError, riskCounts } from './domains.ts';
import { recomputeRisk, setLockPatience } from './store.ts';

/**
 * Sets every level by the number of sources, also those that were given by hand or file. Throws 503 while an import holds rows.
 * @returns seconds it took, and the counts after it
 */
export async function updateRiskLevels(
  { db, now }: Pick<Context, 'db' | 'now'>,
  audit: Audit,
): Promise<{ timeTaken: number; stats: RiskCounts }> {
  const start = performance.now();
  const stats = await mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockPatience(trx, 30);
      await recomputeRisk(trx, now());
      const counts = await riskCounts(trx);
      await audit(trx, { stats: counts });
      return counts;
    }),
  );
  return { timeTaken: Math.round(performance.now() - start) / 1000, stats };
}
