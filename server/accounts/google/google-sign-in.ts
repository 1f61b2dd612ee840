import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#shared/accounts.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { getClientNetwork } from '../../http/address.ts';
import { conflict, forbidden, HttpError, unauthorized } from '../../http/errors.ts';
import { startSession } from '../../sessions/sessions.ts';
import { countRegistration, countUse } from '../../throttle/throttle.ts';
import { confirmPassword, userOf } from '../accounts.ts';
import { usernameFor } from '../log-in.ts';
import {
  type AccountRow,
  findAccountByEmail,
  findAccountByUid,
  insertGoogleAccount,
  joinGoogle,
  updateFromGoogle,
} from '../store.ts';
import { type GoogleIdentity, idTokenVerifier } from './verify-id-token.ts';

/** ID tokens checked for one network in an hour: an office or a school behind one address signs in unhindered. */
export const signInsPerHour = 300;

/** A token lives for an hour and is renewed for months: only one from a recent sign-in starts a session. */
const maxTokenAgeMs = 5 * 60_000;

/**
 * Checks the ID token of a request. Throws 404 where signing in with Google is not set up, 401 for an invalid token, 429 when
 * throttled, 503 when Google's keys cannot be fetched.
 */
export type CheckToken = (idToken: string, request: FastifyRequest) => Promise<GoogleIdentity>;

export function tokenChecker({ config, db, now: clock }: Context): CheckToken {
  const verify = config.firebase && idTokenVerifier(config.firebase);
  return async (idToken, request) => {
    if (!verify) throw new HttpError(404, 'not_found', 'Signing in with Google is not set up on this server.');
    const now = clock();
    const sentence = 'Too many sign-ins from this address. Please wait a while and try again.';
    // Invalid tokens count too: each costs the check of a signature.
    await countUse(db, { key: `google:${getClientNetwork(request)}`, maxPerHour: signInsPerHour, sentence }, now);
    return await verify(idToken, now);
  };
}

/** Exchanges a fresh ID token for a session. Throws what `check`, `countNewIdentity` and `findOrAddAccount` throw. */
export async function signInWithGoogle(
  context: Context,
  check: CheckToken,
  idToken: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, now } = context;
  const identity = await check(idToken, request);
  refuseStale(identity, now());
  await countNewIdentity(context, identity, request);
  return await db.transaction().execute(async (trx) => {
    const account = await findOrAddAccount(trx, identity);
    await startSession(trx, request, reply, account.id, now());
    return userOf(config, account);
  });
}

/**
 * Joins a Google identity with the password account of the same address, and signs in. Throws 400 naming `password` when it is
 * wrong, 409 when there is no such account or it has just changed, and what `check` throws.
 */
export async function linkGoogle(
  context: Context,
  check: CheckToken,
  { idToken, password }: { idToken: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, now } = context;
  const identity = await check(idToken, request);
  refuseStale(identity, now());
  const found = await findAccountByEmail(db, identity.email);
  if (!found || found.passwordHash === null || (await findAccountByUid(db, identity.uid))) throw nothingToJoin();
  const { id, passwordHash } = found;
  await confirmPassword(context, found, password, 'password', getClientNetwork(request));
  refuseDisabled(found);
  return await db.transaction().execute(async (trx) => {
    const joined = await joinGoogle(trx, id, identity, passwordHash);
    if (!joined) throw nothingToJoin();
    await startSession(trx, request, reply, id, now());
    return userOf(config, joined);
  });
}

const nothingToJoin = () => conflict('There is nothing to join any more. Please sign in with Google again.');

function refuseStale({ signedInAt }: GoogleIdentity, now: Date): void {
  if (now.getTime() - signedInAt.getTime() <= maxTokenAgeMs) return;
  throw unauthorized('This sign-in with Google is too old. Please sign in with Google again.');
}

/** Counts a sign-in that would create an account as a registration. Throws 429 after too many from one network. */
export async function countNewIdentity(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { uid, email }: GoogleIdentity,
  request: FastifyRequest,
): Promise<void> {
  const known = (await findAccountByUid(db, uid)) ?? (await findAccountByEmail(db, email));
  if (!known) await countRegistration(db, getClientNetwork(request), now());
}

const maxAttempts = 6;

/**
 * The account of a Google identity, with name and picture brought up to date. Creates it on the first sign-in, never as an admin.
 * An existing account with the same address is not joined: whoever registered it has not proved that the address is theirs. Throws
 * 403 when the account is disabled, 409 `password_needed` when the password of that account would join them, 409 `conflict` when
 * it has none.
 * @param username wished for, instead of the local part of the address
 */
export async function findOrAddAccount(trx: Db, identity: GoogleIdentity, username?: string): Promise<AccountRow> {
  const wish = username || (identity.email.split('@')[0] ?? '');
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const known = await findAccountByUid(trx, identity.uid);
    if (known) {
      refuseDisabled(known);
      const updated = await updateFromGoogle(trx, known.id, identity);
      if (!updated) throw unauthorized();
      return updated;
    }
    const namesake = await findAccountByEmail(trx, identity.email);
    // A concurrent sign-in has created it since the lookup by uid.
    if (namesake?.firebaseUid === identity.uid) continue;
    if (namesake) throw alreadyThere(namesake);
    const added = await insertGoogleAccount(trx, { ...identity, username: usernameFor(wish, attempt) });
    if (added) return added;
  }
  throw new Error('No free username was found for a new account.');
}

function alreadyThere(namesake: AccountRow): HttpError {
  refuseDisabled(namesake);
  if (namesake.passwordHash === null) {
    return conflict('An account with this email address signs in with another Google identity. Please contact us.');
  }
  return new HttpError(
    409,
    'password_needed',
    'You already have an account with this email address. Enter its password once to sign in with Google from now on.',
  );
}

/** Throws 403. */
export function refuseDisabled({ disabledAt }: AccountRow): void {
  if (disabledAt) throw forbidden('This account has been disabled. Please contact us if you think that is a mistake.');
}
