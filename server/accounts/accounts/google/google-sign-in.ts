import type { FastifyRequest } from 'fastify';
import type { User } from '#shared/accounts/accounts.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/db/database.ts';
import { getClientNetwork } from '../../../platform/http/address.ts';
import { conflict, forbidden, HttpError, unauthorized } from '../../../platform/http/errors.ts';
import type { Exchange } from '../../../platform/http/scope.ts';
import { recordRegistration, recordUse } from '../../../platform/throttle/throttle.ts';
import { recordAccountEvent } from '../../account-events/account-events.ts';
import { recordProof } from '../../sessions/sessions.ts';
import { confirmPassword, getAccount } from '../accounts.ts';
import { generateUsername } from '../log-in.ts';
import { signIn } from '../sign-in.ts';
import {
  type AccountRow,
  findAccountByEmail,
  findAccountByUid,
  insertGoogleAccount,
  linkGoogleIdentity,
  updateFromGoogle,
} from '../store.ts';
import { deleteEmailChange } from '../store-email-changes.ts';
import { createIdTokenVerifier, type GoogleIdentity } from './verify-id-token.ts';

/** Per network. High enough for an office or a school behind one IP address. */
export const maxSignInsPerHour = 300;

/** An ID token is valid for an hour and can be renewed for months. Only one from a recent sign-in starts a session. */
const maxTokenAgeMs = 5 * 60_000;

/**
 * Checks the ID token of a request.
 * @throws 404 when signing in with Google is not configured, 401 for an invalid token, 429 when throttled, 503 when
 *   Google's keys cannot be fetched
 */
export type CheckToken = (idToken: string, request: FastifyRequest) => Promise<GoogleIdentity>;

export function createTokenChecker({ config, db, now: clock }: Context): CheckToken {
  const verify = config.firebase && createIdTokenVerifier(config.firebase);
  return async (idToken, request) => {
    if (!verify) throw new HttpError(404, 'not_found', 'Signing in with Google is not set up on this server.');
    const now = clock();
    const limitMessage = 'Too many sign-ins from this network. Please wait a while and try again.';
    // Invalid tokens count too, because verifying a signature takes time.
    await recordUse(
      db,
      { key: `google:${getClientNetwork(request)}`, maxPerHour: maxSignInsPerHour, limitMessage },
      now,
    );
    return await verify(idToken, now);
  };
}

/**
 * Exchanges a fresh ID token for a session.
 * @throws what `check`, `recordNewIdentity`, `findOrCreateAccount` and `signIn` throw
 */
export async function signInWithGoogle(
  context: Context,
  check: CheckToken,
  idToken: string,
  { request, reply }: Exchange,
): Promise<User> {
  const identity = await check(idToken, request);
  refuseOldSignIn(identity, context.now());
  await recordNewIdentity(context, identity, request);
  return await signIn(context, { request, reply }, 'signed-in-google', (trx) =>
    findOrCreateAccount(trx, identity, { request, now: context.now() }),
  );
}

/**
 * Links a Google identity to the password account with the same email address, and signs in.
 * @throws 400 for `password` when it is wrong, 409 when there is no such account or it was just changed, and what
 *   `check` and `signIn` throw
 */
export async function linkGoogle(
  context: Context,
  check: CheckToken,
  { idToken, password }: { idToken: string; password: string },
  { request, reply }: Exchange,
): Promise<User> {
  const { db, now } = context;
  const identity = await check(idToken, request);
  refuseOldSignIn(identity, now());
  const found = await findAccountByEmail(db, identity.email);
  if (!found || found.passwordHash === null || (await findAccountByUid(db, identity.uid))) throw nothingToLinkError();
  const { id, passwordHash } = found;
  await confirmPassword(context, found, { password, field: 'password', request });
  refuseDisabledAccount(found);
  return await signIn(context, { request, reply }, 'signed-in-google', async (trx) => {
    const linked = await linkGoogleIdentity(trx, id, identity, passwordHash);
    if (!linked) throw nothingToLinkError();
    // The link to confirm the address is no longer needed.
    await deleteEmailChange(trx, id);
    await recordAccountEvent(trx, request, { userId: id, kind: 'google-linked', now: now() });
    return linked;
  });
}

