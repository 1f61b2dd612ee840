import { expect, test } from 'vitest';
import { cachedRead } from './cached-read.ts';

test('a page waits for a value that is not known yet, but not longer than it may', async () => {
  const answer = Promise.withResolvers<number>();
  const readSize = cachedRead({
    read: () => answer.promise,
    isKept: () => true,
    what: 'the size',
    pageWaitMs: 20,
    now: () => new Date(),
    log: { warn: () => undefined },
  });
  expect(await readSize()).toBeNull();
  const waiting = readSize();
  answer.resolve(7);
  expect(await waiting).toBe(7);
});
