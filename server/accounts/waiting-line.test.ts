import { expect, test } from 'vitest';
import { HttpError } from '../http/errors.ts';
import { openLine } from './waiting-line.ts';

test('a full line refuses with the time of the next try, and takes work again when it has moved on', async () => {
  const line = openLine(1, 1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = line(() => promise);
  const second = line(async () => 'second');
  const refusal = await line(async () => 'third').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': '5' } });
  resolve('first');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  expect(await line(async () => 'fourth')).toBe('fourth');
});

test('work that fails gives its place back', async () => {
  const line = openLine(1, 0);
  await expect(line(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await line(async () => 'next')).toBe('next');
});
