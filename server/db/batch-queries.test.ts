import { expect, test } from 'vitest';
import { batchQueries } from './batch-queries.ts';

/** Queries that are answered when the test says so; `batches` lists the keys of each. */
function openQueries(timeoutMs?: number) {
  const batches: string[][] = [];
  const answers: (() => void)[] = [];
  const query = batchQueries((keys: readonly string[]) => {
    batches.push([...keys]);
    return new Promise<string[]>((resolve) => answers.push(() => resolve(keys.map((key) => `result of ${key}`))));
  }, timeoutMs);
  return { query, batches, answer: (place: number) => answers[place]?.() };
}
const codeOf = (query: Promise<string>) => query.catch(({ code }: { code: string }) => code);

test('calls at the same moment are one query, and those that come while it runs are the next one', async () => {
  const { query, batches, answer } = openQueries();
  const first = [query('a'), query('b')];
  await expect.poll(() => batches).toEqual([['a', 'b']]);
  const next = [query('c')];
  await new Promise(setImmediate);
  next.push(query('d'));
  expect(batches).toHaveLength(1);
  answer(0);
  expect(await Promise.all(first)).toEqual(['result of a', 'result of b']);
  expect(batches).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  answer(1);
  expect(await Promise.all(next)).toEqual(['result of c', 'result of d']);
});

test('a slow query does not block the next one', async () => {
  const { query, batches, answer } = openQueries();
  const slow = query('slow');
  await expect.poll(() => batches).toEqual([['slow']]);
  const quick = query('quick');
  await expect.poll(() => batches).toEqual([['slow'], ['quick']]);
  answer(1);
  expect(await quick).toBe('result of quick');
  answer(0);
  expect(await slow).toBe('result of slow');
});

test('a query that gets no answer fails in time, and those that waited behind it are asked', async () => {
  const { query, batches, answer } = openQueries(50);
  const lost = codeOf(query('lost'));
  await expect.poll(() => batches).toEqual([['lost']]);
  const waiting = query('answered');
  expect(await lost).toBe('08006');
  expect(batches).toEqual([['lost'], ['answered']]);
  answer(1);
  expect(await waiting).toBe('result of answered');
});
