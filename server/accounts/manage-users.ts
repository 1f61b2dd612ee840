import type { ManagedUser } from '#shared/users.ts';
import type { Db } from '../db/database.ts';
import { conflict, forbidden } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { managedUserOf } from './accounts.ts';
import { lockAdmins, type ManagedUserRow, updateDisabled, updateIsAdmin } from './store-users.ts';

/** Throws 404. */
export async function grantAdmin(db: Db, id: number, audit: Audit): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => changed(trx, id, updateIsAdmin(trx, id, true), audit));
}

/** Throws 404, 409 for oneself, 403 when the asker stopped being an admin meanwhile: so one admin always remains. */
export async function revokeAdmin(db: Db, id: number, asker: Identity, audit: Audit): Promise<ManagedUser> {
  return await asRemainingAdmin(db, id, asker, (trx) => changed(trx, id, updateIsAdmin(trx, id, false), audit));
}

/** Ends the account's sessions too. Throws as `revokeAdmin` does. */
export async function disableUser(db: Db, id: number, asker: Identity, now: Date, audit: Audit): Promise<ManagedUser> {
  return await asRemainingAdmin(db, id, asker, async (trx) => {
    await endSessionsOf(trx, id);
    return await changed(trx, id, updateDisabled(trx, id, now), audit);
  });
}

/** Throws 404. */
export async function enableUser(db: Db, id: number, audit: Audit): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => changed(trx, id, updateDisabled(trx, id, null), audit));
}

/** The account after its update, which is audited in the same transaction. Throws 404. */
async function changed(
  trx: Db,
  id: number,
  update: Promise<ManagedUserRow | undefined>,
  audit: Audit,
): Promise<ManagedUser> {
  const user = managedUserOf(await update, id);
  await audit(trx, { username: user.username });
  return user;
}

/**
 * Of two admins who take each other's rights at the same moment the second is no admin any more when the turn comes: as long as
 * nobody does it to themselves, there is always one.
 */
async function asRemainingAdmin<T>(db: Db, id: number, asker: Identity, work: (trx: Db) => Promise<T>): Promise<T> {
  if (id === asker.id) throw conflict('You cannot do this to your own account. Please ask another admin.');
  return await db.transaction().execute(async (trx) => {
    if (!(await lockAdmins(trx)).includes(asker.id)) throw forbidden();
    return await work(trx);
  });
}
