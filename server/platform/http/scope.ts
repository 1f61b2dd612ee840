import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access, BodyOf, Endpoint, ParamsOf, QueryOf, ResponseOf } from '#shared/platform/endpoint.ts';
import type { Db } from '../db/database.ts';
import { getClientAddress } from './address.ts';
import { forbidden, reauthenticationRequired, secondFactorMissing, unauthorized } from './errors.ts';

/**
 * A part of the server behind one access check. Every route is registered in a scope, so that a missing check is
 * visible.
 */
export interface Scope<A extends Access = Access> {
  access: A;
  app: FastifyInstance;
  record?: RecordAuditEvent;
}

/** A person's action, as recorded in the audit log. */
export interface AuditEvent {
  user: Identity;
  /** The kind of action: the `auditEvent` of the endpoint. */
  event: string;
  /** What the action affected: ids, names, counts. */
  details: Record<string, unknown>;
  address: string;
}

/** Writes an event to the audit log, on the given database handle. */
export type RecordAuditEvent = (db: Db, event: AuditEvent) => Promise<void>;

/**
 * Records a request in the audit log. A handler calls it exactly once per request: in the transaction of its
 * work, or before work outside the database, such as sending a file. `details` are added to the path parameters.
 */
export type Audit = (db: Db, details?: AuditEvent['details']) => Promise<void>;

/** For work that nobody requested: the demo and tests. */
export const noAudit: Audit = async () => undefined;

/** A request and the reply to it. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The argument of a handler: validated input, and the signed-in user or API key that the scope has verified. */
export interface Call<E extends Endpoint> extends Exchange {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  user: E['access'] extends 'user' | 'admin' ? SessionIdentity : SessionIdentity | undefined;
  key: E['access'] extends 'key' ? KeyHolder : undefined;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** For endpoints with an `auditEvent`. */
  audit: E extends { auditEvent: string } ? Audit : undefined;
}

/**
 * Opens a scope and calls `register`, which adds its routes. api-keys/key-scopes.ts opens the scope of API keys.
 * `user` returns 401 without a session; `admin` also returns 403 for users who are not admins. Both return 403 for an
 * endpoint with `needsProof` if the user has not proven their identity within the last minutes. With
 * `requireAdminSecondFactor`, an admin without a second factor gets 403, and is no admin in the scope `public`.
 */
export function openScope<A extends Exclude<Access, 'key'>>(
  parent: FastifyInstance,
  access: A,
  {
    identify,
    record,
    requireAdminSecondFactor = false,
  }: { identify: Identify; record?: RecordAuditEvent; requireAdminSecondFactor?: boolean },
  register: (scope: Scope<A>) => void,
): void {
  parent.register(async (app) => {
    app.addHook('onRequest', async (request) => {
      const identity = await identify(request);
      const isRestricted = requireAdminSecondFactor && identity?.isAdmin === true && !identity.hasSecondFactor;
      request.identity = identity && isRestricted && access === 'public' ? { ...identity, isAdmin: false } : identity;
      if (access === 'user' || access === 'admin') {
        if (!request.identity) throw unauthorized();
        if (access === 'admin' && !request.identity.isAdmin) throw forbidden();
        if (isRestricted && !request.routeOptions.config.beforeSecondFactor) throw secondFactorMissing();
        if (request.routeOptions.config.needsProof && !request.identity.isProven) throw reauthenticationRequired();
      }
    });
    if (access === 'user') {
      // Must run before validation, which removes fields that are not in the contract.
      app.addHook('preValidation', async ({ params, query, body, identity }) => {
        for (const part of [params, query, body]) refuseOtherUser(part, identity?.id);
      });
    }
    register({ access, app, ...(record && { record }) });
  });
}

/** The handler of an endpoint without response schemas sends a stream or nothing. */
type HandlerResult<E extends Endpoint> = E extends { responses: object }
  ? Promise<ResponseOf<E> | FastifyReply>
  : Promise<void> | Promise<FastifyReply>;

/** Limit of a body for a list of names, see `Endpoint.longBody`. */
const longBodyBytes = 2 * 1024 * 1024;

/**
 * Registers an endpoint of the contract with its handler. A request fails if its handler has an `auditEvent` and
 * succeeds without calling `audit`.
 * @throws at start if the endpoint's access differs from the scope's, or if an admin endpoint changes something but has
 *   no `auditEvent`
 */
