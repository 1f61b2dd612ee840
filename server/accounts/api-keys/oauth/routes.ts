import { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import * as contract from '#shared/accounts/oauth.ts';
import type { Context } from '../../../context.ts';
import { getClientNetwork, getPublishedOrigin } from '../../../platform/http/address.ts';
import { HttpError } from '../../../platform/http/errors.ts';
import { type Exchange, route, type Scope } from '../../../platform/http/scope.ts';
import { recordUse } from '../../../platform/throttle/throttle.ts';
import { toRedirectHost } from '../api-keys.ts';
import { answerAccessRequest, getAccessRequest, toScopes } from './oauth.ts';
import {
  clientDefaults,
  getProvider,
  oauthPaths,
  resourceMetadataPath,
  siteMetadataPath,
  toResource,
} from './provider.ts';

const isPublic = { config: { access: 'public' } } as const;
/** These calls use no cookie. */
const forPrograms = { config: { access: 'public', crossSite: true } } as const;

/** OAuth 2.1 for assistants that cannot send a key. */
export const oauthRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { db, now } = context;

    const recordNetworkUse = (request: FastifyRequest, kind: string, maxPerHour: number) => {
      const limitMessage = 'Too many assistants have asked for access from this network. Try again in an hour.';
      return recordUse(db, { key: `${kind}:${getClientNetwork(request)}`, maxPerHour, limitMessage }, now());
    };

    scope.app.register(async (app) => {
      app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      );

      // Some clients look for the document of the whole site.
      for (const path of [resourceMetadataPath, siteMetadataPath]) {
        app.get(path, isPublic, (request, reply) => {
          const origin = getOrigin(context, request);
          return sendMetadata(reply, {
            resource: toResource(origin),
            authorization_servers: [origin],
            scopes_supported: apiKeyScopes,
            bearer_methods_supported: ['header'],
            resource_name: 'Linksieve',
            resource_documentation: `${origin}/api/docs`,
          });
        });
      }

      app.get('/.well-known/oauth-authorization-server', isPublic, (request, reply) => {
        const origin = getOrigin(context, request);
        return sendMetadata(reply, {
          issuer: origin,
          authorization_endpoint: origin + oauthPaths.authorization,
          token_endpoint: origin + oauthPaths.token,
          registration_endpoint: origin + oauthPaths.registration,
          revocation_endpoint: origin + oauthPaths.revocation,
          scopes_supported: apiKeyScopes,
          response_types_supported: clientDefaults.response_types,
          response_modes_supported: ['query'],
          grant_types_supported: clientDefaults.grant_types,
          token_endpoint_auth_methods_supported: [clientDefaults.token_endpoint_auth_method],
          revocation_endpoint_auth_methods_supported: [clientDefaults.token_endpoint_auth_method],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        });
      });

      app.get(oauthPaths.authorization, isPublic, async (request, reply) => {
        await recordNetworkUse(request, 'oauth-requests', maxOAuthCallsPerHour.requests);
        return passOn(context, { request, reply }, withDefaultScope(request.url), '');
      });
      app.get(`${oauthPaths.authorization}/:id`, isPublic, (request, reply) =>
        passOn(context, { request, reply }, request.url, ''),
      );
      for (const path of [oauthPaths.token, oauthPaths.revocation]) {
        const config = {
          ...forPrograms.config,
          ...(path === oauthPaths.revocation && { worksOnFullDisk: true as const }),
        };
        app.post(path, { config }, (request, reply) =>
          passOn(context, { request, reply }, path, typeof request.body === 'string' ? request.body : ''),
        );
      }
      app.post(oauthPaths.registration, forPrograms, async (request, reply) => {
        const metadata = ClientMetadata.safeParse(request.body);
        if (!metadata.success) {
          const [issue] = metadata.error.issues;
          const error_description = `${issue?.path.join('.')}: ${issue?.message}`;
          return reply.code(400).send({ error: 'invalid_client_metadata', error_description });
        }
        await recordNetworkUse(request, 'oauth-clients', maxOAuthCallsPerHour.clients);
        const { redirect_uris, client_name = toRedirectHost(redirect_uris[0] ?? '') } = metadata.data;
        const client = JSON.stringify({ client_name, redirect_uris, ...clientDefaults });
        return passOn(context, { request, reply }, oauthPaths.registration, client);
      });
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    const getProviderOf = (request: FastifyRequest) => getProvider(context, getOrigin(context, request));

    route(scope, contract.getAccessRequest, async ({ request, reply, params }) =>
      getAccessRequest(await getProviderOf(request), { request, reply }, params.id),
    );

    route(scope, contract.answerAccessRequest, async ({ request, reply, params, body, user }) => {
      const provider = await getProviderOf(request);
      return answerAccessRequest({ provider, context }, { request, reply }, user, { ...params, ...body });
    });
  },
};

/** Per network. The services of assistants register for many people. */
export const maxOAuthCallsPerHour = { clients: 100, requests: 300 };

const shortText = z.string().check(z.maxLength(500));

/** What a program may say about itself. Everything else is fixed, or would make this server send requests. */
const ClientMetadata = z.object({
  client_name: z.optional(
    z.pipe(
      shortText,
      z.transform(
        (name) =>
          name
            .replace(/[\p{C}\p{Z}]+/gu, ' ')
            .trim()
            .slice(0, 100) || undefined,
      ),
    ),
  ),
  redirect_uris: z
    .array(shortText.check(z.refine((uri) => URL.canParse(uri), 'Send complete addresses')))
    .check(z.minLength(1), z.maxLength(10)),
});

/** @throws 404 if the address of the site is unknown, because tokens are only valid for one address */
function getOrigin({ config }: Context, request: FastifyRequest): string {
  const origin = getPublishedOrigin(request, config);
  if (!origin) throw new HttpError(404, 'not_found', 'Assistants can connect after PUBLIC_URL is set.');
  return origin;
}

const sendMetadata = (reply: FastifyReply, metadata: object) =>
  reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=3600').send(metadata);

/** Most assistants only read. */
const defaultScope = 'check read';

function withDefaultScope(path: string): string {
  const url = new URL(path, 'http://localhost');
  if (toScopes(url.searchParams.get('scope')).length === 0) url.searchParams.set('scope', defaultScope);
  return url.pathname + url.search;
}

/** Lets the provider respond to a request. It sees the address of the site as the browser does. */
async function passOn(context: Context, { request, reply }: Exchange, url: string, body: string) {
  const origin = getOrigin(context, request);
  const provider = await getProvider(context, origin);
  const { host, protocol } = new URL(origin);
  const { 'transfer-encoding': _, ...headers } = request.headers;
  const message = new IncomingMessage(request.raw.socket);
  message.method = request.method === 'HEAD' ? 'GET' : request.method;
  message.url = url;
  message.headers = {
    ...headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  if (body) message.push(body);
  message.push(null);
  // Otherwise its end closes the connection, whose request has been read.
  message.complete = true;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  await provider.callback()(message, reply.raw);
}
