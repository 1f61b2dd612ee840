import type Provider from 'oidc-provider';
import { type ApiKeyScope, apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { type AccessRequest, maxConnections } from '#shared/accounts/oauth.ts';
import type { Context } from '../../../context.ts';
import { conflict, notFound, reauthenticationRequired, unauthorized } from '../../../platform/http/errors.ts';
import type { Exchange, SessionIdentity } from '../../../platform/http/scope.ts';
import { recordAccountEvent } from '../../account-events/account-events.ts';
import { toRedirectHost } from '../api-keys.ts';
import { lockUser } from '../store.ts';
import { requestSeconds, toResource } from './provider.ts';
import * as store from './store.ts';

/** @throws 404 for a request that has ended, or that another browser has opened */
export async function getAccessRequest(provider: Provider, exchange: Exchange, id: string): Promise<AccessRequest> {
  const { params } = await getRunningRequest(provider, exchange, id);
  const { clientId, clientName } = await getClient(provider, params.client_id);
  const redirectUri = String(params.redirect_uri);
  return {
    name: clientName ?? clientId,
    host: toRedirectHost(redirectUri),
    // Plain HTTP is allowed only to the user's own computer.
    isLocal: new URL(redirectUri).protocol !== 'https:',
    scopes: toScopes(params.scope),
  };
}

/**
 * Connects an assistant, in place of the connection that the user had with it. Without scopes, denies its request.
 * @returns the page that the browser must open next
 * @throws 404 for a request that has ended, or that another browser has opened, and 409 if the user has too many
 *   connections
 */
export async function answerAccessRequest(
  { provider, context }: { provider: Provider; context: Context },
  exchange: Exchange,
  user: SessionIdentity,
  { id, scopes }: { id: string; scopes: readonly ApiKeyScope[] },
): Promise<{ url: string }> {
  const { params } = await getRunningRequest(provider, exchange, id);
  const requested = toScopes(params.scope);
  const allowed = requested.filter((scope) => scopes.includes(scope));
  const { raw: request } = exchange.request;
  const { raw: response } = exchange.reply;
  if (allowed.length === 0) {
    const denied = { error: 'access_denied', error_description: 'The user denied the request.' };
    return { url: await provider.interactionResult(request, response, denied) };
  }
  if (!user.isProven) throw reauthenticationRequired();
  const client = await getClient(provider, params.client_id);
  const keyId = await createConnection(context, exchange, user.id, {
    clientId: client.clientId,
    name: client.clientName ?? client.clientId,
    scopes: allowed,
  });
  const accountId = String(user.id);
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.jti = String(keyId);
  grant.addResourceScope(toResource(provider.issuer), allowed.join(' '));
  const result = { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
  return { url: await provider.interactionResult(request, response, result) };
}

/** The scopes of this product among those that a client has requested. */
export const toScopes = (text: unknown): ApiKeyScope[] =>
  typeof text === 'string' ? apiKeyScopes.filter((scope) => text.split(' ').includes(scope)) : [];

async function getRunningRequest(provider: Provider, { request, reply }: Exchange, id: string) {
  const { errors } = await import('oidc-provider');
  try {
    const found = await provider.interactionDetails(request.raw, reply.raw);
    if (found.uid === id && found.result === undefined) return found;
  } catch (error) {
    if (!(error instanceof errors.SessionNotFound)) throw error;
  }
  throw notFound('request for access');
}

async function getClient(provider: Provider, id: unknown) {
  const client = await provider.Client.find(String(id));
  if (!client) throw notFound('assistant');
  return client;
}

/** @returns the id of the connection, which ends soon unless the assistant fetches its tokens */
async function createConnection(
  { db, now }: Context,
  { request }: Exchange,
  userId: number,
  { clientId, name, scopes }: { clientId: string; name: string; scopes: ApiKeyScope[] },
): Promise<number> {
  const at = now();
  return await db.transaction().execute(async (trx) => {
    if (!(await lockUser(trx, userId))) throw unauthorized();
    if ((await store.countOtherConnections(trx, userId, clientId)) >= maxConnections) {
      throw conflict(`You have connected ${maxConnections} assistants, which is the maximum. Disconnect one first.`);
    }
    await recordAccountEvent(trx, request, { userId, kind: 'assistant-connected', now: at, subject: name });
    return await store.replaceConnection(trx, {
      user_id: userId,
      name,
      oauth_client_id: clientId,
      scopes,
      created_at: at,
      expires_at: new Date(at.getTime() + requestSeconds * 1000),
    });
  });
}
