import { expect, test } from 'vitest';
import { sourceKind } from './source-label.tsx';

test.each([
  ['manual', 'manual'],
  ['Crawler', 'crawler'],
  ['community', 'community'],
  ['Fiverr.com', 'fiverr'],
  ['BlackHatWorld', 'blackhatworld'],
  ['Black Hat World', 'blackhatworld'],
  ['fiverr, Legiit', 'multiple'],
  ['fiverr,', 'fiverr'],
  ['multiple', 'multiple'],
  ['Legiit', 'other'],
])('the kind of %s is %s', (source, kind) => {
  expect(sourceKind(source)).toBe(kind);
});
