import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountEventKind } from '#shared/accounts/account-events.ts';
import type { User } from '#shared/accounts/accounts.ts';
import { type Reauthentication, rememberedDays, type SecondFactorLogin } from '#shared/accounts/second-factor.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { HttpError, invalidField, unauthorized } from '../../platform/http/errors.ts';
import type { Exchange } from '../../platform/http/scope.ts';
import { isSignature, sign } from '../../platform/http/signature.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { findDevice } from '../devices/devices.ts';
import { recordProof, startSession } from '../sessions/sessions.ts';
import { confirmPassword, getAccount, toUser } from './accounts.ts';
import { isOneTimeCode, normalizeCode } from './second-factor/codes.ts';
import { withCode } from './second-factor/second-factor.ts';
import { type AccountRow, findAccount } from './store.ts';

type SignInContext = Pick<Context, 'config' | 'db' | 'secretKey' | 'now'>;

const challengeMinutes = 10;
/** Per network. */
export const maxCodesPerHour = 300;

/**
 * Signs in to the account that `prepare` returns, after it has checked the user's first factor. Both happen in one
 * transaction. If the account has a second factor and the browser is not trusted, no session starts: the work of
 * `prepare` is kept, and 401 `second_factor_required` with a `challenge` for `completeSignIn` is thrown.
 * @param event what the security activity of the account shows for a session that started
 */
export async function signIn(
  context: SignInContext,
  { request, reply }: Exchange,
  event: AccountEventKind,
  prepare: (trx: Db) => Promise<AccountRow>,
): Promise<User> {
  const result = await context.db.transaction().execute(async (trx) => {
    const account = await prepare(trx);
    if (needsCode(context, request, account)) return challengeError(context, account);
    // A remembered browser needs no code, so it has proven only one of two factors.
    const isProven = account.secondFactorAt === null;
    const { isNewDevice } = await startSession({ ...context, db: trx }, { request, reply }, account.id, { isProven });
    const mail = isNewDevice && needsNotice(event, account, context.now());
    await recordAccountEvent(trx, request, { userId: account.id, kind: event, now: context.now(), mail });
    return toUser(context.config, account);
  });
  if (result instanceof HttpError) throw result;
  return result;
}

const hourMs = 3_600_000;

/**
 * Whether the owner gets an email about a sign-in in a new browser: not just after the registration, and not after a
 * password reset, which has its own notice.
 */
const needsNotice = (event: AccountEventKind, { createdAt }: AccountRow, now: Date): boolean =>
  event.startsWith('signed-in') && event !== 'signed-in-reset-link' && now.getTime() - createdAt.getTime() > hourMs;

function needsCode(context: SignInContext, request: FastifyRequest, account: AccountRow): boolean {
  if (!account.secondFactorAt) return false;
  const device = findDevice(context, request, account);
  return !device || device.trustedUntil <= context.now();
}

const challengeError = (context: SignInContext, account: AccountRow) =>
  new HttpError(401, 'second_factor_required', 'Please enter the code that your authenticator app shows.', {
    extras: {
      challenge: createChallenge(context, account),
    },
  });

/** Proves that its holder has passed the first factor of an account. Valid for ten minutes. */
export function createChallenge(
  { secretKey, now }: Pick<Context, 'secretKey' | 'now'>,
  account: Pick<AccountRow, 'id' | 'deviceVersion'>,
): string {
  const expires = String(now().getTime() + challengeMinutes * 60_000);
  return [account.id, expires, sign(secretKey, 'sign-in challenges', signedText(account, expires))].join('.');
}

/** Contains the version of device cookies, so that a new password or signing out everywhere ends pending sign-ins. */
const signedText = ({ id, deviceVersion }: Pick<AccountRow, 'id' | 'deviceVersion'>, expires: string) =>
  ['second-factor', id, deviceVersion, expires].join(':');

/**
 * Completes a sign-in with a one-time code or a recovery code.
 * @throws 401 for an expired challenge, 400 for a wrong `code`, and 429 when throttled
 */
export async function completeSignIn(
  context: SignInContext,
  { challenge, code, rememberDevice }: SecondFactorLogin,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, secretKey, now } = context;
  const limitMessage = 'Too many codes from this network. Please wait a while and try again.';
  await recordUse(
    db,
    { key: `second-factor:${getClientNetwork(request)}`, maxPerHour: maxCodesPerHour, limitMessage },
    now(),
  );
  const [, id = '', expires = '', signature = ''] = /^([1-9]\d{0,14})\.(\d{1,15})\.([\w-]{43})$/.exec(challenge) ?? [];
  const isCurrent = Number(expires) > now().getTime();
  const isValid = (account: AccountRow | undefined): account is AccountRow =>
    account?.secondFactorAt != null &&
    account.disabledAt === null &&
    isSignature(secretKey, 'sign-in challenges', signedText(account, expires), signature);
  const account = isCurrent ? await findAccount(db, Number(id)) : undefined;
  if (!isValid(account)) throw expiredError();
  return await withCode(context, account, { code, request }, async (trx) => {
    // The account may have changed while the code was checked. Now it is locked.
    const current = await findAccount(trx, account.id);
    if (!isValid(current)) throw expiredError();
    const trust = { trustedUntil: new Date(now().getTime() + rememberedDays * 86_400_000) };
    const signInContext = { ...context, db: trx };
    const { isNewDevice } = await startSession(
      signInContext,
      { request, reply },
      account.id,
      rememberDevice ? trust : {},
    );
    const event = isOneTimeCode(normalizeCode(code)) ? 'signed-in-code' : 'signed-in-recovery-code';
    const mail = isNewDevice && needsNotice(event, current, now());
    await recordAccountEvent(trx, request, { userId: account.id, kind: event, now: now(), mail });
    return toUser(config, current);
  });
}

const expiredError = () => unauthorized('This sign-in has expired. Please sign in again.');

/**
 * Records that the signed-in user has proven their identity again: with the password, and with a code if two-factor
 * authentication is on.
 * @throws 400 for a wrong `password` and a wrong or missing `code`, 429 when throttled
 */
export async function reauthenticate(
  context: SignInContext,
  userId: number,
  { password, code }: Reauthentication,
  { request, reply }: Exchange,
): Promise<void> {
  const account = await getAccount(context.db, userId);
  const { passwordHash, secondFactorAt } = account;
  if (secondFactorAt && code === undefined) {
    throw invalidField('code', 'Please enter the code that your authenticator app shows.');
  }
  if (passwordHash !== null || !secondFactorAt) {
    await confirmPassword(context, account, { password: password ?? '', field: 'password', request });
  }
  if (!secondFactorAt) return await recordProof(context, request, reply);
  await withCode(context, account, { code: code ?? '', request }, (trx) =>
    recordProof({ ...context, db: trx }, request, reply),
  );
}
