import type { ManagedUser } from '#shared/users.ts';
import type { Db } from '../db/database.ts';
import { conflict, forbidden, notFound } from '../http/errors.ts';
import type { Identity } from '../http/identity.ts';
import type { Note } from '../http/scope.ts';
import { deleteSessionsOf } from './store-sessions.ts';
import { findUserByName, lockAdmins, type ManagedUserRow, updateDisabled, updateIsAdmin } from './store-users.ts';

/** Throws 404. */
export async function grantAdmin(db: Db, id: number, note: Note): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => changed(trx, id, updateIsAdmin(trx, id, true), note));
}

/** Throws 404, 409 for oneself, 403 when the asker stopped being an admin meanwhile: so one admin always remains. */
export async function revokeAdmin(db: Db, id: number, asker: Identity, note: Note): Promise<ManagedUser> {
  return await asRemainingAdmin(db, id, asker, (trx) => changed(trx, id, updateIsAdmin(trx, id, false), note));
}

/** Ends the account's sessions too. Throws as `revokeAdmin` does. */
export async function disableUser(db: Db, id: number, asker: Identity, now: Date, note: Note): Promise<ManagedUser> {
  return await asRemainingAdmin(db, id, asker, async (trx) => {
    await deleteSessionsOf(trx, id);
    return await changed(trx, id, updateDisabled(trx, id, now), note);
  });
}

/** Throws 404. */
export async function enableUser(db: Db, id: number, note: Note): Promise<ManagedUser> {
  return await db.transaction().execute((trx) => changed(trx, id, updateDisabled(trx, id, null), note));
}

/** The account after its update, which is noted in the same transaction. Throws 404. */
async function changed(
  trx: Db,
  id: number,
  update: Promise<ManagedUserRow | undefined>,
  note: Note,
): Promise<ManagedUser> {
  const user = managedUserOf(await update, id);
  await note(trx, { username: user.username });
  return user;
}

/** The account of a Firebase UID, an e-mail address or a username. */
export async function findPerson(db: Db, name: string): Promise<ManagedUser | undefined> {
  const row = await findUserByName(db, name);
  return row && managedUserOf(row, row.id);
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

/** Throws 404 for no row. */
export function managedUserOf(row: ManagedUserRow | undefined, id: number): ManagedUser {
  if (!row) throw notFound('account', id);
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    displayName: row.displayName,
    isAdmin: row.isAdmin,
    isDisabled: row.disabledAt !== null,
    dateCreated: row.createdAt.toISOString(),
    lastSeen: row.lastSeenAt?.toISOString() ?? null,
  };
}
