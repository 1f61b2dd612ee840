import { expect, test, vi } from 'vitest';
import { askPatiently, type Manner } from './ask-patiently.ts';
import type { Outcome } from './ask-server.ts';
import { CannotFinish } from './stop.ts';

const answer: Outcome<string> = { kind: 'answered', body: 'done', left: undefined };
const away = (sentence: string, seconds?: number): Outcome<string> => ({ kind: 'away', sentence, seconds });
const tooMany = (seconds: number): Outcome<string> => ({ kind: 'too many', sentence: 'Slowly.', seconds, left: 0 });

/** Asks a server that gives these outcomes, then an answer. Returns the result and the pauses, which take no time here. */
async function ask(outcomes: Outcome<string>[], manner: Partial<Manner> = {}) {
  const pauses: [seconds: number, sentence: string][] = [];
  const result = await askPatiently(async () => outcomes.shift() ?? answer, {
    wait: true,
    tries: 8,
    signal: new AbortController().signal,
    pause: async (...pause) => void pauses.push(pause),
    ...manner,
  }).then(
    ({ body }) => body,
    (error: unknown) => error,
  );
  return { result, pauses, seconds: pauses.map(([length]) => length) };
}

test('a server that is away is asked again after 1, 2, 4 … seconds', async () => {
  const { result, pauses } = await ask([away('Busy.'), away('Gone.'), away('Busy.'), away('At fault.')]);
  expect(result).toBe('done');
  expect(pauses).toEqual([
    [1, 'Busy. Try 1 of 8 follows.'],
    [2, 'Gone. Try 2 of 8 follows.'],
    [4, 'Busy. Try 3 of 8 follows.'],
    [8, 'At fault. Try 4 of 8 follows.'],
  ]);
});

test('a pause lasts as long as the server asks for, up to a minute', async () => {
  const { seconds } = await ask([away('Busy.', 5), away('Busy.', 3600), ...Array(6).fill(away('Busy.'))]);
  expect(seconds).toEqual([5, 60, 4, 8, 16, 32, 60, 60]);
});

test('the last try that fails ends it with the sentence of the server', async () => {
  const { result, seconds } = await ask([away('Busy.'), away('Gone.')], { tries: 1 });
  expect(result).toEqual(new CannotFinish('Gone.'));
  expect(seconds).toEqual([1]);
});

test('an error that a retry cannot fix ends it at once', async () => {
  const call = vi.fn(() => Promise.reject(new CannotFinish('Check --url.')));
  const pause = () => Promise.resolve();
  const asking = askPatiently(call, { wait: true, tries: 8, signal: new AbortController().signal, pause });
  await expect(asking).rejects.toThrow('Check --url.');
  expect(call).toHaveBeenCalledOnce();
});

test('429 is waited for as long as it says, without counting as a try', async () => {
  const { result, pauses } = await ask([tooMany(0), tooMany(40_000)], { tries: 0 });
  expect([result, pauses]).toEqual([
    'done',
    [
      [1, 'Slowly.'],
      [40_000, 'Slowly.'],
    ],
  ]);
});

test('with --no-wait, 429 is waited for up to a minute', async () => {
  const { result, seconds } = await ask([tooMany(60), tooMany(61)], { wait: false });
  expect([result, seconds]).toEqual([new CannotFinish('Slowly.'), [60]]);
});
