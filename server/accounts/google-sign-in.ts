import type { FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { networkOf } from '../http/address.ts';
import { conflict, unauthorized } from '../http/errors.ts';
import { startSession } from '../sessions/sessions.ts';
import { countUse } from '../throttle/throttle.ts';
import { confirmPassword, readUser, userOf } from './accounts.ts';
import { countFirstSight, googleUser, refuseDisabled } from './google-user.ts';
import { findUserByEmail, findUserByUid, updateFromGoogle, updateUid } from './store-google.ts';
import type { GoogleAccount, VerifyIdToken } from './verify-id-token.ts';

/** A token lives for an hour and is renewed for months: only one of a person who has just signed in makes a session. */
const freshFor = 5 * 60_000;
/** Sign-ins from one address in an hour: an office or a school behind one address signs in unhindered. */
export const signInsPerHour = 300;

interface Asker {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Exchanges an ID token for a session of ours. Throws what `freshAccount`, `countFirstSight` and `googleUser` throw. */
export async function signInWithGoogle(
  context: Context,
  verify: VerifyIdToken,
  idToken: string,
  { request, reply }: Asker,
): Promise<User> {
  const now = context.now();
  const account = await freshAccount(context, verify, idToken, networkOf(request));
  await countFirstSight(context.db, account, networkOf(request), now);
  return await context.db.transaction().execute(async (trx) => {
    const user = await googleUser(trx, account);
    await startSession(trx, request, reply, user.id, now);
    return userOf(context.config, user);
  });
}

/**
 * Joins a Google identity with the password account of the same address, and signs in. Throws 400 naming `password` when it is
 * wrong, 409 when there is no such account or it changed meanwhile, and what `freshAccount` throws.
 */
export async function linkGoogle(
  context: Context,
  verify: VerifyIdToken,
  { idToken, password }: { idToken: string; password: string },
  { request, reply }: Asker,
): Promise<User> {
  const { config, db } = context;
  const account = await freshAccount(context, verify, idToken, networkOf(request));
  const found = await findUserByEmail(db, account.email);
  if (!found || found.passwordHash === null || (await findUserByUid(db, account.uid))) throw nothingToJoin();
  const { id, passwordHash } = found;
  await confirmPassword(context, found, password, 'password', networkOf(request));
  refuseDisabled(found);
  return await db.transaction().execute(async (trx) => {
    if (!(await updateUid(trx, id, account.uid, passwordHash))) throw nothingToJoin();
    await updateFromGoogle(trx, id, account);
    await startSession(trx, request, reply, id, context.now());
    return await readUser({ config, db: trx }, id);
  });
}

/** Who has just signed in at Google. Throws 401 for a token that does not count or is too old, 429, and 503 without the keys. */
async function freshAccount(
  { db, now: clock }: Context,
  verify: VerifyIdToken,
  idToken: string,
  address: string,
): Promise<GoogleAccount> {
  const now = clock();
  await countSignIn(db, address, now);
  const account = await verify(idToken, now);
  if (now.getTime() - account.signedInAt.getTime() > freshFor) {
    throw unauthorized('This sign-in with Google is too old. Please sign in with Google again.');
  }
  return account;
}

const nothingToJoin = () => conflict('There is nothing to join any more. Please sign in with Google again.');

/** Counts a look at an ID token, whatever it says: it costs the check of a signature. Throws 429. */
export async function countSignIn(db: Db, address: string, now: Date): Promise<void> {
  const sentence = 'Too many sign-ins from this address. Please wait a while and try again.';
  await countUse(db, { key: `google:${address}`, mostInAnHour: signInsPerHour, sentence }, now);
}
