import type * as z from 'zod/mini';

/** Who may call an endpoint: anyone, a signed-in user, an admin, or a program with an API key. */
export type Access = 'public' | 'user' | 'admin' | 'key';

type Schema = z.ZodMiniType;

/**
 * The contract of one HTTP call. The server's route, the browser's typed call and the OpenAPI document are all built
 * from it. `responses` lists the successful responses; an endpoint without them returns no body (204) or a stream.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters. */
  path: string;
  access: Access;
  summary: string;
  /** The audit event of the call, such as 'Deleted a domain'. Required for every admin call that changes data. */
  auditEvent?: string;
  /** Records the event only for admins, for example because the response has more data for them. */
  auditAdminsOnly?: true;
  /**
   * `true` marks a GET that changes data. It is checked for cross-site requests like a POST, and its HEAD does nothing.
   * `false` marks another method that changes nothing: an admin call needs no audit event, and the call works while the
   * reserve of the disk is reached.
   */
  changes?: boolean;
  /**
   * The call is dangerous, so it fails with 403 `reauthentication_required` unless the user has signed in or confirmed
   * their identity within the last 15 minutes.
   */
  needsProof?: true;
  /**
   * Admins can make the call before they have turned on two-factor authentication on a server that requires it of them.
   * Their other calls fail with 403 `second_factor_missing`.
   */
  beforeSecondFactor?: true;
  /** The call uses no cookie, or browsers open it like a page, so it is also accepted from other sites. */
  crossSite?: true;
  /**
   * The call works while the reserve of the disk is reached, for example because people need it to sign in and delete
   * something. Deletions and admin calls always work.
   */
  worksOnFullDisk?: true;
  /** For access `key`: what the key must allow. Checked at start against `apiKeyScopes`. */
  scope?: string;
  /** GETs whose responses have an ETag, so that clients can revalidate them. */
  hasETag?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The body can have up to 2 MiB instead of 128 KiB. To parse so much takes time in which others wait. */
  longBody?: true;
  /** The multipart field of the file, if the call uploads one. */
  upload?: string;
  /** Response schemas by status code. The first one is the usual response. */
  responses?: Record<number, Schema>;
}

export function endpoint<const E extends Endpoint>(value: E): E {
  return value;
}

type OutputOf<S> = S extends Schema ? z.output<S> : undefined;
type InputOf<S> = S extends Schema ? z.input<S> : undefined;
/** The type of the property `K`; undefined if the endpoint does not have it. */
type PropertyOf<E, K extends string> = E extends Record<K, infer V> ? V : undefined;

export type ParamsOf<E> = OutputOf<PropertyOf<E, 'params'>>;
export type QueryOf<E> = OutputOf<PropertyOf<E, 'query'>>;
export type QueryInputOf<E> = InputOf<PropertyOf<E, 'query'>>;
export type BodyOf<E> = OutputOf<PropertyOf<E, 'body'>>;
export type BodyInputOf<E> = InputOf<PropertyOf<E, 'body'>>;
export type ResponseOf<E> = E extends { responses: infer R } ? { [S in keyof R]: OutputOf<R[S]> }[keyof R] : undefined;
