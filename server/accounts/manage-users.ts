import type { ManagedUser } from '#shared/users.ts';
import type { Db } from '../db/database.ts';
import { conflict, forbidden, notFound } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { endSessionsOfUser } from '../sessions/sessions.ts';
import { toManagedUser } from './accounts.ts';
import { type AccountRow, lockAdmins, updateDisabled, updateIsAdmin } from './store.ts';

/** Throws 404 for an unknown account. */
export async function grantAdmin(db: Db, id: number, audit: Audit): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => audited(trx, id, updateIsAdmin(trx, id, true), audit));
}

/** Throws 404 for an unknown account, 409 for the admin's own account, 403 when `admin` is no longer an admin. */
export async function revokeAdmin(db: Db, id: number, admin: Identity, audit: Audit): Promise<ManagedUser> {
  return await whileAdmin(db, id, admin, (trx) => audited(trx, id, updateIsAdmin(trx, id, false), audit));
}

/** Disables an account and ends its sessions. Throws what `revokeAdmin` throws. */
export async function disableUser(db: Db, id: number, admin: Identity, now: Date, audit: Audit): Promise<ManagedUser> {
  return await whileAdmin(db, id, admin, async (trx) => {
    await endSessionsOfUser(trx, id);
    return await audited(trx, id, updateDisabled(trx, id, now), audit);
  });
}

/** Throws 404 for an unknown account. */
export async function enableUser(db: Db, id: number, audit: Audit): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => audited(trx, id, updateDisabled(trx, id, null), audit));
}

/** Audits an update in its transaction and returns the updated account. Throws 404. */
async function audited(
  trx: Db,
  id: number,
  update: Promise<AccountRow | undefined>,
  audit: Audit,
): Promise<ManagedUser> {
  const account = await update;
  if (!account) throw notFound('account', id);
  await audit(trx, { username: account.username });
  return toManagedUser(account);
}

/**
 * Runs `change` on another account while a lock ensures that `admin` is still an admin. When two admins revoke each
 * other at the same time, the second change fails. Admins cannot revoke themselves either, so one admin always remains.
 */
async function whileAdmin<T>(db: Db, id: number, admin: Identity, change: (trx: Db) => Promise<T>): Promise<T> {
  if (id === admin.id) throw conflict('You cannot do this to your own account. Please ask another admin.');
  return await db.transaction().execute(async (trx) => {
    if (!(await lockAdmins(trx)).includes(admin.id)) throw forbidden();
    return await change(trx);
  });
}
