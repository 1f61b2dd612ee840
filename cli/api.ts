import * as z from 'zod/mini';
import { Confidence } from '#shared/blacklist/domains.ts';
import { Check } from '#shared/checks/checks.ts';
import { type BulkCheckResponse, checkDomainsWithKey, maxBulkDomains } from '#shared/checks/key-checks.ts';
import type { Endpoint, ResponseOf } from '#shared/platform/endpoint.ts';

/** The longest wait with `--no-wait`, in seconds. The server's rate limit per address resets within this time. */
export const maxShortWaitSeconds = 60;

/** Stops the command before all domains are checked. The message is for the user. */
export class CommandError extends Error {
  /** The response, if there was one. */
  declare cause: Response | undefined;
}

/** The server is not reachable, is busy or limits requests. The same call may succeed later. */
export class RetryableError extends CommandError {}

export interface Api {
  origin: string;
  /** Undefined for calls that need none. */
  key?: string | undefined;
  /** Aborts a call at once. */
  signal: AbortSignal;
  timeoutMs?: number;
}

interface CallInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
  body?: object;
  form?: FormData;
  headers?: Record<string, string>;
}

/**
 * Calls an endpoint once.
 * @returns the validated body; undefined if the endpoint describes none, as that of a file
 * @throws CommandError, or the signal's reason if aborted
 */
export async function callApi<E extends Endpoint>(
  { origin, key, signal, timeoutMs = 60_000 }: Api,
  { method, path, responses }: E,
  { params = {}, query = {}, body, form, headers = {} }: CallInput = {},
): Promise<{ body: ResponseOf<E>; text: string; response: Response }> {
  const url = new URL(origin + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')));
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...((body || form) && { body: form ?? JSON.stringify(body) }),
      // The key must not be sent to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(origin, error, timeout.aborted && timeoutMs / 1000);
  }
  const json = parseJson(text);
  const bodies: Endpoint['responses'] = responses ?? { 200: z.undefined() };
  const schema = bodies[response.status];
  if (!schema) throw responseError(origin, response, json);
  const { success, data } = z.safeParse(schema, responses ? json : undefined);
  if (success) return { body: data as ResponseOf<E>, text, response };
  throw new CommandError(`${origin} is not a Linksieve server. Check --url.`);
}

/** Warns of an address whose requests others can read on their way. */
export function warnIfUnencrypted(origin: string): void {
  const isThisMachine = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(origin).hostname);
  if (!origin.startsWith('http:') || isThisMachine) return;
  process.stderr.write(`Warning: ${origin} is not encrypted, so others can read your API key. Use https.\n`);
}

function connectionError(origin: string, error: unknown, timeoutSeconds: number | false): CommandError {
  const server = `The server at ${origin}`;
  if (timeoutSeconds) return new RetryableError(`${server} did not respond within ${timeoutSeconds} seconds.`);
  // fetch wraps the system error.
  const { code = '' } = (error as { cause?: NodeJS.ErrnoException }).cause ?? {};
  return /CERT|TLS|SSL|ISSUER|VERIFY/.test(code)
    ? new CommandError(`The connection to ${origin} is not secure (${code}), so nothing was sent. Check --url.`)
    : new RetryableError(`${server} cannot be reached${code && ` (${code})`}.`);
}

function responseError(origin: string, response: Response, json: unknown): CommandError {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const location = toOneLine(headers.get('location') ?? 'another address');
    return new CommandError(`${origin} redirects to ${location}. Use that address with --url.`);
  }
  const { data } = z.safeParse(z.object({ error: z.string() }), json);
  const sentence = data && toOneLine(data.error);
  if (status === 429) return new RetryableError(sentence ?? 'The server limits requests.', { cause: response });
  if (status >= 500) {
    return new RetryableError(sentence ?? `The server at ${origin} is not available right now (${status}).`, {
      cause: response,
    });
  }
  return new CommandError(sentence ?? `${origin} returned an unexpected response (${status}). Check --url.`, {
    cause: response,
  });
}

