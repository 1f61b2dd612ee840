import { expect, test } from 'vitest';
import { descriptions } from './head.ts';

const entries = Object.entries(descriptions);

test.each(entries)('the description of %s has a length that search results show in full', (_path, description) => {
  expect(description.length).toBeGreaterThanOrEqual(110);
  expect(description.length).toBeLessThanOrEqual(155);
});

test('no two pages share a description', () => {
  expect(new Set(entries.map(([, description]) => description)).size).toBe(entries.length);
});
