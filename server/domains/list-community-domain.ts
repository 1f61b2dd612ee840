import { mostSources } from '#shared/domains.ts';
import type { ListingOutcome } from '#shared/submissions.ts';
import type { Db } from '../db/database.ts';
import { conflict, invalid } from '../http/errors.ts';
import { costCell, requiredCells } from './domain-cells.ts';
import { plainLine } from './plain-line.ts';
import { findRowForUpdate, insertRow, setLockPatience, updateRow } from './store.ts';
import { type DomainRow, findRowByName } from './store-rows.ts';
import { uniteSources } from './unite-sources.ts';

/** A site that a user suggested and an admin has approved. */
export interface CommunityDomain {
  domain: string;
  /** Where it is offered: one source, whatever stands in it. */
  source: string;
  niche: string;
  cost: string;
  /** Null when unknown. */
  domainRating: number | null;
}

/**
 * Lists a suggested site in the caller's transaction, under the named source and `community`. A domain that is listed already
 * gets these two too, and its cells only where they are empty; its risk follows the number of sources unless it was given.
 * Throws 400 for a name that cannot be listed, 409 when the sources become too many; while an import holds the row, the database's
 * lock timeout, for `orBusy`.
 */
export async function listCommunityDomain(
  trx: Db,
  site: CommunityDomain,
  addedBy: string,
  now: Date,
): Promise<{ id: number; domain: string; outcome: ListingOutcome }> {
  const fresh = uniteSources(undefined, site.source);
  if ('reason' in fresh) throw invalid(fresh.reason, { source: fresh.reason });
  const required = requiredCells({ domain: site.domain, source: fresh.source });
  const cells = {
    niche: plainLine(site.niche) || null,
    cost: costCell(site.cost) || null,
    domainRating: site.domainRating,
  };
  await setLockPatience(trx, 10);
  const added = await insertRow(
    trx,
    {
      ...required,
      ...cells,
      riskLevel: fresh.riskLevel,
      riskGiven: false,
      description: null,
      sourceDetails: null,
      notes: null,
      outboundLinks: null,
    },
    addedBy,
    now,
  );
  if (added) return { id: added.id, domain: added.domain, outcome: 'added' };
  const before = await lockListed(trx, required.name);
  const united = uniteSources(before, site.source);
  if ('reason' in united) throw conflict(`${required.name} has ${mostSources} sources already: ${united.reason}`);
  const after = {
    ...united,
    niche: before.niche ?? cells.niche,
    cost: before.cost ?? cells.cost,
    domainRating: before.domainRating ?? cells.domainRating,
  };
  const { id, domain, ...kept } = before;
  const isSame = (Object.keys(after) as (keyof typeof after)[]).every((cell) => after[cell] === before[cell]);
  if (!isSame) await updateRow(trx, id, { ...kept, ...after, name: required.name, tld: required.tld }, now);
  return { id, domain, outcome: isSame ? 'unchanged' : 'updated' };
}

/** The listed row, held until the transaction ends. */
async function lockListed(trx: Db, name: string): Promise<DomainRow> {
  const found = await findRowByName(trx, name);
  const row = found && (await findRowForUpdate(trx, found.id));
  if (!row) throw conflict(`${name} was deleted from the blacklist at this very moment. Please try again.`);
  return row;
}
