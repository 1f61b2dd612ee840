import { expect, onTestFinished, test, vi } from 'vitest';
import { batchQueries } from './batch-queries.ts';

/**
 * Returns a batched query whose batches stay pending until `complete` is called. `batches` lists the keys of each
 * batch.
 */
function createPendingQueries(timeoutMs?: number) {
  const batches: string[][] = [];
  const completions: (() => void)[] = [];
  const query = batchQueries((keys: readonly string[]) => {
    batches.push([...keys]);
    return new Promise<string[]>((resolve) => completions.push(() => resolve(keys.map((key) => `result of ${key}`))));
  }, timeoutMs);
  return { query, batches, complete: (batch: number) => completions[batch]?.() };
}
const getErrorCode = (query: Promise<string>) => query.catch(({ code }: { code: string }) => code);

test('simultaneous calls form one query, and calls made while it runs form the next one', async () => {
  // On a busy machine, the running query could otherwise become a slow one.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { query, batches, complete } = createPendingQueries();
  const first = [query('a'), query('b')];
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  const next = [query('c')];
  await new Promise(setImmediate);
  next.push(query('d'));
  expect(batches).toHaveLength(1);
  complete(0);
  expect(await Promise.all(first)).toEqual(['result of a', 'result of b']);
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  complete(1);
  expect(await Promise.all(next)).toEqual(['result of c', 'result of d']);
});

test('a slow query does not block the next one', async () => {
  const { query, batches, complete } = createPendingQueries();
  const slow = query('slow');
  await expect.poll(() => batches).toEqual([['slow']]);
  const quick = query('quick');
  await expect.poll(() => batches).toEqual([['slow'], ['quick']]);
  complete(1);
  expect(await quick).toBe('result of quick');
  complete(0);
  expect(await slow).toBe('result of slow');
});

test('a query without a response times out, and the calls waiting behind it are sent', async () => {
  const { query, batches, complete } = createPendingQueries(50);
  const lost = getErrorCode(query('lost'));
  await expect.poll(() => batches).toEqual([['lost']]);
  const waiting = query('next');
  expect(await lost).toBe('08006');
  expect(batches).toEqual([['lost'], ['next']]);
  complete(1);
  expect(await waiting).toBe('result of next');
});
