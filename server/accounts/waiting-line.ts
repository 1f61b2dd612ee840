import { unavailable } from '../http/errors.ts';

/** Runs a piece of work when there is a place for it. */
export type Line = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * `places` pieces of work run at a time, at most `mostWaiting` more wait in the order they came.
 * Throws 503 at once when the line is full: a longer wait ends in a broken connection anyway.
 */
export function openLine(places: number, mostWaiting: number): Line {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else if (waiting.length < mostWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw unavailable('Too many people are signing in right now. Please try again in a moment.', 5);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
