import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './ask-server.ts';
import { shortWait } from './help.ts';
import { CannotFinish } from './stop.ts';

export interface Manner {
  /** Whether waits longer than `shortWait` are waited. */
  wait: boolean;
  /** Repetitions while the server is away. */
  tries: number;
  /** Stops before the next call. */
  signal: AbortSignal;
  /** Waits before the next call, for the reason that the sentence gives. */
  pause(seconds: number, sentence: string): Promise<void>;
}

export type Answered<T> = Extract<Outcome<T>, { kind: 'answered' }>;

const longestPause = 60;

/**
 * Asks until there is an answer: after 429 as late as the server says, otherwise after pauses of 1, 2, 4 … seconds.
 * Throws CannotFinish with the server's last sentence when it is no use.
 */
export async function askPatiently<T>(call: () => Promise<Outcome<T>>, manner: Manner): Promise<Answered<T>> {
  let tried = 0;
  for (;;) {
    if (manner.signal.aborted) throw new CannotFinish('Stopped.');
    const outcome = await call();
    if (outcome.kind === 'answered') return outcome;
    const told = outcome.kind === 'too many' ? outcome.seconds : undefined;
    if (told !== undefined) {
      if (told > shortWait && !manner.wait) throw new CannotFinish(outcome.sentence);
      await manner.pause(Math.max(1, told), outcome.sentence);
      continue;
    }
    if (tried >= manner.tries) throw new CannotFinish(outcome.sentence);
    const seconds = Math.max(Math.min(2 ** tried, longestPause), Math.min(outcome.seconds ?? 0, longestPause));
    tried += 1;
    await manner.pause(seconds, `${outcome.sentence} Try ${tried} of ${manner.tries} follows.`);
  }
}

/**
 * Waits by the clock, second by second: after a machine slept, it continues when the time is over. Throws CannotFinish when
 * aborted.
 * @param onSecond is called when the wait begins, and every second of it
 */
export async function pauseByClock(
  seconds: number,
  signal: AbortSignal,
  onSecond: (until: Date) => void,
): Promise<void> {
  const until = new Date(Date.now() + seconds * 1000);
  try {
    for (;;) {
      const left = until.getTime() - Date.now();
      if (left <= 0) return;
      onSecond(until);
      await sleep(Math.min(1000, left), undefined, { signal });
    }
  } catch (error) {
    throw signal.aborted ? new CannotFinish('Stopped.') : error;
  }
}
