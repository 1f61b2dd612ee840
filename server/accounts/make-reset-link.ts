import { createHash, randomBytes } from 'node:crypto';
import { resetLinkMinutes } from '#shared/password-resets.ts';
import type { Db } from '../db/database.ts';
import { conflict } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { managedUserOf } from './accounts.ts';
import { findAccount } from './store-account.ts';
import { upsertReset } from './store-resets.ts';
import { findManagedUser } from './store-users.ts';

export interface ResetLink {
  /** Path of the page that takes the new password. The token stands behind the #: no server and no other site is told of it. */
  path: string;
  expiresAt: Date;
}

/** Makes the only link that changes this account's password, good for one use. Older ones are worth nothing from now on. */
export async function makeResetLink(db: Db, userId: number, now: Date): Promise<ResetLink> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + resetLinkMinutes * 60_000);
  await upsertReset(db, { userId, tokenHash: hashOfToken(token), expiresAt });
  return { path: `/auth?tab=reset#${token}`, expiresAt };
}

/**
 * A link that an admin hands to somebody else. Throws 404, and 409 for the admin's own account, whose password is changed by
 * knowing it, for a disabled one, and for one without a password: that gets one only by showing that its mailbox is theirs.
 */
export async function makeResetLinkFor(
  db: Db,
  id: number,
  asker: Identity,
  now: Date,
  audit: Audit,
): Promise<ResetLink> {
  return await db.transaction().execute(async (trx) => {
    const { username, isDisabled } = managedUserOf(await findManagedUser(trx, id), id);
    if (id === asker.id) throw conflict('This is your own account. Please change your password in My Account.');
    if (isDisabled) throw conflict('This account is disabled. Please enable it first.');
    const account = await findAccount(trx, id);
    if (!account?.passwordHash) throw conflict('This account has no password: it signs in with Google.');
    await audit(trx, { username });
    return await makeResetLink(trx, id, now);
  });
}

export const hashOfToken = (token: string) => createHash('sha256').update(token).digest();
