import { recordRunEvent } from '../audit/audit.ts';
import type { Db } from '../db/database.ts';
import { locks, takeLock } from '../db/locks.ts';
import { delistRows, listNamesAfter, lockListedDomains } from '../domains/domains.ts';
import { loadGuard } from '../guard/guard.ts';
import { holdListings, toNewHeld } from './held.ts';
import { lockHeldOfDomains } from './store.ts';

interface HoldContext {
  db: Db;
  now(): Date;
  /** Called with the number of names that were checked. */
  onPage(checkedNames: number): void;
  /** Called when it has to wait for an import. */
  onWait(): void;
}

/** The maintenance run that does the work, for the audit log. */
interface StartedRun {
  id: number;
  userId: number | null;
  username: string;
}

/** Names that one audit event lists. */
const maxAuditNames = 100;

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
  const guard = await loadGuard(db);
  for (let names = await listNamesAfter(db, '', pageNames); names.length > 0; ) {
    onPage(checked);
    const found = names.filter((name) => guard(name));
    if (found.length > 0) removed += await holdFound(context, run, found);
    checked += names.length;
    names = await listNamesAfter(db, names.at(-1) ?? '', pageNames);
  }
  return removed;
}

function holdFound({ db, now, onWait }: HoldContext, run: StartedRun, names: readonly string[]) {
  return db.transaction().execute(async (trx) => {
    await takeLock(trx, locks.merge, onWait);
    // In the order in which decisions on held listings lock, too.
    await lockHeldOfDomains(trx, names);
    const rows = await lockListedDomains(trx, names);
    // An admin can decide to list one of them until its row is locked.
    const guard = await loadGuard(trx, names);
    const protectedRows = rows.filter(({ domain }) => guard(domain));
    if (protectedRows.length === 0) return 0;
    const listings = await delistRows(trx, protectedRows, now());
    const held = listings.map((listing) => toNewHeld(listing, guard(listing.domain)?.reason ?? ''));
    await holdListings(trx, held, now());
    const domains = protectedRows.slice(0, maxAuditNames).map(({ domain }) => domain);
    const details = { run: run.id, count: protectedRows.length, domains };
    await recordRunEvent(trx, run, 'Held protected sites', details, now());
    return protectedRows.length;
  });
}
