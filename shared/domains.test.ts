import { expect, test } from 'vitest';
import { orderOf } from './domains.ts';

test('the short names of sorts mean newest, highest and A to Z', () => {
  expect(orderOf('date-added')).toEqual({ column: 'date', descending: true });
  expect(orderOf('risk-level')).toEqual({ column: 'risk', descending: true });
  expect(orderOf('source')).toEqual({ column: 'source', descending: false });
});
