import DataLoader from 'dataloader';
import { runForAll } from './fair-queue.ts';

const maxBatchSize = 1000;
/** New calls wait for the running batch at most this long, so that a slow batch does not block the next one. */
const maxWaitMs = 100;
/** PostgreSQL's code (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const connectionLost = '08006';

/**
 * Batches calls that arrive at the same moment, or while another batch is running, into one query. Nothing is cached:
 * each result is read after its call. If a query fails, all of its calls fail.
 * @param queryAll returns the results in the order of the keys
 * @param timeoutMs time after which a query fails with the error code of a lost connection
 */
export function batchQueries<Key, Result>(
  queryAll: (keys: readonly Key[]) => Promise<readonly Result[]>,
  timeoutMs = 10_000,
): (key: Key) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let blocking: object | undefined;
  const loader = new DataLoader<Key, Result>(
    async (keys) => {
      const batch = {};
      blocking = batch;
      const unblock = () => {
        if (blocking !== batch) return;
        blocking = undefined;
        waiting.shift()?.();
      };
      const slow = setTimeout(unblock, maxWaitMs);
      try {
        return await withTimeout(
          runForAll(() => queryAll(keys)),
          timeoutMs,
        );
      } finally {
        clearTimeout(slow);
        unblock();
      }
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (start) => {
        if (blocking) waiting.push(start);
        else setImmediate(start);
      },
    },
  );
  return (key) => loader.load(key);
}

/** Without a timeout, callers would wait forever for a connection that broke silently. */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  // Timers of node:timers/promises would cost more than most queries: aborting one creates an error with a stack.
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The database did not respond within ${timeoutMs} ms.`;
      reject(Object.assign(new Error(message), { code: connectionLost }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