export function route<const E extends Endpoint>(
  scope: Scope<E['access']>,
  endpoint: E,
  handle: (call: Call<E>) => HandlerResult<E>,
): void {
  if (endpoint.access !== scope.access) {
    throw new Error(
      `${describeEndpoint(endpoint)} is for '${endpoint.access}' but registered in the '${scope.access}' scope.`,
    );
  }
  const { prefix } = scope.app;
  if (!endpoint.path.startsWith(prefix)) {
    throw new Error(
      `${describeEndpoint(endpoint)} is in the '${scope.access}' scope, so its path must start with ${prefix}.`,
    );
  }
  const changes = endpoint.changes ?? endpoint.method !== 'GET';
  if (endpoint.access === 'admin' && changes && !endpoint.auditEvent) {
    throw new Error(`${describeEndpoint(endpoint)} is an admin endpoint that changes something: add an auditEvent.`);
  }
  if (endpoint.access !== 'admin' && endpoint.auditEvent && !endpoint.auditAdminsOnly) {
    throw new Error(
      `${describeEndpoint(endpoint)} has an auditEvent, but events of other users would grow the audit log without end: use the security activity, or auditAdminsOnly.`,
    );
  }
  if (endpoint.needsProof && endpoint.access !== 'user' && endpoint.access !== 'admin') {
    throw new Error(`${describeEndpoint(endpoint)} needs a proof of identity, so its access must be user or admin.`);
  }
  const { auditEvent, auditAdminsOnly } = endpoint;
  const isAudited = ({ identity }: FastifyRequest) => identity && (identity.isAdmin || !auditAdminsOnly);
  const audited = new WeakSet<FastifyRequest>();
  const createAudit =
    (request: FastifyRequest): Audit =>
    async (db, details) => {
      if (audited.has(request))
        throw new Error(`'${auditEvent}' is audited twice by the handler of ${describeEndpoint(endpoint)}.`);
      audited.add(request);
      const user = request.identity;
      // The response to a HEAD request contains no data, so there is nothing to audit.
      if (!auditEvent || !user || !isAudited(request) || request.method === 'HEAD') return;
      const address = getClientAddress(request);
      await scope.record?.(db, {
        user,
        event: auditEvent,
        details: { ...(request.params as object), ...details },
        address,
      });
    };
  const defaultStatus = Number(Object.keys(endpoint.responses ?? {})[0] ?? 204);
  scope.app.route({
    method: endpoint.method,
    url: endpoint.path.slice(prefix.length),
    ...(endpoint.longBody && { bodyLimit: longBodyBytes }),
    config: {
      access: endpoint.access,
      ...(auditEvent && { auditEvent }),
      ...(endpoint.changes !== undefined && { changes: endpoint.changes }),
      ...(endpoint.crossSite && { crossSite: true }),
      ...(endpoint.needsProof && { needsProof: true }),
      ...(endpoint.worksOnFullDisk && { worksOnFullDisk: true }),
      ...(endpoint.beforeSecondFactor && { beforeSecondFactor: true }),
      ...(endpoint.scope && { scope: endpoint.scope }),
      ...(endpoint.hasETag && { hasETag: true }),
      ...(endpoint.upload && { acceptsFiles: true }),
    },
    schema: {
      summary: endpoint.summary,
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && { body: endpoint.body }),
      ...(endpoint.responses && { response: endpoint.responses }),
    },
    handler: async (request, reply) => {
      reply.code(defaultStatus);
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
          return abortOnDisconnect(reply);
        },
        audit: createAudit(request),
      } as Call<E>;
      const result = await handle(call);
      return result === undefined && !reply.sent ? reply.send() : result;
    },
    // This hook also runs for streams, before their first byte.
    onSend: async (request, reply) => {
      if (!auditEvent || !isAudited(request) || reply.statusCode >= 400 || audited.has(request)) return;
      throw new Error(
        `The handler of ${describeEndpoint(endpoint)} never called audit(trx, details): '${auditEvent}' is missing in the audit log. ` +
          'Call it in the transaction of the work, or before work outside the database.',
      );
    },
  });
}

const describeEndpoint = ({ method, path }: Endpoint) => `${method} ${path}`;

/**
 * Older clients send this field; it is never trusted, but ignoring it would hide errors. `part` is the path parameters,
 * the query, a JSON body or the fields of a form.
 * @throws 403 for another user's `userId`
 */
export function refuseOtherUser(part: unknown, ownId: number | undefined): void {
  const userId = part && typeof part === 'object' && 'userId' in part ? part.userId : undefined;
  if (userId === undefined || userId === null || userId === '' || String(userId) === String(ownId)) return;
  throw forbidden('This is not your account.');
}

/**
 * Fastify's `request.signal` also aborts once the body has been read. This one aborts only if the response cannot be
 * sent.
 */
function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed && !reply.raw.writableFinished) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The signed-in user, from the session: nothing else in a request is trusted. */
export interface Identity {
  id: number;
  username: string;
  isAdmin: boolean;
}

/** The signed-in user of a request. */
export interface SessionIdentity extends Identity {
  /** Whether the user has proven their identity within the last minutes, by signing in or by confirming it again. */
  isProven: boolean;
  /** Whether two-factor authentication is on. */
  hasSecondFactor: boolean;
}

/** Finds the signed-in user; undefined without a valid session. */
export type Identify = (request: FastifyRequest) => Promise<SessionIdentity | undefined>;

/** The API key of a request and its owner. */
export interface KeyHolder {
  keyId: number;
  userId: number;
  /** What the key allows. */
  scopes: readonly string[];
  /** The UTC day of `dailyUsage`, 'YYYY-MM-DD'. */
  day: string;
  /** Requests with the key on that day. */
  dailyUsage: number;
  /** The address that sent the request. */
  address: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: SessionIdentity | undefined;
    /** Only in the scope of API keys, which ignores sessions. */
    keyHolder: KeyHolder | undefined;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** The kind of event that the audit log records. */
    auditEvent?: string;
    /** True for a GET that changes something, false for another method that changes nothing. */
    changes?: boolean;
    /** Set for a call that works while the reserve of the disk is reached. */
    worksOnFullDisk?: true;
    /** Set for a route that other sites may call. */
    crossSite?: true;
    /** Set for a route that needs a recent proof of identity. */
    needsProof?: true;
    /** Set for a route that admins can call before they have set up a second factor that the server requires. */
    beforeSecondFactor?: true;
    /** What the API key of a request must allow. */
    scope?: string;
    /** Set for a GET whose response gets an ETag. */
    hasETag?: true;
    /** Set for a route that receives files. */
    acceptsFiles?: true;
    /** Set for routes without helmet's headers. */
    helmet?: { skipRoute: true };
  }
}

/** Routes for API keys with a common prefix. */
export interface KeyScope {
  prefix: string;
  /** The key may also be in `Authorization: Bearer`, and 401 asks for it there. */
  acceptsBearer?: true;
  /** Headers that pages of other sites may send besides `X-API-Key` and `Content-Type`. */
  allowedHeaders: readonly string[];
  register(scope: Scope<'key'>): void;
}
