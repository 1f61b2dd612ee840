import { expect, test } from 'vitest';
import { createToxicityScale, fullScale } from './toxicity-scale.ts';

const positions = ({ toPosition }: typeof fullScale, ...values: number[]) => values.map(toPosition);

test('up to 15% the scale is linear, with the thresholds at one and two thirds', () => {
  for (const highest of [0, 4, 15]) {
    const scale = createToxicityScale(highest);
    expect([scale.ends, scale.breakAt]).toEqual([[15], null]);
    expect(positions(scale, 0, 5, 10, 15)).toEqual([0, 1 / 3, 2 / 3, 1]);
  }
});

test('for higher values the scale breaks at 15% and ends at the next multiple of 20', () => {
  expect([15.1, 18.9, 20, 21, 47, 61, 99.9, 100].map((highest) => createToxicityScale(highest).ends[1])).toEqual([
    20, 20, 20, 40, 60, 80, 100, 100,
  ]);
  const scale = createToxicityScale(55);
  expect([scale.ends, scale.breakAt]).toEqual([[15, 60], 0.75]);
  expect(positions(scale, 0, 5, 10, 15, 60)).toEqual([0, 0.25, 0.5, 0.75, 1]);
});

test('a higher value is always further along', () => {
  const values = [0, 0.1, 4.9, 5, 10, 14.9, 15, 15.1, 40, 99.9, 100];
  const places = positions(fullScale, ...values);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(values.length);
});
