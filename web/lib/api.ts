import type { BodyInputOf, Endpoint, ParamsOf, QueryInputOf, ResponseOf } from '#shared/endpoint.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { writeSearch } from './search-values.ts';

/** What the server answered instead of a success, or that it could not be reached (`status` 0). */
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

  /** Field name to sentence, where the server refused input. */
  get fields(): Record<string, string> {
    return (this.body.fields as Record<string, string> | undefined) ?? {};
  }
}

/** The parts of a request that an endpoint declares; those it does not declare cannot be given. */
type RequestOf<E extends Endpoint> = (ParamsOf<E> extends undefined
  ? unknown
  : { params: Record<string, string | number> }) &
  (QueryInputOf<E> extends undefined ? unknown : { query?: QueryInputOf<E> }) &
  (BodyInputOf<E> extends undefined ? unknown : { body: BodyInputOf<E> }) & { signal?: AbortSignal };

/** Calls an endpoint of the contract. Throws ApiError for anything but a success. */
export async function call<const E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<ResponseOf<E>> {
  const { params, query, body, signal } = request as {
    params?: Values;
    query?: Values;
    body?: unknown;
    signal?: AbortSignal;
  };
  const response = await reach(urlOf(endpoint, params, query), {
    method: endpoint.method,
    credentials: 'same-origin',
    signal,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return (await answerOf(response)) as ResponseOf<E>;
}

type Values = Record<string, unknown>;

/** The address of an endpoint, also for links that download. Empty and null values are left out of the query. */
export function urlOf(endpoint: Endpoint, params: Values = {}, query: Values = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  return path + writeSearch(query);
}

/** Sends a file with other fields. `onProgress` hears the share that has left, 0 to 1. Throws ApiError. */
export function upload<const E extends Endpoint & { upload: string }>(
  endpoint: E,
  file: File,
  fields: Record<string, string> = {},
  options: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<ResponseOf<E>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set(endpoint.upload, file, file.name);
  // fetch() cannot tell how much of a body has been sent.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, endpoint.path);
  request.upload.onprogress = (event) => event.lengthComputable && options.onProgress?.(event.loaded / event.total);
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    request.onload = () => {
      const response = new Response(request.responseText || null, { status: request.status || 500 });
      answerOf(response).then((answer) => resolve(answer as ResponseOf<E>), reject);
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    request.onloadend = () => options.signal?.removeEventListener('abort', abort);
    request.send(form);
  });
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

const unreachable = () =>
  new ApiError(
    0,
    'unreachable',
    navigator.onLine
      ? 'The server could not be reached. Please check your connection.'
      : 'You seem to be offline. Please check your connection.',
  );

async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const text = await response.text();
  const body = parse(text);
  if (response.ok) return body;
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const sentence =
    typeof fields.error === 'string'
      ? fields.error
      : `${response.status}: ${response.statusText || 'unexpected answer'}`;
  throw new ApiError(response.status, (fields.code as ErrorCode | undefined) ?? 'internal', sentence, fields);
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Logs a failure in the browser that the screen does not show. */
export function warn(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification wants such a failure in the browser's log, and nowhere else
  console.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
}
