import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import * as contract from '#shared/operations/account-access.ts';
import { endLastingAccess } from '../../accounts/accounts/end-access.ts';
import { lockAccount } from '../../accounts/accounts/queries.ts';
import { endOtherSessions, listSessions } from '../../accounts/sessions/sessions.ts';
import type { Context } from '../../context.ts';
import { type Exchange, route, type Scope } from '../../platform/http/scope.ts';
import type { Topic } from '../../topic.ts';

/** What gives access to an account and outlives its sessions. Topics say what they have of it. */
export const accountAccessRoutes = {
  user(scope: Scope<'user'>, context: Context, topics: readonly Topic[]): void {
    route(scope, contract.getAccountAccess, ({ user, request }) => getAccess(topics, context, user.id, request));

    route(scope, contract.endAccountAccess, ({ user, request, reply }) =>
      endAccess(topics, context, user.id, { request, reply }),
    );
  },
};

async function getAccess(
  topics: readonly Topic[],
  context: Context,
  userId: number,
  request: FastifyRequest,
): Promise<contract.AccountAccess> {
  const { db, now } = context;
  const lists = await Promise.all(topics.map(({ personalData }) => personalData?.access?.list?.(context, userId)));
  const others = (await listSessions(db, request, userId, now())).filter(({ isThisDevice }) => !isThisDevice);
  return z.parse(contract.AccountAccess, Object.assign({ otherSessions: others.length }, ...lists));
}

/** Ends everything that `getAccess` lists, and forgets all other devices. Two-factor authentication stays on. */
async function endAccess(
  topics: readonly Topic[],
  context: Pick<Context, 'config' | 'db' | 'secretKey' | 'now'>,
  userId: number,
  { request, reply }: Exchange,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockAccount(trx, userId);
    await endLastingAccess(topics, { ...context, db: trx }, userId, request);
    await endOtherSessions({ ...context, db: trx }, request, reply, userId);
  });
}
