import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountAccess } from '#shared/operations/account-access.ts';
import { recordAccountEvent } from '../../accounts/account-events/account-events.ts';
import { getAccount, lockAccount, unlinkGoogle } from '../../accounts/accounts/accounts.ts';
import { deleteKeysOfUser, listKeysOfUser } from '../../accounts/api-keys/api-keys.ts';
import { endOtherSessions, listSessions } from '../../accounts/sessions/sessions.ts';
import { deleteWebhooksOfUser, listWebhooksOfUser } from '../../accounts/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { replaceFeedPath } from '../../reports/alert-feed/alert-feed.ts';
import { deleteSharesOfUser, listSharesOfUser } from '../../reports/reports/reports.ts';

type AccessContext = Pick<Context, 'db' | 'secretKey' | 'now'>;

/** Returns what gives access to the user's account and outlives its sessions. */
export async function getAccess(
  context: AccessContext,
  userId: number,
  request: FastifyRequest,
): Promise<AccountAccess> {
  const { db, now } = context;
  const [account, apiKeys, webhooks, shares, sessions] = await Promise.all([
    getAccount(db, userId),
    listKeysOfUser(context, userId),
    listWebhooksOfUser(context, userId),
    listSharesOfUser(db, userId, now()),
    listSessions(db, request, userId, now()),
  ]);
  return {
    apiKeys,
    webhooks,
    shares: shares.map(({ expiresAt, ...share }) => ({ ...share, expiresAt: expiresAt.toISOString() })),
    hasGoogle: account.firebaseUid !== null,
    otherSessions: sessions.filter(({ isThisDevice }) => !isThisDevice).length,
  };
}

/**
 * Ends what outlives the sessions of an account: API keys, webhooks, links to reports, the address of the alert feed and,
 * if the account has a password, its Google identity. Call it in a transaction that has locked the account.
 */
export async function endLastingAccess(
  { db: trx, secretKey, now }: AccessContext,
  userId: number,
  request: FastifyRequest,
): Promise<void> {
  await deleteKeysOfUser(trx, userId);
  await deleteWebhooksOfUser(trx, userId);
  await deleteSharesOfUser(trx, userId);
  await replaceFeedPath({ db: trx, secretKey }, userId);
  await unlinkGoogle(trx, userId);
  await recordAccountEvent(trx, request, userId, 'access-ended', now());
}

/** Ends everything that `getAccess` lists, and forgets all other devices. Two-factor authentication stays on. */
export async function endAccess(
  context: AccessContext,
  userId: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await context.db.transaction().execute(async (trx: Db) => {
    await lockAccount(trx, userId);
    await endLastingAccess({ ...context, db: trx }, userId, request);
    await endOtherSessions({ ...context, db: trx }, request, reply, userId);
  });
}
