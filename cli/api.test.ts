import { describe, expect, test, vi } from 'vitest';
import { findFreePort } from '#server/platform/net/ports.ts';
import { getKeyUsage } from '#shared/checks/key-checks.ts';
import { CommandError, callApi, RetryableError, type RetryOptions, withRetry } from './api.ts';
import { buildErrorFault, type Fault, startProxy } from './faulty-proxy.fixtures.ts';

const { signal } = new AbortController();

describe('callApi', () => {
  const readUsage = (origin: string, timeoutMs?: number) =>
    callApi({ origin, key: 'k', signal, ...(timeoutMs && { timeoutMs }) }, getKeyUsage);
  /** Starts a server on which every request fails in the given way. */
  const startFaultyServer = (fault: Fault) => startProxy('http://site.invalid', () => fault);
  async function expectRetryable(reading: Promise<unknown>, sentence: string | RegExp) {
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow(RetryableError);
  }

  test.each<[fault: Fault, sentence: string]>([
    [{ status: 502 }, 'is not available right now (502).'],
    ['cut', 'cannot be reached'],
    [buildErrorFault(503, 'Busy. Please try again.'), 'Busy. Please try again.'],
    [buildErrorFault(500, 'Our fault.'), 'Our fault.'],
  ])('throws a retryable error after %j', async (fault, sentence) => {
    const { url } = await startFaultyServer(fault);
    await expectRetryable(readUsage(url), sentence);
  });

  test('throws a retryable error for a closed port', async () => {
    await expectRetryable(readUsage(`http://127.0.0.1:${await findFreePort()}`), /cannot be reached \(\w+\)\.$/);
  });

  test('throws a retryable error after a timeout', async () => {
    const { url } = await startFaultyServer('hang');
    await expectRetryable(readUsage(url, 50), 'did not respond within 0.05 seconds');
  });

  async function expectPermanent(reading: Promise<unknown>, sentence: string | RegExp) {
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow(CommandError);
    await expect(reading).rejects.not.toThrow(RetryableError);
  }

  test.each<[fault: Fault, sentence: string]>([
    [{ status: 200, body: '<html>' }, 'is not a Linksieve server. Check --url.'],
    [{ status: 404, body: 'nothing' }, 'returned an unexpected response (404). Check --url.'],
    [
      { status: 301, headers: { location: 'https://site.invalid/' } },
      'redirects to https://site.invalid/. Use that address with --url.',
    ],
    [buildErrorFault(403, 'Something went\u001b[31mwrong.'), 'Something went [31mwrong.'],
  ])('throws a permanent error after %j', async (fault, sentence) => {
    const { url, calls } = await startFaultyServer(fault);
    await expectPermanent(readUsage(url), sentence);
    expect(calls).toHaveLength(1);
  });

  test('sends nothing if the connection is not trusted', async () => {
    const { url, calls } = await startFaultyServer(undefined);
    const sentence = /The connection to https:.* is not secure \(ERR_SSL_\w+\)/;
    await expectPermanent(readUsage(url.replace('http:', 'https:')), sentence);
    expect(calls).toEqual([]);
  });
});

describe('withRetry', () => {
  const failure = (message: string, status: number, retryAfter?: number | string) =>
    new RetryableError(message, {
      cause: new Response(null, { status, ...(retryAfter && { headers: { 'retry-after': `${retryAfter}` } }) }),
    });
  const unavailable = (message: string, retryAfter?: number) => failure(message, 503, retryAfter);
  const tooMany = (retryAfter: number | string) => failure('Too many.', 429, retryAfter);

  /**
   * Runs a call that fails with these errors and then succeeds. Returns the result and the pauses, which take no time
   * here.
   */
  async function run(failures: Error[], options: Partial<RetryOptions> = {}) {
    const pauses: [seconds: number, sentence: string][] = [];
    const call = async () => {
      const next = failures.shift();
      if (next) throw next;
      return 'done';
    };
    const pause = async (...args: [number, string]) => void pauses.push(args);
    const result = await withRetry(call, { wait: true, tries: 8, signal, pause, ...options }).catch(
      (error: unknown) => error,
    );
    return { result, pauses, seconds: pauses.map(([length]) => length) };
  }

  test('retries after 1, 2, 4 … seconds while the server is not available', async () => {
    const errors = [unavailable('Busy.'), new RetryableError('Gone.'), unavailable('Busy.'), unavailable('Broken.')];
    const { result, pauses } = await run(errors);
    expect(result).toBe('done');
    expect(pauses).toEqual([
      [1, 'Busy. Retry 1 of 8.'],
      [2, 'Gone. Retry 2 of 8.'],
      [4, 'Busy. Retry 3 of 8.'],
      [8, 'Broken. Retry 4 of 8.'],
    ]);
  });

  test('waits as long as Retry-After says, up to a minute', async () => {
    const errors = [unavailable('Busy.', 5), unavailable('Busy.', 3600), ...Array(6).fill(unavailable('Busy.'))];
    const { seconds } = await run(errors);
    expect(seconds).toEqual([5, 60, 4, 8, 16, 32, 60, 60]);
  });

  test('throws the error of the last retry', async () => {
    const last = unavailable('Gone.');
    const { result, seconds } = await run([unavailable('Busy.'), last], { tries: 1 });
    expect(result).toBe(last);
    expect(seconds).toEqual([1]);
  });

  test('does not retry after a permanent error', async () => {
    const call = vi.fn(() => Promise.reject(new CommandError('Check --url.')));
    const pause = () => Promise.resolve();
    await expect(withRetry(call, { wait: true, tries: 8, signal, pause })).rejects.toThrow('Check --url.');
    expect(call).toHaveBeenCalledOnce();
  });

  test('retries after 429 when Retry-After says, without counting it as a retry', async () => {
    const { result, pauses } = await run([tooMany('0'), tooMany(40_000)], { tries: 0 });
    expect([result, pauses]).toEqual([
      'done',
      [
        [1, 'Too many.'],
        [40_000, 'Too many.'],
      ],
    ]);
  });

  test('accepts a date in Retry-After', async () => {
    const { seconds } = await run([tooMany(new Date(Date.now() + 90_000).toUTCString())]);
    expect(seconds[0]).toBeGreaterThanOrEqual(88);
    expect(seconds[0]).toBeLessThanOrEqual(90);
  });

  test('waits at most a minute after 429 with --no-wait', async () => {
    const last = tooMany(61);
    const { result, seconds } = await run([tooMany(60), last], { wait: false });
    expect([result, seconds]).toEqual([last, [60]]);
  });
});
