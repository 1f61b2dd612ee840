import type { Domain, DomainInput } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import { riskOfSources } from '../sources/sources.ts';
import { alreadyListed } from './add-domain.ts';
import { changesBetween } from './changes-between.ts';
import { otherCells, requiredCells, riskNumber } from './domain-cells.ts';
import { domainOf } from './domain-of.ts';
import { findRowForUpdate, updateRow } from './store.ts';
import { findRowByName } from './store-rows.ts';

const uniqueViolation = '23505';

/** Changes a domain. A field that is left out stays, null clears. Throws 404, 400, and 409 with `existingId` for another's name. */
export async function editDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  input: DomainInput,
  audit: Audit,
): Promise<Domain> {
  const required = requiredCells(input);
  try {
    return await db.transaction().execute(async (trx) => {
      const before = await findRowForUpdate(trx, id);
      if (!before) throw notFound('domain', id);
      const risk = riskAfter(input, before, required.source.split(', ').length);
      const row = await updateRow(trx, id, { ...required, ...otherCells(input, before), ...risk }, now());
      await audit(trx, { domain: row.domain, changed: changesBetween(before, row) });
      return domainOf(row, true);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error;
    throw alreadyListed(required.name, (await findRowByName(db, required.name))?.id);
  }
}

/** Forms send the level that they were opened with: only another one is somebody's decision. */
function riskAfter(
  { riskLevel }: DomainInput,
  before: { riskLevel: number; riskGiven: boolean },
  sources: number,
): { riskLevel: number; riskGiven: boolean } {
  const wanted = riskLevel ? riskNumber(riskLevel) : undefined;
  if (wanted !== undefined && wanted !== before.riskLevel) return { riskLevel: wanted, riskGiven: true };
  if (before.riskGiven && riskLevel !== null) return { riskLevel: before.riskLevel, riskGiven: true };
  return { riskLevel: riskOfSources(sources), riskGiven: false };
}
