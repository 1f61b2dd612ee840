import { expect, test } from 'vitest';
import { idParams, rowId } from './page.ts';

test('the id in a path has one spelling: its decimal digits', () => {
  expect(idParams.parse({ id: '1000' })).toEqual({ id: 1000 });
  for (const id of ['1e3', '0x10', '01', '0', '-1', '+1', ' 1', '1.0', '', '9007199254740993']) {
    expect([id, idParams.safeParse({ id }).success]).toEqual([id, false]);
  }
  expect([rowId(99).safeParse('99').success, rowId(99).safeParse('100').success]).toEqual([true, false]);
});
