import DataLoader from 'dataloader';

const maxBatchSize = 1000;
/** While a batch runs, new calls wait and form the next one, but no longer than this: a slow batch does not block the others. */
const maxWaitMs = 100;
/** PostgreSQL's code (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const connectionLost = '08006';

/**
 * Unites calls that arrive at the same moment, or while another batch is running, into one query. Nothing is cached: each result
 * was read after its call. When a query fails, all of its calls fail.
 * @param queryAll results in the order of the keys
 * @param timeoutMs after which a query fails as if the connection was lost
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
        return await withTimeout(queryAll(keys), timeoutMs);
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

/** A connection that breaks silently never answers, and its callers would wait forever. */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  // The timers of node:timers/promises would cost more than most queries: cancelling one creates an error with its stack.
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The database has not answered for ${timeoutMs} ms.`;
      reject(Object.assign(new Error(message), { code: connectionLost }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
