import { expect, test } from 'vitest';
import { toggleRow } from './selection.ts';

const keys = [5, 3, 9, 1, 7];
const toggle = (selected: number[], key: number, isRange = false) => [
  ...toggleRow(keys, new Set(selected), key, isRange),
];

test('a click selects a row, and another click deselects it', () => {
  expect(toggle([], 3)).toEqual([3]);
  expect(toggle([3, 9], 3)).toEqual([9]);
});

test('a range goes up or down from the row that was selected last, keeps other rows, and ends with the clicked row', () => {
  expect(toggle([5, 3], 7, true)).toEqual([5, 3, 9, 1, 7]);
  expect(toggle([7, 1], 3, true)).toEqual([7, 1, 9, 3]);
  expect(toggle([7, 5], 9, true).at(-1)).toBe(9);
});

test('without a row to start from, a range is one row', () => {
  expect(toggle([], 9, true)).toEqual([9]);
  expect(toggle([42], 9, true)).toEqual([42, 9]);
});
