import type * as z from 'zod/mini';

/** Who may call: anybody, a signed-in person, an admin, or the holder of an API key. */
export type Access = 'public' | 'user' | 'admin' | 'key';

type Schema = z.ZodMiniType;

/**
 * One call of the product. The server's route, the browser's typed call and the OpenAPI document are all made from this value.
 * `responses` are what a success answers with; an endpoint without them answers with nothing (204) or with a stream.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `:name` parameters. */
  path: string;
  access: Access;
  summary: string;
  /**
   * What an admin did by it, for the audit log: 'Deleted a domain'. Every admin call that changes something has one, and so has a
   * call of anybody's that gives admins what only they may see in bulk.
   */
  act?: string;
  /** A GET that changes something, for older clients: another site's is refused as a POST is, and its HEAD does nothing. */
  changes?: true;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  /** The multipart field that carries the file, where the call uploads one. */
  upload?: string;
  /** Status to schema; the first is the usual one. */
  responses?: Record<number, Schema>;
}

export function endpoint<const E extends Endpoint>(value: E): E {
  return value;
}

type OutputOf<S> = S extends Schema ? z.output<S> : undefined;
type InputOf<S> = S extends Schema ? z.input<S> : undefined;
type At<E, K extends string> = E extends Record<K, infer V> ? V : undefined;

export type ParamsOf<E> = OutputOf<At<E, 'params'>>;
export type QueryOf<E> = OutputOf<At<E, 'query'>>;
export type QueryInputOf<E> = InputOf<At<E, 'query'>>;
export type BodyOf<E> = OutputOf<At<E, 'body'>>;
export type BodyInputOf<E> = InputOf<At<E, 'body'>>;
export type ResponseOf<E> = E extends { responses: infer R } ? { [S in keyof R]: OutputOf<R[S]> }[keyof R] : undefined;
