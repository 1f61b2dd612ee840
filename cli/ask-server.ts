import * as z from 'zod/mini';
import type { Endpoint, ResponseOf } from '#shared/endpoint.ts';
import { BulkAnswer, checkManyWithKey, KeyUsage, readKeyUsage } from '#shared/key-checks.ts';
import { CannotFinish } from './stop.ts';
import { oneLine } from './verdict.ts';

/** What came of one call. Anything that asking again does not mend is thrown as CannotFinish. */
export type Outcome<T> =
  | { kind: 'answered'; body: T; left: number | undefined }
  /** 429: `seconds` as the server said, undefined where it did not; `left` requests may still be asked today. */
  | { kind: 'too many'; sentence: string; seconds: number | undefined; left: number | undefined }
  /** Away, busy or too slow, or a fault of the server, which may not come again. */
  | { kind: 'away'; sentence: string; seconds: number | undefined };

export interface Server {
  readUsage(): Promise<Outcome<KeyUsage>>;
  check(domains: readonly string[]): Promise<Outcome<BulkAnswer>>;
}

export interface Access {
  origin: string;
  key: string;
  /** Ends a call at once. */
  signal: AbortSignal;
  /** After which a call counts as lost. */
  timeoutMs?: number;
}

const ErrorAnswer = z.object({ error: z.string() });
const usualTimeoutMs = 60_000;

/** The calls of the public API that the command needs. One call is one request: whoever calls decides about another try. */
export function openServer(access: Access): Server {
  return {
    readUsage: () => ask(access, readKeyUsage, KeyUsage),
    check: (domains) => ask(access, checkManyWithKey, BulkAnswer, { domains }),
  };
}

async function ask<E extends Endpoint>(
  access: Access,
  { method, path }: E,
  schema: z.ZodMiniType<ResponseOf<E>>,
  body?: object,
): Promise<Outcome<ResponseOf<E>>> {
  const { origin, key, signal, timeoutMs = usualTimeoutMs } = access;
  const timeout = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(origin + path, {
      method,
      headers: { 'x-api-key': key, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // The key is for this server, not for whom it points at.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    text = await response.text();
  } catch (error) {
    if (signal.aborted) throw new CannotFinish('Stopped.');
    return { kind: 'away', sentence: brokenSentence(origin, error, timeout.aborted && timeoutMs), seconds: undefined };
  }
  return judge(origin, response, text, schema);
}

function judge<T>(origin: string, response: Response, text: string, schema: z.ZodMiniType<T>): Outcome<T> {
  const { status, headers } = response;
  const left = wholeNumber(headers.get('x-ratelimit-remaining'));
  const seconds = secondsFrom(headers.get('retry-after'));
  if (status >= 300 && status < 400) {
    throw new CannotFinish(
      `${origin} sends callers to ${oneLine(headers.get('location') ?? 'elsewhere')}: use that --url.`,
    );
  }
  const body = jsonOf(text);
  if (status === 200) {
    const parsed = z.safeParse(schema, body);
    if (parsed.success) return { kind: 'answered', body: parsed.data, left };
    throw new CannotFinish(`${origin} does not answer as Linksieve does. Please check --url.`);
  }
  const told = z.safeParse(ErrorAnswer, body);
  const sentence = told.success ? oneLine(told.data.error) : undefined;
  if (status === 429) return { kind: 'too many', sentence: sentence ?? 'The server asks to wait.', seconds, left };
  if (status >= 500) {
    return { kind: 'away', sentence: sentence ?? `The server at ${origin} can not answer now (${status}).`, seconds };
  }
  throw new CannotFinish(sentence ?? `${origin} answered with ${status}, as Linksieve does not. Please check --url.`);
}

/** @param timedOut milliseconds waited in vain */
function brokenSentence(origin: string, error: unknown, timedOut: number | false): string {
  if (timedOut !== false) return `The server at ${origin} did not answer within ${timedOut / 1000} seconds.`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (/CERT|TLS|SSL|ISSUER|VERIFY/.test(code)) {
    throw new CannotFinish(
      `No trusted connection to ${origin} is to be had (${code}), so nothing was sent. Check --url.`,
    );
  }
  return `The server at ${origin} can not be reached${code === '' ? '' : ` (${code})`}.`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsFrom(text: string | null): number | undefined {
  const seconds = wholeNumber(text) ?? (Date.parse(text ?? '') - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
