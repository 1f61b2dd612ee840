import { expect, test } from 'vitest';
import { plural } from './format-count.ts';

test('ten million are counted with commas', () => {
  expect(plural(10_000_000, 'domain')).toBe('10,000,000 domains');
  expect(plural(1, 'match', 'matches')).toBe('1 match');
});
