import type { ManagedUser } from '#shared/accounts/users.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, forbidden, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { unlockAccount } from '../../platform/throttle/queries.ts';
import { queueNotice } from '../account-events/notices.ts';
import { endSessionsOfUser } from '../sessions/sessions.ts';
import { toManagedUsers } from './accounts.ts';
import { deleteSecondFactor } from './second-factor/store.ts';
import { type AccountRow, findAccount, lockAdmins, updateDisabled, updateIsAdmin } from './store.ts';

type AdminContext = Pick<Context, 'config' | 'db' | 'now'>;

/** @throws 404 for an unknown account */
export async function grantAdmin(context: AdminContext, id: number, audit: Audit): Promise<ManagedUser> {
  return await change(context, id, audit, (trx) => updateIsAdmin(trx, id, true));
}

/** @throws 404 for an unknown account, 409 for the admin's own account, 403 when `admin` is no longer an admin */
export async function revokeAdmin(
  context: AdminContext,
  id: number,
  admin: Identity,
  audit: Audit,
): Promise<ManagedUser> {
  return await change(context, id, audit, async (trx) => {
    await requireOtherAdmin(trx, id, admin);
    return await updateIsAdmin(trx, id, false);
  });
}

/** Disables an account and ends its sessions. @throws what `revokeAdmin` throws */
export async function disableUser(
  context: AdminContext,
  id: number,
  admin: Identity,
  audit: Audit,
): Promise<ManagedUser> {
  return await change(context, id, audit, async (trx) => {
    await requireOtherAdmin(trx, id, admin);
    await endSessionsOfUser(trx, id);
    return await updateDisabled(trx, id, context.now());
  });
}

/** @throws 404 for an unknown account */
export async function enableUser(context: AdminContext, id: number, audit: Audit): Promise<ManagedUser> {
  return await change(context, id, audit, (trx) => updateDisabled(trx, id, null));
}

/** Deletes the failed sign-ins of an account. @throws 404 for an unknown account */
export async function unlockUser(context: AdminContext, id: number, audit: Audit): Promise<ManagedUser> {
  return await change(context, id, audit, async (trx) => {
    await unlockAccount(trx, id);
    return await findAccount(trx, id);
  });
}

/**
 * Turns off the second factor of another user's account, who has lost it, and emails the owner.
 * @throws 404 for an unknown account, 409 for the admin's own account
 */
export async function resetSecondFactor(
  context: AdminContext & Pick<Context, 'config' | 'jobs' | 'log'>,
  id: number,
  admin: Identity,
  audit: Audit,
): Promise<ManagedUser> {
  return await change(context, id, audit, async (trx) => {
    await requireOtherAdmin(trx, id, admin);
    const account = await findAccount(trx, id);
    await deleteSecondFactor(trx, id);
    if (account?.secondFactorAt && account.isEmailConfirmed) {
      const recipient = { userId: id, email: account.email };
      await queueNotice(context, trx, recipient, ['An admin turned off two-factor authentication']);
    }
    return await findAccount(trx, id);
  });
}

/**
 * Runs and audits a change of an account in a transaction.
 * @returns the changed account
 * @throws 404
 */
async function change(
  context: AdminContext,
  id: number,
  audit: Audit,
  update: (trx: Db) => Promise<AccountRow | undefined>,
): Promise<ManagedUser> {
  return await context.db.transaction().execute(async (trx) => {
    const account = await update(trx);
    if (!account) throw notFound('account', id);
    await audit(trx, { username: account.username });
    const [user] = await toManagedUsers({ ...context, db: trx }, [account]);
    if (!user) throw notFound('account', id);
    return user;
  });
}

/**
 * Makes sure that the change is about another account and that `admin` stays an admin until the transaction ends. When
 * two admins revoke each other at the same time, the second change fails. Admins cannot revoke themselves either, so
 * one admin always remains.
 */
async function requireOtherAdmin(trx: Db, id: number, admin: Identity): Promise<void> {
  if (id === admin.id) throw conflict('You cannot do this to your own account. Please ask another admin.');
  if (!(await lockAdmins(trx)).includes(admin.id)) throw forbidden();
}