/**
 * Records that the signed-in user has proven their identity again, with a fresh ID token.
 * @throws 403 for the token of another Google account, 409 if two-factor authentication is on, because the proof then
 *   needs a code, and what `check` throws
 */
export async function reauthenticateWithGoogle(
  { db, now }: Pick<Context, 'db' | 'now'>,
  check: CheckToken,
  { userId, idToken }: { userId: number; idToken: string },
  { request, reply }: Exchange,
): Promise<void> {
  const identity = await check(idToken, request);
  refuseOldSignIn(identity, now());
  const { firebaseUid, secondFactorAt } = await getAccount(db, userId);
  if (secondFactorAt) throw conflict('Two-factor authentication is on. Enter a code from your authenticator app.');
  if (identity.uid !== firebaseUid) {
    throw forbidden('This is another Google account. Please choose the one that is linked to your account.');
  }
  await recordProof({ db, now }, request, reply);
}

const nothingToLinkError = () => conflict('This account can no longer be linked. Please sign in with Google again.');

function refuseOldSignIn({ signedInAt }: GoogleIdentity, now: Date): void {
  if (now.getTime() - signedInAt.getTime() <= maxTokenAgeMs) return;
  throw unauthorized('Your Google sign-in has expired. Please sign in with Google again.');
}

/** Records a sign-in that would create an account as a registration. @throws 429 after too many from one network */
export async function recordNewIdentity(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { uid, email }: GoogleIdentity,
  request: FastifyRequest,
): Promise<void> {
  const known = (await findAccountByUid(db, uid)) ?? (await findAccountByEmail(db, email));
  if (!known) await recordRegistration(db, getClientNetwork(request), now());
}

const maxAttempts = 6;

/**
 * The account of a Google identity, with its name and picture updated. Creates it at the first sign-in, never as an
 * admin. An existing account with the same email address is not linked automatically, because registering does not
 * verify the address.
 * @param username preferred username, instead of the local part of the email address
 * @throws 403 when the account is disabled, 409 `password_needed` when the account with the address has a password,
 *   with which it can be linked, and 409 `conflict` when that account has none
 */
export async function findOrCreateAccount(
  trx: Db,
  identity: GoogleIdentity,
  { request, now, username }: { request: FastifyRequest; now: Date; username?: string },
): Promise<AccountRow> {
  const preferred = username || (identity.email.split('@')[0] ?? '');
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const known = await findAccountByUid(trx, identity.uid);
    if (known) {
      refuseDisabledAccount(known);
      const updated = await updateFromGoogle(trx, known.id, identity);
      if (!updated) throw unauthorized();
      return updated;
    }
    const existing = await findAccountByEmail(trx, identity.email);
    // A concurrent sign-in created it after the lookup by UID.
    if (existing?.firebaseUid === identity.uid) continue;
    if (existing) throw emailInUseError(existing);
    const added = await insertGoogleAccount(trx, { ...identity, username: generateUsername(preferred, attempt) });
    if (!added) continue;
    await recordAccountEvent(trx, request, { userId: added.id, kind: 'account-created', now });
    return added;
  }
  throw new Error('Could not find a free username for a new account.');
}

function emailInUseError(existing: AccountRow): HttpError {
  refuseDisabledAccount(existing);
  if (existing.passwordHash === null) {
    return conflict('The account with this email address is linked to a different Google account. Please contact us.');
  }
  return new HttpError(
    409,
    'password_needed',
    'You already have an account with this email address. Enter its password once to link it to Google.',
  );
}

/** @throws 403 */
export function refuseDisabledAccount({ disabledAt }: AccountRow): void {
  if (disabledAt) throw forbidden('This account has been disabled. Please contact us if you think that is a mistake.');
}
