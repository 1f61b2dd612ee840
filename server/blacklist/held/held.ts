import type { AllowRule, AllowRuleInput, HeldCells, HeldDecision, HeldListing } from '#shared/blacklist/held.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import { recordRunEvent } from '../../platform/audit/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { addListing, delistRows, delistWithSubdomains, mapLockError, type RemovedListing } from '../domains/domains.ts';
import { listNamesAfter, lockListedDomains } from '../domains/queries.ts';
import { type Guard, insertAllowRule, loadGuard } from '../guard/guard.ts';
import { type AllowRuleRow, deleteAllowRule as deleteRule, findAllowRule, saveListRule } from '../guard/queries.ts';
import * as store from './store.ts';

/** A domain that sources list, but that an admin has to decide about first. */
export interface NewHeld {
  domain: string;
  sourceIds: readonly number[];
  /** A sentence. */
  reason: string;
  cells: HeldCells;
}

/** Rows written by one statement. */
const batchRows = 1000;

/**
 * Adds listings to the queue, one for each source. Those in the queue stay as they are, and those that an admin
 * rejected stay rejected.
 * @returns how many of the given rows are in the queue now, and how many an admin rejected earlier
 */
export async function holdListings(
  trx: Db,
  rows: readonly NewHeld[],
  now: Date,
): Promise<{ held: number; rejected: number }> {
  let held = 0;
  for (let from = 0; from < rows.length; from += batchRows) {
    held += await store.insertHeld(trx, toNewRows(rows.slice(from, from + batchRows)), now);
  }
  return { held, rejected: rows.length - held };
}

/** Returns the rows that `holdListings` would put in the queue. */
export async function findNewHeld<Row extends NewHeld>(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const found: Row[] = [];
  for (let from = 0; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows);
    const rejected = await store.findRejected(db, toNewRows(batch));
    found.push(...batch.filter((_, position) => !rejected.has(position)));
  }
  return found;
}

/** A listing that was removed from the blacklist, for the queue. */
const toNewHeld = ({ sourceId, ...listing }: RemovedListing, reason: string): NewHeld => ({
  ...listing,
  sourceIds: [sourceId],
  reason,
});

function toNewRows(rows: readonly NewHeld[]): store.NewRow[] {
  return rows.flatMap(({ sourceIds, ...row }, position) =>
    sourceIds.map((sourceId) => ({ position, sourceId, ...row })),
  );
}

/** Converts a held listing for the API. */
export function toHeld({ heldAt, ...row }: store.HeldRow): HeldListing {
  return { ...row, heldAt: heldAt.toISOString() };
}

type DecisionContext = Pick<Context, 'db' | 'now'>;

/**
 * Lists a held domain, or keeps it off the blacklist.
 * @throws 404 if it is not in the queue, 409 if the domain cannot get another source, and 503 while an import has the
 *   domain locked
 */
