import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Topic } from '../../topic.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';

/**
 * Ends what outlives the sessions of an account: API keys, webhooks, links to reports, the address of the alert feed
 * and, if the account has a password, its identities at Google and other providers. `context.db` is a transaction that
 * has locked the account.
 */
export async function endLastingAccess(
  topics: readonly Topic[],
  context: Pick<Context, 'config' | 'db' | 'secretKey' | 'now'>,
  userId: number,
  request: FastifyRequest,
): Promise<void> {
  for (const { personalData } of topics) await personalData?.access?.end(context, userId);
  await recordAccountEvent(context.db, request, { userId, kind: 'access-ended', now: context.now() });
}
