import type { FastifyReply } from 'fastify';
import * as contract from '#shared/accounts/oidc.ts';
import type { Context } from '../../../context.ts';
import { HttpError, notFound } from '../../../platform/http/errors.ts';
import { type Exchange, route, type Scope } from '../../../platform/http/scope.ts';
import { createOidcClients, type OidcClient } from './client.ts';
import { finishOidc, startOidc, unlinkIdentity } from './oidc-sign-in.ts';

const securityPage = '/account?tab=profile';

/** Signing in with providers of OpenID Connect. The addresses after a sign-in are fixed, so none can lead elsewhere. */
export const oidcRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const getClient = createFinder(context);

    route(scope, contract.startOidcSignIn, ({ params, request, reply }) => {
      const client = getClient(params.provider);
      return redirect({ request, reply }, () => startOidc(context, client, { request, reply }));
    });

    route(scope, contract.finishOidcSignIn, ({ params, request, reply }) => {
      const client = getClient(params.provider);
      return redirect({ request, reply }, async () => {
        const result = await finishOidc(context, client, { request, reply });
        // The sign-in page knows which screen its visitor came from.
        return result === 'linked' ? securityPage : '/auth';
      });
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    const getClient = createFinder(context);

    route(scope, contract.linkOidcProvider, async ({ params, user, request, reply }) => ({
      url: await startOidc(context, getClient(params.provider), { request, reply }, user.id),
    }));

    route(scope, contract.unlinkIdentity, ({ params, user, request }) =>
      unlinkIdentity(context, user.id, { id: params.id, request }),
    );
  },
};

function createFinder(context: Context): (id: string) => OidcClient {
  const clients = createOidcClients(context);
  return (id) => {
    const client = clients.get(id);
    if (!client) throw notFound('sign-in provider');
    return client;
  };
}

/** Sends a browser to the address that `run` returns, or to the screen that shows why there is none. */
async function redirect({ request, reply }: Exchange, run: () => Promise<string>): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  try {
    return reply.redirect(await run(), 302);
  } catch (error) {
    if (!(error instanceof HttpError) || !request.headers.accept?.includes('text/html')) throw error;
    const { challenge, problem = error.status === 429 ? 'throttled' : 'unavailable' } = error.extras;
    if (typeof challenge === 'string') return reply.redirect(`/auth?tab=code#${challenge}`, 302);
    return reply.redirect(`${request.identity ? `${securityPage}&` : '/auth?'}problem=${problem}`, 302);
  }
}
