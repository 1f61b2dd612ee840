import type { Domain, DomainInput } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import { conflict } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { riskOfSources } from '../sources/sources.ts';
import { otherCells, requiredCells, riskNumber } from './domain-cells.ts';
import { domainOf } from './domain-of.ts';
import { insertRow } from './store.ts';
import { findRowByName } from './store-rows.ts';

/** Lists a domain. Throws 400 for a name that cannot be listed, 409 with `existingId` for one that is. */
export async function addDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  input: DomainInput,
  user: Pick<Identity, 'username'>,
  audit: Audit,
): Promise<Domain> {
  const required = requiredCells(input);
  const cells = {
    ...required,
    ...otherCells(input),
    riskLevel: input.riskLevel ? riskNumber(input.riskLevel) : riskOfSources(required.source.split(', ').length),
    riskGiven: Boolean(input.riskLevel),
  };
  const row = await db.transaction().execute(async (trx) => {
    const added = await insertRow(trx, cells, user.username, now());
    if (added) await audit(trx, { id: added.id, domain: added.domain });
    return added;
  });
  if (!row) throw alreadyListed(required.name, (await findRowByName(db, required.name))?.id);
  return domainOf(row, true);
}

export function alreadyListed(name: string, existingId: number | undefined) {
  return conflict(`${name} is already in the blacklist.`, existingId === undefined ? {} : { existingId });
}
