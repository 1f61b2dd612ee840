import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Registration, User } from '#shared/accounts/accounts.ts';
import type { Context } from '../../context.ts';
import { recordAuditEvent } from '../../platform/audit/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import type { SecretKey } from '../../platform/db/secret-key.ts';
import { getClientAddress, getClientNetwork, getConfiguredOrigin } from '../../platform/http/address.ts';
import { conflict, forbidden } from '../../platform/http/errors.ts';
import { isSignature, sign } from '../../platform/http/signature.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { createAccount, prepareAccount, toUser } from '../accounts/accounts.ts';
import { hasAdmin, lockAccounts } from '../accounts/queries.ts';
import { startSession } from '../sessions/sessions.ts';

/** Per network. */
export const maxWrongLinksPerHour = 100;

/** The link that creates the first admin. Undefined if there is an admin. */
export async function findSetupLink({
  config,
  db,
  secretKey,
}: Pick<Context, 'config' | 'db' | 'secretKey'>): Promise<string | undefined> {
  if (await hasAdmin(db)) return undefined;
  // Browsers never send the part after #, so the token is in no log of a server or proxy.
  return `${getConfiguredOrigin(config)}/setup#${deriveSetupToken(secretKey)}`;
}

/** Derived instead of stored, so that each process and each start prints the same link. */
export function deriveSetupToken(secretKey: SecretKey): string {
  return sign(secretKey, 'setup link', signedText);
}

const signedText = 'setup link of the first admin';

/** @throws 403 for a wrong token, 409 if there is an admin, 429 when throttled */
export async function checkSetupLink(
  { db, secretKey, now }: Context,
  token: string,
  request: FastifyRequest,
): Promise<void> {
  if (!isSignature(secretKey, 'setup link', signedText, token)) {
    // Only wrong links count, so that nobody can keep the owner from setting up.
    const limitMessage = 'Too many attempts from this network. Please try again later.';
    const key = `setup:${getClientNetwork(request)}`;
    await recordUse(db, { key, maxPerHour: maxWrongLinksPerHour, limitMessage }, now());
    throw forbidden('This setup link is not valid. Restart the server and use the link it prints.');
  }
  await refuseSecondSetup(db);
}

/**
 * Creates the first admin and signs in.
 * @throws what `checkSetupLink` throws, and 400 for a field that is invalid or taken
 */
export async function createFirstAdmin(
  context: Context,
  { token, ...registration }: Registration & { token: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<User> {
  const { config, db, now } = context;
  await checkSetupLink(context, token, request);
  const prepared = await prepareAccount(db, registration, { isAdmin: true });
  return await db.transaction().execute(async (trx) => {
    await lockAccounts(trx);
    await refuseSecondSetup(trx);
    const account = await createAccount(trx, prepared);
    const address = getClientAddress(request);
    const event = { user: account, event: 'Created the first admin', details: {}, address };
    await recordAuditEvent(trx, event, now());
    await startSession({ ...context, db: trx }, { request, reply }, account.id);
    await recordAccountEvent(trx, request, { userId: account.id, kind: 'account-created', now: now() });
    return toUser(config, account);
  });
}

async function refuseSecondSetup(db: Db): Promise<void> {
  if (await hasAdmin(db)) throw conflict('This server already has an admin. Sign in instead.');
}