export interface RetryOptions {
  /** Whether to wait longer than `maxShortWaitSeconds` after 429. */
  wait: boolean;
  /** Maximum number of retries after other errors. */
  tries: number;
  /** Stops retrying. */
  signal: AbortSignal;
  /** Waits before a retry. The sentence says why. */
  pause(seconds: number, sentence: string): Promise<void>;
}

/**
 * Repeats a call after a RetryableError: after 429 when the server says, otherwise after 1, 2, 4 … seconds, at most a
 * minute.
 * @throws the last error
 */
export async function withRetry<T>(call: () => Promise<T>, { wait, tries, signal, pause }: RetryOptions): Promise<T> {
  for (let retries = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      const seconds = retryAfter(error.cause);
      const isLimited = error.cause?.status === 429 && seconds !== undefined;
      if (isLimited ? seconds > maxShortWaitSeconds && !wait : retries >= tries) throw error;
      if (isLimited) await pause(Math.max(1, seconds), error.message);
      else {
        const delay = Math.min(60, Math.max(2 ** retries, seconds ?? 0));
        retries += 1;
        await pause(delay, `${error.message} Retry ${retries} of ${tries}.`);
      }
    }
  }
}

/** Reads Retry-After, which is a number of seconds or a date (RFC 9110, 10.2.3). @returns seconds */
function retryAfter(response: Response | undefined): number | undefined {
  const text = response?.headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The server's result for one domain of the file. Unknown values are null. */
export const Verdict = z.extend(Check, {
  /** Null if the value is not a domain. */
  listed: z.nullable(z.boolean()),
  /** Files of earlier versions do not contain these two. */
  confidence: z._default(z.nullable(Confidence), null),
  independentSourceCount: z._default(z.nullable(z.number()), null),
  checkedAt: z.nullable(z.string()),
  /** Why the value is not a domain. */
  error: z.nullable(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;
export const verdictKeys = z.keyof(Verdict).options;

/** The fields of a verdict that can be unknown. */
export const unknownVerdict = {
  matchedDomain: null,
  riskLevel: null,
  confidence: null,
  sourceCount: null,
  independentSourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
};

/**
 * Checks hosts in order, one call after another, and yields the verdicts of each call. The server rejects a call with
 * more hosts than the key has requests left today, so no call exceeds that number.
 * @param remaining requests that the key has left today
 */
export async function* checkHosts(api: Api, hosts: readonly string[], remaining: number, retry: RetryOptions) {
  let left = remaining;
  const readRemaining = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'));
  async function checkNext(at: number): Promise<Verdict[]> {
    // If no requests are left, the next call happens on the next day.
    const batch = hosts.slice(at, at + Math.min(maxBulkDomains, left || maxBulkDomains));
    try {
      const { body, response } = await callApi(api, checkDomainsWithKey, { body: { domains: batch } });
      left = readRemaining(response);
      return toVerdicts(batch, body);
    } catch (error) {
      if (!(error instanceof RetryableError) || error.cause?.status !== 429) throw error;
      left = readRemaining(error.cause);
      // Another program uses the same key.
      if (left > 0 && left < batch.length) return checkNext(at);
      throw error;
    }
  }
  for (let at = 0; at < hosts.length; ) {
    const verdicts = await withRetry(() => checkNext(at), retry);
    yield verdicts;
    at += verdicts.length;
  }
}

function toVerdicts(batch: readonly string[], { results }: BulkCheckResponse): Verdict[] {
  if (results.length !== batch.length) {
    const counts = `${results.length} of ${batch.length} domains`;
    throw new CommandError(`The server returned results for ${counts}. Please tell its administrator.`);
  }
  return results.map((result, i) => {
    const domain = batch[i] ?? '';
    if ('error' in result)
      return { ...unknownVerdict, domain, listed: null, checkedAt: null, error: toOneLine(result.error) };
    return { ...result, domain, niche: result.niche && toOneLine(result.niche), error: null };
  });
}

/**
 * Removes line breaks, so that a verdict is one line of a file, and control characters, which could manipulate a
 * terminal.
 */
export function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** @returns undefined if the text is not valid JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
