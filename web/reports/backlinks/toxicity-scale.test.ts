import { expect, test } from 'vitest';
import { createToxicityScale, fullScale } from './toxicity-scale.ts';

const positions = ({ toPosition }: typeof fullScale, ...values: number[]) => values.map(toPosition);

test('up to 20% the scale is linear, with the thresholds at a quarter and a half', () => {
  for (const highest of [0, 4, 20]) {
    const scale = createToxicityScale(highest);
    expect([scale.ends, scale.breakAt]).toEqual([[20], null]);
    expect(positions(scale, 0, 5, 10, 20)).toEqual([0, 0.25, 0.5, 1]);
  }
});

test('for higher values the scale breaks at 20% and ends at the next multiple of 20', () => {
  expect([20.1, 38.9, 40, 41, 47, 61, 99.9, 100].map((highest) => createToxicityScale(highest).ends[1])).toEqual([
    40, 40, 40, 60, 60, 80, 100, 100,
  ]);
  const scale = createToxicityScale(55);
  expect([scale.ends, scale.breakAt]).toEqual([[20, 60], 0.75]);
  expect(positions(scale, 0, 5, 10, 20, 60)).toEqual([0, 0.1875, 0.375, 0.75, 1]);
});

test('a higher value is always further along', () => {
  const values = [0, 0.1, 4.9, 5, 10, 19.9, 20, 20.1, 40, 99.9, 100];
  const places = positions(fullScale, ...values);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(values.length);
});