export async function decideHeld(
  { db, now }: DecisionContext,
  id: number,
  decision: HeldDecision,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<void> {
  await mapLockError(
    db.transaction().execute(async (trx) => {
      const [row] = await store.lockHeld(trx, [id]);
      if (!row) throw notFound('held listing', id);
      await decideRows(trx, [row], decision, { admin, now: now() });
      const protection = decision === 'list' ? { overruled: row.reason } : { heldReason: row.reason };
      await audit(trx, { domain: row.domain, source: row.source, decision, ...protection });
    }),
  );
}

/** Names that one audit event lists. */
const maxAuditNames = 100;

/** Decides several held listings. @returns how many of them were in the queue */
export async function decideManyHeld(
  { db, now }: DecisionContext,
  ids: readonly number[],
  decision: HeldDecision,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<number> {
  return await mapLockError(
    db.transaction().execute(async (trx) => {
      const rows = await store.lockHeld(trx, ids);
      await decideRows(trx, rows, decision, { admin, now: now() });
      const domains = rows.slice(0, maxAuditNames).map(({ domain }) => domain);
      await audit(trx, { decision, count: rows.length, domains });
      return rows.length;
    }),
  );
}

async function decideRows(
  trx: Db,
  rows: readonly store.LockedRow[],
  decision: HeldDecision,
  { admin, now }: { admin: Identity; now: Date },
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (decision === 'reject') return await store.rejectHeld(trx, ids, now);
  for (const { domain, source, reason, cells } of rows) {
    await addListing(trx, { domain, sources: [source], ...cells }, admin.username, now);
    await saveListRule(trx, { domain, reason, userId: admin.id, now });
  }
  await store.deleteHeld(trx, ids);
}

/**
 * Protects a domain and its subdomains from being listed. Those that are listed are removed from the blacklist, and
 * each of their listings is held for review.
 * @throws 400 for a name that cannot be listed anyway, 409 if the domain has an allow rule or is a shared host, and 503
 *   while an import has one of the domains locked
 */
export async function createAllowRule(
  { db, now }: DecisionContext,
  { domain, reason }: AllowRuleInput,
  admin: Identity,
  audit: Audit,
): Promise<AllowRule & { heldCount: number }> {
  const listable = listableName(domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const { name } = listable;
  return await mapLockError(
    db.transaction().execute(async (trx) => {
      const id = await insertAllowRule(trx, { domain: name, reason, userId: admin.id, now: now() });
      if (id === undefined) throw conflict(`${name} already has an allow rule.`);
      const { heldCount } = await delistAndHold(trx, { domain: name, reason, decided: [] }, now());
      await audit(trx, { domain: name, reason, heldCount });
      const rule = await findAllowRule(trx, id);
      if (!rule) throw notFound('allow rule', id);
      return { ...toAllowRule(rule), heldCount };
    }),
  );
}

/**
 * Removes a domain with an allow rule and its subdomains from the blacklist, and holds each of their listings for
 * review, except those of the `decided` names, because an admin has already decided about them.
 * @returns the names that were listed, and how many listings are held now
 * @throws the database's lock timeout while an import has a row locked (wrap the call in `mapLockError`)
 */
export async function delistAndHold(
  trx: Db,
  { domain, reason, decided }: { domain: string; reason: string; decided: readonly string[] },
  now: Date,
): Promise<{ delisted: string[]; heldCount: number }> {
  const removed = await delistWithSubdomains(trx, domain, now);
  const heldReason = `An admin added an allow rule for ${domain}: ${reason}`;
  const listings = removed.filter((listing) => !decided.includes(listing.domain));
  for (let from = 0; from < listings.length; from += batchRows) {
    const batch = listings.slice(from, from + batchRows).map((listing) => toNewHeld(listing, heldReason));
    await store.replaceHeld(trx, toNewRows(batch), now);
  }
  return { delisted: [...new Set(removed.map((listing) => listing.domain))], heldCount: listings.length };
}

interface HoldContext {
  db: Db;
  /** Runs the change of one page of names in a transaction. */
  inTransaction(change: (trx: Db) => Promise<number>): Promise<number>;
  now(): Date;
  /** Called with the number of names that were checked. */
  onPage(checkedNames: number): void;
  /** Called when it has to wait for an import. */
  onWait(): void;
}

/** The run that does the work, for the audit log. */
interface StartedRun {
  id: number;
  userId: number | null;
  username: string;
}

/**
 * Removes protected domains from the blacklist that no admin decided to list, and holds their listings for review. They
 * were listed before they were protected, for example by a version that knew fewer sites. Listings that an admin
 * rejected stay rejected.
 * @param pageNames names read by one statement
 * @returns how many domains were removed
 */
export async function holdProtected(context: HoldContext, run: StartedRun, pageNames = 20_000): Promise<number> {
  const { db, onPage } = context;
  let [removed, checked] = [0, 0];
  const guard = withSharedHosts(await loadGuard(db));
  for (let names = await listNamesAfter(db, '', pageNames); names.length > 0; ) {
    onPage(checked);
    const found = names.filter((name) => guard(name));
    if (found.length > 0) removed += await holdFound(context, run, found);
    checked += names.length;
    names = await listNamesAfter(db, names.at(-1) ?? '', pageNames);
  }
  return removed;
}

/** Also names that cannot be listed any more, because a newer list of suffixes or shared hosts contains them. */
const withSharedHosts =
  (guard: Guard): Guard =>
  (name) => {
    const listable = listableName(name);
    return 'reason' in listable ? { reason: listable.reason } : guard(name);
  };

function holdFound({ inTransaction, now, onWait }: HoldContext, run: StartedRun, names: readonly string[]) {
  return inTransaction(async (trx) => {
    await takeLock(trx, locks.merge, onWait);
    // In the order in which decisions on held listings lock, too.
    await store.lockHeldOfDomains(trx, names);
    const rows = await lockListedDomains(trx, names);
    // An admin can decide to list one of them until its row is locked.
    const guard = withSharedHosts(await loadGuard(trx, names));
    const protectedRows = rows.filter(({ domain }) => guard(domain));
    if (protectedRows.length === 0) return 0;
    const listings = await delistRows(trx, protectedRows, now());
    const held = listings.map((listing) => toNewHeld(listing, guard(listing.domain)?.reason ?? ''));
    await holdListings(trx, held, now());
    const domains = protectedRows.slice(0, maxAuditNames).map(({ domain }) => domain);
    const details = { run: run.id, count: protectedRows.length, domains };
    await recordRunEvent(trx, run, { event: 'Held protected sites', details, now: now() });
    return protectedRows.length;
  });
}

/** Deletes an allow rule. @throws 404 */
export async function deleteAllowRule({ db }: Pick<Context, 'db'>, id: number, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await deleteRule(trx, id);
    if (domain === undefined) throw notFound('allow rule', id);
    await audit(trx, { domain });
  });
}

/** Converts an allow rule for the API. */
export function toAllowRule({ dateCreated, ...row }: AllowRuleRow): AllowRule {
  return { ...row, dateCreated: dateCreated.toISOString() };
}
