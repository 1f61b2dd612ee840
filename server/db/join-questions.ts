import { setTimeout as wait } from 'node:timers/promises';
import DataLoader from 'dataloader';

const mostKeys = 1000;
/**
 * Questions on their way at once: what comes meanwhile waits and makes the next one larger. A slow one does not hold up all, and
 * one without an answer is given up.
 */
const mostQuestions = 2;
/** PostgreSQL's code (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const connectionLost = '08006';

/**
 * Joins single questions that are asked at the same moment, or while those before are on their way, into one question to the
 * database. Nothing is kept: each answer was read after it was asked for. When the question fails, so does each of those joined.
 * @param answerAll answers of the keys, in their order
 * @param patience milliseconds until a question counts as one to a database that is away
 */
export function joinQuestions<Key, Answer>(
  answerAll: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  patience = 10_000,
): (key: Key) => Promise<Answer> {
  let onTheirWay = 0;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<Key, Answer>(
    async (keys) => {
      onTheirWay += 1;
      try {
        return await inTime(answerAll(keys), patience);
      } finally {
        onTheirWay -= 1;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: mostKeys,
      batchScheduleFn: (ask) => {
        if (onTheirWay >= mostQuestions) waiting.push(ask);
        else setImmediate(ask);
      },
    },
  );
  return (key) => loader.load(key);
}

/** A connection that broke without a word never answers: whoever waits for it would wait for ever. */
async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  const answered = new AbortController();
  const late = wait(patience, undefined, { signal: answered.signal }).then(() => {
    throw Object.assign(new Error(`The database has not answered for ${patience} ms.`), { code: connectionLost });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    answered.abort();
  }
}
