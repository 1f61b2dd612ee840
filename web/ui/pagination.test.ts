import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageWindow } from './pagination.tsx';

it('shows every page of a short list', () => {
  expect(pageWindow(0, 1)).toEqual([0]);
  expect(pageWindow(2, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

it('leaves gaps before and after the pages around the current one', () => {
  expect(pageWindow(0, 20)).toEqual([0, 1, 2, 3, 4, 'gap', 19]);
  expect(pageWindow(10, 20)).toEqual([0, 'gap', 9, 10, 11, 'gap', 19]);
  expect(pageWindow(19, 20)).toEqual([0, 'gap', 15, 16, 17, 18, 19]);
});

it('always contains the first, current and last page in order, and always has seven entries', () => {
  const place = fc.integer({ min: 8, max: 400_000 }).chain((total) => fc.tuple(fc.nat(total - 1), fc.constant(total)));
  fc.assert(
    fc.property(place, ([page, total]) => {
      const shown = pageWindow(page, total);
      const numbers = shown.filter((entry) => entry !== 'gap');
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers).toEqual(expect.arrayContaining([0, page, total - 1]));
      expect(shown).toHaveLength(7);
    }),
  );
});
