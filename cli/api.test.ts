import { describe, expect, test, vi } from 'vitest';
import { freePort } from '#server/net/ports.ts';
import { getKeyUsage } from '#shared/key-checks.ts';
import { CannotFinish, callApi, type RetryOptions, TryLater, withRetry } from './api.ts';
import { errorFault, type Fault, openProxy } from './faulty-proxy.fixtures.ts';

const { signal } = new AbortController();

describe('a call', () => {
  const readUsage = (origin: string, timeoutMs?: number) =>
    callApi({ origin, key: 'k', signal, ...(timeoutMs && { timeoutMs }) }, getKeyUsage);
  /** A server on which every request fails in this way. */
  const openFaulty = (fault: Fault) => openProxy('http://site.invalid', () => fault);
  async function expectTryLater(reading: Promise<unknown>, sentence: string | RegExp) {
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow(TryLater);
  }

  test.each<[fault: Fault, sentence: string]>([
    [{ status: 502 }, 'can not answer now (502).'],
    ['cut', 'can not be reached'],
    [errorFault(503, 'Busy. Please try again.'), 'Busy. Please try again.'],
    [errorFault(500, 'Our fault.'), 'Our fault.'],
  ])('may succeed later after %j', async (fault, sentence) => {
    const { url } = await openFaulty(fault);
    await expectTryLater(readUsage(url), sentence);
  });

  test('may succeed later after a closed port', async () => {
    await expectTryLater(readUsage(`http://127.0.0.1:${await freePort()}`), /can not be reached \(\w+\)\.$/);
  });

  test('may succeed later after a server that does not answer in time', async () => {
    const { url } = await openFaulty('hang');
    await expectTryLater(readUsage(url, 50), 'did not answer within 0.05 seconds');
  });

  async function expectCannotFinish(reading: Promise<unknown>, sentence: string | RegExp) {
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow(CannotFinish);
    await expect(reading).rejects.not.toThrow(TryLater);
  }

  test.each<[fault: Fault, sentence: string]>([
    [{ status: 200, body: '<html>' }, 'does not answer as Linksieve does. Please check --url.'],
    [{ status: 404, body: 'nothing' }, 'answered with 404, as Linksieve does not.'],
    [
      { status: 301, headers: { location: 'https://site.invalid/' } },
      'sends callers to https://site.invalid/: use that --url.',
    ],
    [errorFault(403, 'Something went\u001b[31mwrong.'), 'Something went [31mwrong.'],
  ])('fails for good where the server is not Linksieve: %j', async (fault, sentence) => {
    const { url, calls } = await openFaulty(fault);
    await expectCannotFinish(readUsage(url), sentence);
    expect(calls).toHaveLength(1);
  });

  test('sends nothing over an untrusted connection', async () => {
    const { url, calls } = await openFaulty(undefined);
    const sentence = /No trusted connection to https:.*\(ERR_SSL_\w+\)/;
    await expectCannotFinish(readUsage(url.replace('http:', 'https:')), sentence);
    expect(calls).toEqual([]);
  });
});

describe('a retry', () => {
  const failure = (message: string, status: number, retryAfter?: number | string) =>
    new TryLater(message, {
      cause: new Response(null, { status, ...(retryAfter && { headers: { 'retry-after': `${retryAfter}` } }) }),
    });
  const away = (message: string, retryAfter?: number) => failure(message, 503, retryAfter);
  const tooMany = (retryAfter: number | string) => failure('Slowly.', 429, retryAfter);

  /** Runs a call that fails so, then succeeds. Returns the result and the pauses, which take no time here. */
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

  test('follows after 1, 2, 4 … seconds while the server is away', async () => {
    const { result, pauses } = await run([away('Busy.'), new TryLater('Gone.'), away('Busy.'), away('At fault.')]);
    expect(result).toBe('done');
    expect(pauses).toEqual([
      [1, 'Busy. Try 1 of 8 follows.'],
      [2, 'Gone. Try 2 of 8 follows.'],
      [4, 'Busy. Try 3 of 8 follows.'],
      [8, 'At fault. Try 4 of 8 follows.'],
    ]);
  });

  test('follows as late as the server asks for, up to a minute', async () => {
    const { seconds } = await run([away('Busy.', 5), away('Busy.', 3600), ...Array(6).fill(away('Busy.'))]);
    expect(seconds).toEqual([5, 60, 4, 8, 16, 32, 60, 60]);
  });

  test('does not follow the last try: its error ends the work', async () => {
    const last = away('Gone.');
    const { result, seconds } = await run([away('Busy.'), last], { tries: 1 });
    expect(result).toBe(last);
    expect(seconds).toEqual([1]);
  });

  test('does not follow an error that it can not fix', async () => {
    const call = vi.fn(() => Promise.reject(new CannotFinish('Check --url.')));
    const pause = () => Promise.resolve();
    await expect(withRetry(call, { wait: true, tries: 8, signal, pause })).rejects.toThrow('Check --url.');
    expect(call).toHaveBeenCalledOnce();
  });

  test('follows 429 as late as it says, without counting as a try', async () => {
    const { result, pauses } = await run([tooMany('0'), tooMany(40_000)], { tries: 0 });
    expect([result, pauses]).toEqual([
      'done',
      [
        [1, 'Slowly.'],
        [40_000, 'Slowly.'],
      ],
    ]);
  });

  test('reads Retry-After as a date too', async () => {
    const { seconds } = await run([tooMany(new Date(Date.now() + 90_000).toUTCString())]);
    expect(seconds[0]).toBeGreaterThanOrEqual(88);
    expect(seconds[0]).toBeLessThanOrEqual(90);
  });

  test('follows 429 after a minute at most with --no-wait', async () => {
    const last = tooMany(61);
    const { result, seconds } = await run([tooMany(60), last], { wait: false });
    expect([result, seconds]).toEqual([last, [60]]);
  });
});
