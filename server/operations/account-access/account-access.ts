import type { FastifyRequest } from 'fastify';
import type { AccountAccess } from '#shared/operations/account-access.ts';
import { getAccount } from '../../accounts/accounts/accounts.ts';
import { endLastingAccess } from '../../accounts/accounts/end-access.ts';
import { lockAccount } from '../../accounts/accounts/queries.ts';
import { listKeysOfUser } from '../../accounts/api-keys/api-keys.ts';
import { endOtherSessions, listSessions } from '../../accounts/sessions/sessions.ts';
import { listWebhooksOfUser } from '../../accounts/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Exchange } from '../../platform/http/scope.ts';
import { listSharesOfUser } from '../../reports/reports/queries.ts';
import type { Topic } from '../../topic.ts';

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

/** Ends everything that `getAccess` lists, and forgets all other devices. Two-factor authentication stays on. */
export async function endAccess(
  topics: readonly Topic[],
  context: AccessContext,
  userId: number,
  { request, reply }: Exchange,
): Promise<void> {
  await context.db.transaction().execute(async (trx: Db) => {
    await lockAccount(trx, userId);
    await endLastingAccess(topics, { ...context, db: trx }, userId, request);
    await endOtherSessions({ ...context, db: trx }, request, reply, userId);
  });
}
