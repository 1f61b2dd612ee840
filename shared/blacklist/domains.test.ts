import { expect, test } from 'vitest';
import { toDomainOrder } from './domains.ts';

test('sorts without a direction mean newest first, highest first and A to Z', () => {
  expect(toDomainOrder('date-added')).toEqual({ column: 'date', descending: true });
  expect(toDomainOrder('risk-level')).toEqual({ column: 'risk', descending: true });
  expect(toDomainOrder('source')).toEqual({ column: 'source', descending: false });
});
