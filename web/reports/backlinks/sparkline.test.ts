import { expect, test } from 'vitest';
import { describeSparkline, toPath } from './sparkline.tsx';

const point = (toxicityPercentage: number | null) => ({
  date: '2026-01-05T12:00:00.000Z',
  toxicityPercentage,
  toxicDomains: 2,
  uniqueDomains: toxicityPercentage === null ? 11 : 100,
});

test('a sparkline is described by its values, oldest first', () => {
  expect(describeSparkline([point(12), point(null), point(4.26)])).toBe(
    'Toxicity of the last 3 reports, oldest first: 12%, 2 of 11 domains, 4.3%.',
  );
  expect(describeSparkline([point(8)])).toBe('Toxicity of the only report: 8%.');
});

test('the line has a gap where a report has no percentage, and a lone point is a dot', () => {
  const points = [10, 20, null, 30].map((value, index) => ({ value, x: index * 10, y: value ?? 0 }));
  expect(toPath(points)).toBe('M0 10L0 10L10 20M30 30L30 30');
  expect(toPath([{ value: null, x: 0, y: 0 }])).toBe('');
});
