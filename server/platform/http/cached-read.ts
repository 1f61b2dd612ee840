import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

const cacheMs = 60_000;

interface CachedRead<T> {
  read(): Promise<T>;
  /** Whether the value is kept for a minute. A value that is not kept is read again by the next request. */
  isKept(value: T): boolean;
  /** What is read, for the log: 'the size of the blacklist'. */
  what: string;
  /** Milliseconds for which a caller waits. Then it gets the last known value, or null. */
  pageWaitMs: number;
  now(): Date;
  log: Pick<FastifyBaseLogger, 'warn'>;
}

/**
 * Returns a function that reads a value at most once a minute, because public pages are requested far more often than
 * it changes. While the database is slow or down it returns the last known value, or null, so that pages are still
 * served.
 */
export function cachedRead<T>({ read, isKept, what, pageWaitMs, now, log }: CachedRead<T>): () => Promise<T | null> {
  let known: T | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    try {
      const value = await read();
      known = value;
      if (isKept(value)) readAt = now().getTime();
    } catch (error) {
      log.warn({ err: error }, `could not read ${what} for public pages`);
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    // The clock may have been ahead at the last reading.
    if (Math.abs(now().getTime() - readAt) < cacheMs) return known;
    reading ??= refresh();
    await Promise.race([reading, setTimeout(pageWaitMs, undefined, { ref: false })]);
    return known;
  };
}
