import type { BodyInputOf, Endpoint, ParamsOf, QueryInputOf, ResponseOf } from '#shared/platform/endpoint.ts';
import type { ErrorCode } from '#shared/platform/errors.ts';
import type { PageResponse } from '#shared/rendered-page.ts';
import { checkConnection } from './connection.ts';
import { servedRequest } from './page-state.ts';
import { writeSearch } from './search-values.ts';

/** An error response of the server, or `status` 0 and code `unreachable` if there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode | 'unreachable';
  readonly body: Record<string, unknown>;

  constructor(status: number, code: ErrorCode | 'unreachable', message: string, body: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.body = body;
  }

  /** Error messages by field name, if the server refused the input. Empty otherwise. */
  get fields(): Record<string, string> {
    return (this.body.fields as Record<string, string> | undefined) ?? {};
  }
}

/** The parts of a request that an endpoint declares. TypeScript refuses the others. */
export type RequestOf<E extends Endpoint> = (ParamsOf<E> extends undefined
  ? unknown
  : { params: Record<string, string | number> }) &
  (QueryInputOf<E> extends undefined ? unknown : { query?: QueryInputOf<E> }) &
  (BodyInputOf<E> extends undefined ? unknown : { body: BodyInputOf<E> }) & { signal?: AbortSignal };

/** Calls an endpoint and returns its parsed response. @throws ApiError for error responses and network failures */
export async function call<const E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<ResponseOf<E>> {
  const { params, query, body, signal } = request as {
    params?: Values;
    query?: Values;
    body?: unknown;
    signal?: AbortSignal;
  };
  const [response, text] = await send(buildUrl(endpoint, params, query), {
    method: endpoint.method,
    credentials: 'same-origin',
    signal,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return readResponse(response, text) as ResponseOf<E>;
}

export type Values = Record<string, unknown>;

/** Returns the path and query of an endpoint. Empty, null and undefined query values are left out. */
export function buildUrl(endpoint: Endpoint, params: Values = {}, query: Values = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return path + writeSearch(query);
}

/** Returns the response and its body. */
async function send(url: string, init: RequestInit): Promise<[PageResponse, string]> {
  try {
    const response: PageResponse = await (servedRequest()?.fetch(url) ?? fetch(url, init));
    return [response, await response.text()];
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    // The server is stopping. It must not wait for a connection.
    if (servedRequest()) throw new ApiError(503, 'unavailable', 'The server is restarting. Try again in a moment.');
    return await unreachable();
  }
}

/** @throws the error for a request without a response, after checking the connection */
export async function unreachable(): Promise<never> {
  await checkConnection();
  const sentence = navigator.onLine
    ? 'The server could not be reached. Check your connection and try again.'
    : 'You are offline. Try again when the connection is back.';
  throw new ApiError(0, 'unreachable', sentence);
}

/** Returns the parsed body of a response. @throws ApiError for error responses */
export function readResponse({ status, statusText }: { status: number; statusText: string }, text: string): unknown {
  if (status === 204) return undefined;
  const body = parse(text);
  if (status >= 200 && status < 300) return body;
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const sentence =
    typeof fields.error === 'string' ? fields.error : `${status}: ${statusText || 'unexpected response'}`;
  throw new ApiError(status, (fields.code as ErrorCode | undefined) ?? 'internal', sentence, fields);
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Logs a failure to the browser console, for failures that the screen does not show. */
export function logWarning(message: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification requires some failures to be logged only
  console.warn(`${message}: ${error instanceof Error ? error.message : String(error)}`);
}
