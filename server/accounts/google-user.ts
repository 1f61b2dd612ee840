import type { Db } from '../db/database.ts';
import { conflict, forbidden, HttpError, unauthorized } from '../http/errors.ts';
import { countRegistration } from '../throttle/throttle.ts';
import type { StoredUser } from './accounts.ts';
import { findUser } from './store.ts';
import { findUserByEmail, findUserByUid, insertGoogleUser, type SignInRow, updateFromGoogle } from './store-google.ts';
import { usernameFor } from './username-for.ts';
import type { GoogleAccount } from './verify-id-token.ts';

const attempts = 6;

/**
 * The user of a Google identity, made on first sight; never an admin. An account that is there already is not joined by its
 * address alone: whoever registered it has not shown that the address is theirs. Throws 403 when disabled, 409
 * `password_needed` when the password of that account would join them, and `conflict` when it has none.
 * @param username wished for, in place of the beginning of the address
 */
export async function googleUser(trx: Db, account: GoogleAccount, username?: string): Promise<StoredUser> {
  const wish = username || (account.email.split('@')[0] ?? '');
  for (let attempt = 0; attempt < attempts; attempt++) {
    const known = await findUserByUid(trx, account.uid);
    if (known) {
      refuseDisabled(known);
      await updateFromGoogle(trx, known.id, account);
      return await getStored(trx, known.id);
    }
    const namesake = await findUserByEmail(trx, account.email);
    // Made by a sign-in at the same moment, since the look at its uid.
    if (namesake?.firebaseUid === account.uid) continue;
    if (namesake) throw alreadyThere(namesake);
    const made = await insertGoogleUser(trx, { ...account, username: usernameFor(wish, attempt) });
    if (made) return await getStored(trx, made.id);
  }
  throw new Error('No free username was found for a new account.');
}

/** Counts what would make an account as a registration. Throws 429 when an address has asked for too many. */
export async function countFirstSight(db: Db, account: GoogleAccount, address: string, now: Date): Promise<void> {
  const known = (await findUserByUid(db, account.uid)) ?? (await findUserByEmail(db, account.email));
  if (!known) await countRegistration(db, address, now);
}

async function getStored(trx: Db, id: number): Promise<StoredUser> {
  const found = await findUser(trx, id);
  if (!found) throw unauthorized();
  return found;
}

/** Throws 403. */
export function refuseDisabled({ disabledAt }: { disabledAt: Date | null }): void {
  if (disabledAt) throw forbidden('This account has been disabled. Please contact us if you think that is a mistake.');
}

function alreadyThere(namesake: SignInRow): HttpError {
  refuseDisabled(namesake);
  if (namesake.passwordHash === null)
    return conflict('An account with this email address signs in with another Google identity. Please contact us.');
  return new HttpError(
    409,
    'password_needed',
    'You already have an account with this email address. Enter its password once to sign in with Google from now on.',
  );
}
