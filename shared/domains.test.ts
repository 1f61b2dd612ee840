import { expect, test } from 'vitest';
import { toDomainOrder } from './domains.ts';

test('the short names of sorts mean newest, highest and A to Z', () => {
  expect(toDomainOrder('date-added')).toEqual({ column: 'date', descending: true });
  expect(toDomainOrder('risk-level')).toEqual({ column: 'risk', descending: true });
  expect(toDomainOrder('source')).toEqual({ column: 'source', descending: false });
});
