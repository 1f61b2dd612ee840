import * as z from 'zod/mini';
import { Check } from '#shared/checks.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { type BulkCheckResponse, checkDomainsWithKey, maxBulkDomains } from '#shared/key-checks.ts';

/** The longest wait in seconds that `--no-wait` allows. The server's limit for one address ends within it. */
export const maxShortWait = 60;

/** Not everything could be checked. The message is for the user. */
export class CannotFinish extends Error {}

/** The server is away, busy or limits its callers: the same call may succeed later. */
export class TryLater extends CannotFinish {
  /** The response, if there was one. */
  declare cause: Response | undefined;
}

export interface Api {
  origin: string;
  key: string;
  /** Ends a call at once. */
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Calls an endpoint once. Throws CannotFinish, and the signal's reason when aborted. */
export async function callApi<E extends Endpoint & { responses: { 200: z.ZodMiniType } }>(
  { origin, key, signal, timeoutMs = 60_000 }: Api,
  { method, path, responses }: E,
  body?: object,
) {
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(origin + path, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // Another server must not receive the key.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(origin, error, timeout.aborted && timeoutMs / 1000);
  }
  const json = parseJson(text);
  if (response.status !== 200) throw responseError(origin, response, json);
  const { success, data } = z.safeParse(responses[200] as E['responses'][200], json);
  if (success) return { body: data, response };
  throw new CannotFinish(`${origin} does not answer as Linksieve does. Please check --url.`);
}

function connectionError(origin: string, error: unknown, timeoutSeconds: number | false): CannotFinish {
  const server = `The server at ${origin}`;
  if (timeoutSeconds) return new TryLater(`${server} did not answer within ${timeoutSeconds} seconds.`);
  // fetch wraps the error of the system.
  const { code = '' } = (error as { cause?: NodeJS.ErrnoException }).cause ?? {};
  return /CERT|TLS|SSL|ISSUER|VERIFY/.test(code)
    ? new CannotFinish(`No trusted connection to ${origin} is to be had (${code}), so nothing was sent. Check --url.`)
    : new TryLater(`${server} can not be reached${code && ` (${code})`}.`);
}

function responseError(origin: string, response: Response, json: unknown): CannotFinish {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const place = oneLine(headers.get('location') ?? 'elsewhere');
    return new CannotFinish(`${origin} sends callers to ${place}: use that --url.`);
  }
  const { data } = z.safeParse(z.object({ error: z.string() }), json);
  const sentence = data && oneLine(data.error);
  if (status === 429) return new TryLater(sentence ?? 'The server asks to wait.', { cause: response });
  if (status >= 500) {
    return new TryLater(sentence ?? `The server at ${origin} can not answer now (${status}).`, { cause: response });
  }
  return new CannotFinish(sentence ?? `${origin} answered with ${status}, as Linksieve does not. Please check --url.`);
}

export interface RetryOptions {
  /** Whether to wait longer than `maxShortWait` when the server limits its callers. */
  wait: boolean;
  /** Retries after other failures. */
  tries: number;
  /** Ends the retries. */
  signal: AbortSignal;
  /** Waits before the next try. The sentence says why. */
  pause(seconds: number, sentence: string): Promise<void>;
}

/**
 * Repeats a call that may succeed later: after 429 when the server says, otherwise after 1, 2, 4 … seconds, at most a minute.
 * Throws the last error.
 */
export async function withRetry<T>(call: () => Promise<T>, { wait, tries, signal, pause }: RetryOptions): Promise<T> {
  for (let tried = 0; ; ) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof TryLater)) throw error;
      const seconds = retryAfter(error.cause);
      const isLimited = error.cause?.status === 429 && seconds !== undefined;
      if (isLimited ? seconds > maxShortWait && !wait : tried >= tries) throw error;
      if (isLimited) await pause(Math.max(1, seconds), error.message);
      else {
        const next = Math.min(60, Math.max(2 ** tried, seconds ?? 0));
        tried += 1;
        await pause(next, `${error.message} Try ${tried} of ${tries} follows.`);
      }
    }
  }
}

/** Seconds, from a number of seconds or a date (RFC 9110, 10.2.3). */
function retryAfter(response: Response | undefined): number | undefined {
  const text = response?.headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** What the server says about one domain of the file. Unknown values are null. */
export const Verdict = z.extend(Check, {
  /** Null for what is no domain. */
  listed: z.nullable(z.boolean()),
  checkedAt: z.nullable(z.string()),
  /** Why it is no domain. */
  error: z.nullable(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;
export const verdictKeys = z.keyof(Verdict).options;

const unknown = {
  matchedDomain: null,
  riskLevel: null,
  sourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
};

/**
 * Checks hosts in their order, one call after the other. A call for more than the key has left today is refused whole, so each
 * asks for at most that. Yields the verdicts of each call.
 */
export async function* checkHosts(api: Api, hosts: readonly string[], remaining: number, retry: RetryOptions) {
  let left = remaining;
  const readLeft = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining'));
  async function checkNext(at: number): Promise<Verdict[]> {
    // When no request is left, the next call is one of the next day.
    const batch = hosts.slice(at, at + Math.min(maxBulkDomains, left || maxBulkDomains));
    try {
      const { body, response } = await callApi(api, checkDomainsWithKey, { domains: batch });
      left = readLeft(response);
      return verdictsOf(batch, body);
    } catch (error) {
      if (!(error instanceof TryLater) || error.cause?.status !== 429) throw error;
      left = readLeft(error.cause);
      // Another program uses the key too.
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

function verdictsOf(batch: readonly string[], { results }: BulkCheckResponse): Verdict[] {
  if (results.length !== batch.length) {
    const counts = `${results.length} of ${batch.length} domains`;
    throw new CannotFinish(`The server answered ${counts}. Please tell its administrator.`);
  }
  return results.map((result, i) => {
    const domain = batch[i] ?? '';
    if ('error' in result) return { ...unknown, domain, listed: null, checkedAt: null, error: oneLine(result.error) };
    return { ...result, domain, niche: result.niche && oneLine(result.niche), error: null };
  });
}

/** A text of the server without line ends, so that a verdict is one line of a file, and without what steers a terminal. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
