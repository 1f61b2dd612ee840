import type { FastifyRequest } from 'fastify';
import type { SecondFactorSetup } from '#shared/accounts/second-factor.ts';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../platform/db/database.ts';
import { seal, unseal } from '../../../platform/db/seal.ts';
import { sealedFactor } from '../../../platform/db/sealed-columns.ts';
import { conflict, type HttpError, invalidField } from '../../../platform/http/errors.ts';
import type { Exchange } from '../../../platform/http/scope.ts';
import { clearFailures, codeLimits, recordAttempt, withdrawAttempt } from '../../../platform/throttle/throttle.ts';
import {
  recordAccountEvent,
  recordAccountEventOnce,
  recordFailedAttempt,
} from '../../account-events/account-events.ts';
import { findDevice, forgetOtherDevices } from '../../devices/devices.ts';
import { endOtherProofs } from '../../sessions/sessions.ts';
import { getAccount } from '../accounts.ts';
import { lockAccount } from '../queries.ts';
import type { AccountRow } from '../store.ts';
import {
  createRecoveryCodes,
  createSalt,
  createSecret,
  findStep,
  hashRecoveryCode,
  isOneTimeCode,
  normalizeCode,
  toSetupUrl,
} from './codes.ts';
import {
  consumeRecoveryCode,
  consumeStep,
  findSecret,
  listSalts,
  replaceRecoveryCodes,
  updateSecondFactorAt,
  upsertSecret,
} from './store.ts';

type FactorContext = Pick<Context, 'db' | 'secretKey' | 'now'>;

/**
 * Creates the secret of an account's authenticator app. It has no effect before `turnOn`.
 * @throws 409 if two-factor authentication is on
 */
export async function startSetup({ db, secretKey }: FactorContext, userId: number): Promise<SecondFactorSetup> {
  const secret = createSecret();
  const { username } = await db.transaction().execute(async (trx) => {
    // The lock keeps the secret from being replaced while the second factor is turned on.
    await lockAccount(trx, userId);
    const account = await getAccount(trx, userId);
    if (account.secondFactorAt) throw alreadyOnError();
    await upsertSecret(trx, userId, seal(secretKey, sealedFactor(userId), secret));
    return account;
  });
  return { secret, url: toSetupUrl(secret, username) };
}

const alreadyOnError = () => conflict('Two-factor authentication is already on. Turn it off first.');

/**
 * Turns on two-factor authentication with the first code of the app, and makes all other browsers ask for a code again.
 * Proofs of identity in other sessions, which contained no code, end.
 * @returns the recovery codes
 * @throws 400 for a wrong `code`, 409 if it is already on or was not started, 429 when throttled
 */
export async function turnOn(
  context: FactorContext,
  userId: number,
  code: string,
  { request, reply }: Exchange,
): Promise<{ recoveryCodes: string[] }> {
  const account = await getAccount(context.db, userId);
  if (account.secondFactorAt) throw alreadyOnError();
  return await withCode(context, account, { code, request }, async (trx) => {
    await updateSecondFactorAt(trx, userId, context.now());
    await recordAccountEvent(trx, request, { userId, kind: 'second-factor-on', now: context.now() });
    await forgetOtherDevices({ ...context, db: trx }, request, reply, userId);
    await endOtherProofs(trx, request, userId);
    return { recoveryCodes: await createCodes(trx, userId) };
  });
}

/**
 * Replaces the recovery codes.
 * @returns the new ones
 * @throws 409 if two-factor authentication is off
 */
export async function renewCodes(trx: Db, userId: number): Promise<{ recoveryCodes: string[] }> {
  const account = await lockAccount(trx, userId);
  if (!account?.secondFactorAt) throw conflict('Two-factor authentication is off. Turn it on first.');
  return { recoveryCodes: await createCodes(trx, userId) };
}

async function createCodes(trx: Db, userId: number): Promise<string[]> {
  const codes = createRecoveryCodes();
  const salt = createSalt();
  const hashes = await Promise.all(codes.map((code) => hashRecoveryCode(normalizeCode(code), salt)));
  await replaceRecoveryCodes(trx, userId, { salt, hashes });
  return codes;
}

/**
 * Accepts a one-time code or a recovery code, each only once, and runs `complete` in the same transaction. Failed
 * one-time codes are limited for the account, but those of others do not affect a known device. Recovery codes are too
 * long to be guessed, so they need no limit, and nobody can keep the owner from using them.
 * @throws 400 for a wrong `code`, 409 if the secret cannot be decrypted, 429 when throttled
 */
export async function withCode<T>(
  context: FactorContext,
  account: AccountRow,
  { code, request }: { code: string; request: FastifyRequest },
  complete: (trx: Db) => Promise<T>,
): Promise<T> {
  const wrong = wrongCodeError();
  try {
    return await acceptCode(context, account, { code, request, wrong }, complete);
  } catch (error) {
    // The transaction was rolled back, so the event is stored outside of it.
    if (error === wrong)
      await recordFailedAttempt(context.db, request, { userId: account.id, kind: 'wrong-code', now: context.now() });
    throw error;
  }
}

/** @throws `wrong` for a wrong code */
async function acceptCode<T>(
  context: FactorContext,
  account: AccountRow,
  { code, request, wrong }: { code: string; request: FastifyRequest; wrong: HttpError },
  complete: (trx: Db) => Promise<T>,
): Promise<T> {
  const { db, now: clock } = context;
  const normalized = normalizeCode(code);
  if (!isOneTimeCode(normalized)) {
    return await db.transaction().execute(async (trx) => {
      await lockAccount(trx, account.id);
      const salts = await listSalts(trx, account.id);
      const hashes = await Promise.all(salts.map((salt) => hashRecoveryCode(normalized, salt)));
      if (!(await consumeRecoveryCode(trx, account.id, hashes))) throw wrong;
      return await complete(trx);
    });
  }
  const now = clock();
  const limits = codeLimits(account.id, findDevice(context, request, account)?.id);
  await recordAttempt(db, limits, now, (id) =>
    recordAccountEventOnce(db, request, { userId: id, kind: 'locked', now }),
  );
  try {
    return await db.transaction().execute(async (trx) => {
      await lockAccount(trx, account.id);
      const step = findStep(await getSecret({ ...context, db: trx }, account.id), normalized, now);
      if (step === undefined || !(await consumeStep(trx, account.id, step))) throw wrong;
      await clearFailures(trx, limits, now);
      return await complete(trx);
    });
  } catch (error) {
    // The code was right or not checked, so this is no failure.
    if (error !== wrong) await withdrawAttempt(db, limits, now);
    throw error;
  }
}

const wrongCodeError = () =>
  invalidField('code', 'This code is wrong or was already used. Please enter the code that your app shows now.');

async function getSecret({ db, secretKey }: FactorContext, userId: number): Promise<string> {
  const sealed = await findSecret(db, userId);
  if (!sealed) throw conflict('Please start to set up two-factor authentication again.');
  const secret = unseal(secretKey, sealedFactor(userId), sealed);
  if (secret !== null) return secret;
  throw conflict(
    'One-time codes no longer work, because the secret key of this server was changed. Please use a recovery code, or ask an admin to reset two-factor authentication for your account.',
  );
}
