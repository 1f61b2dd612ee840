import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#shared/endpoint.ts';
import type { Db } from '../db/database.ts';
import { getClientAddress } from './address.ts';
import { forbidden, unauthorized } from './errors.ts';

/** A part of the server behind one guard. Every route of the product is registered in one, so that a missing check is visible. */
export interface Scope<A extends Access = Access> {
  access: A;
  app: FastifyInstance;
  record?: RecordAuditEvent;
}

/** Something that an admin did. */
export interface AuditEvent {
  user: Identity;
  /** What was done, in the words of the contract. */
  act: string;
  /** Of what: ids, names, counts. */
  details: Record<string, unknown>;
  address: string;
}

/** Writes an event to the audit log, with the database handle given. */
export type RecordAuditEvent = (db: Db, event: AuditEvent) => Promise<void>;

/**
 * Writes what an admin's call did to the audit log, exactly once per call. Pass the transaction of the work, or call it before work
 * that does not end in the database (a file that is sent). `details` are added to the parameters of the path.
 */
export type Audit = (db: Db, details?: AuditEvent['details']) => Promise<void>;

/** For work that no admin asked for: the demo and tests. */
export const noAudit: Audit = async () => undefined;

/** What a handler is given: validated input, and who is asking where the scope's guard has made sure of it. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  user: E['access'] extends 'user' | 'admin' ? Identity : Identity | undefined;
  key: E['access'] extends 'key' ? KeyHolder : undefined;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the caller goes away. */
  signal: AbortSignal;
  /** For endpoints with an act. */
  audit: E extends { act: string } ? Audit : undefined;
}

/**
 * Opens a scope: `register` is called with it and adds routes. That of API keys is opened in api-keys/routes.ts.
 * `user` answers 401 without a session, `admin` also 403 for anybody who is not an admin.
 */
export function openScope<A extends Exclude<Access, 'key'>>(
  parent: FastifyInstance,
  access: A,
  { identify, record }: { identify: Identify; record?: RecordAuditEvent },
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
      // Before the input is validated, which drops what the contract does not name.
      app.addHook('preValidation', async ({ params, query, body, identity }) => {
        for (const part of [params, query, body]) refuseOtherUser(part, identity?.id);
      });
    }
    register({ access, app, ...(record && { record }) });
  });
}

/** An endpoint without responses answers with a stream or with nothing. */
type AnswerOf<E extends Endpoint> = E extends { responses: object }
  ? Promise<ResponseOf<E> | FastifyReply>
  : Promise<void> | Promise<FastifyReply>;

/**
 * Registers an endpoint of the contract with its handler. Throws at start when the endpoint's access is not the scope's, or when an
 * admin changes something without an act. A handler that succeeds without a call of `audit` is answered with an error.
 */
export function route<const E extends Endpoint>(
  scope: Scope<E['access']>,
  endpoint: E,
  handle: (call: Call<E>) => AnswerOf<E>,
): void {
  if (endpoint.access !== scope.access) {
    throw new Error(`${nameOf(endpoint)} is for '${endpoint.access}' but stands in the '${scope.access}' scope.`);
  }
  const { prefix } = scope.app;
  if (!endpoint.path.startsWith(prefix)) {
    throw new Error(`${nameOf(endpoint)} stands in the '${scope.access}' scope, whose paths begin with ${prefix}.`);
  }
  if (endpoint.access === 'admin' && endpoint.method !== 'GET' && !endpoint.act) {
    throw new Error(`${nameOf(endpoint)} changes something as an admin but names no act for the audit log.`);
  }
  const { act } = endpoint;
  const audited = new WeakSet<FastifyRequest>();
  const auditOf =
    (request: FastifyRequest): Audit =>
    async (db, details) => {
      if (audited.has(request)) throw new Error(`'${act}' is audited twice by the handler of ${nameOf(endpoint)}.`);
      audited.add(request);
      const user = request.identity;
      // Whoever asks for the head of an answer only gets nothing of what the act is about.
      if (!act || !user?.isAdmin || request.method === 'HEAD') return;
      const address = getClientAddress(request);
      await scope.record?.(db, { user, act, details: { ...(request.params as object), ...details }, address });
    };
  const usualStatus = Number(Object.keys(endpoint.responses ?? {})[0] ?? 204);
  scope.app.route({
    method: endpoint.method,
    url: endpoint.path.slice(prefix.length),
    config: { access: endpoint.access, ...(act && { act }), ...(endpoint.changes && { changes: true }) },
    schema: {
      summary: endpoint.summary,
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(endpoint.responses && { response: endpoint.responses }),
    },
    handler: async (request, reply) => {
      reply.code(usualStatus);
      if (endpoint.changes && request.method === 'HEAD') return reply.send();
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        user: request.identity,
        key: request.keyHolder,
        request,
        reply,
        get signal() {
          return untilGone(reply);
        },
        audit: auditOf(request),
      } as Call<E>;
      const answer = await handle(call);
      return answer === undefined && !reply.sent ? reply.send() : answer;
    },
    // Streams pass here too, before their first byte.
    onSend: async (request, reply) => {
      if (!act || !request.identity?.isAdmin || reply.statusCode >= 400 || audited.has(request)) return;
      throw new Error(
        `The handler of ${nameOf(endpoint)} never called audit(trx, details): '${act}' is missing in the audit log. ` +
          'Call it in the transaction of the work, or before work that ends elsewhere.',
      );
    },
  });
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/**
 * Older clients say whose data they want. It is never believed, and another's id is refused rather than passed over.
 * `part` is a path's parameters, a query, a JSON body or the fields of a form.
 */
export function refuseOtherUser(part: unknown, own: number | undefined): void {
  const named = part && typeof part === 'object' && 'userId' in part ? part.userId : undefined;
  if (named === undefined || named === null || named === '' || String(named) === String(own)) return;
  throw forbidden('This is not your account.');
}

/** Fastify's own signal of a request also aborts when its body has been read: this one only when the caller goes unanswered. */
function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed && !reply.raw.writableFinished) gone.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Who is asking, as the session says: nothing else in a request is believed. */
export interface Identity {
  id: number;
  username: string;
  isAdmin: boolean;
}

/** Finds who is asking; undefined without a live session. */
export type Identify = (request: FastifyRequest) => Promise<Identity | undefined>;

/** Whose API key a request carries. */
export interface KeyHolder {
  keyId: number;
  userId: number;
  /** A UTC day, 'YYYY-MM-DD', and the requests that the key has made on it. */
  day: string;
  dailyUsage: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
    /** In the scope of key holders only, where no session counts. */
    keyHolder: KeyHolder | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** What an admin does by it, for the audit log. */
    act?: string;
    /** Whether it is a GET that changes something. */
    changes?: true;
    /** Where the headers of pages are left out. */
    helmet?: { skipRoute: true };
  }
}
