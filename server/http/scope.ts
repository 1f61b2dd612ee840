import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#shared/endpoint.ts';
import { forbidden, unauthorized } from './errors.ts';
import type { Identify, Identity } from './identity.ts';

/** A part of the server behind one guard. Every route of the product is registered in one, so that a missing check is visible. */
export interface Scope<A extends Access = Access> {
  access: A;
  app: FastifyInstance;
}

/** What a handler is given: validated input, and who is asking where the scope's guard has made sure of it. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  user: E['access'] extends 'user' | 'admin' ? Identity : Identity | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
}

/**
 * Opens a scope: `register` is called with it and adds routes.
 * `user` answers 401 without a session, `admin` also 403 for anybody who is not an admin.
 */
export function openScope<A extends Access>(
  parent: FastifyInstance,
  access: A,
  identify: Identify,
  register: (scope: Scope<A>) => void,
): void {
  parent.register(async (app) => {
    app.addHook('onRequest', async (request) => {
      request.identity = await identify(request);
      if (access === 'user' || access === 'admin') {
        if (!request.identity) throw unauthorized();
        if (access === 'admin' && !request.identity.isAdmin) throw forbidden();
      }
    });
    if (access === 'user') {
      app.addHook('preHandler', async ({ query, body, identity }) => {
        for (const part of [query, body]) refuseOtherUser(part, identity?.id);
      });
    }
    register({ access, app });
  });
}

/** Registers an endpoint of the contract with its handler. Throws at start when the endpoint's access is not the scope's. */
export function route<const E extends Endpoint>(
  scope: Scope<E['access']>,
  endpoint: E,
  handle: (call: Call<E>) => Promise<ResponseOf<E> | FastifyReply>,
): void {
  if (endpoint.access !== scope.access) {
    throw new Error(
      `${endpoint.method} ${endpoint.path} is for '${endpoint.access}' but stands in the '${scope.access}' scope.`,
    );
  }
  const usualStatus = Number(Object.keys(endpoint.responses ?? {})[0] ?? 204);
  scope.app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { access: endpoint.access },
    schema: {
      summary: endpoint.summary,
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(endpoint.responses && { response: endpoint.responses }),
    },
    handler: async (request, reply) => {
      reply.code(usualStatus);
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        user: request.identity,
        request,
        reply,
        signal: untilGone(reply),
      } as Call<E>;
      const answer = await handle(call);
      return answer === undefined && !reply.sent ? reply.send() : answer;
    },
  });
}

/**
 * Older clients say whose data they want. It is never believed, and another's id is refused rather than passed over.
 * `part` is a query, a JSON body or the fields of a form.
 */
export function refuseOtherUser(part: unknown, own: number | undefined): void {
  const named = part && typeof part === 'object' && 'userId' in part ? part.userId : undefined;
  if (named === undefined || named === null || named === '' || String(named) === String(own)) return;
  throw forbidden('This is not your account.');
}

/** Fastify's own signal of a request also aborts when its body has been read: this one only when the caller goes unanswered. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
