import { expect, test } from 'vitest';
import { formatNumber, formatTable } from './format.ts';
import { type Row, toResult } from './measurement.ts';
import { quantile, slope } from './statistics.ts';

const row: Row = {
  work: 'import',
  unit: 's',
  ours: { median: 3, p95: 4 },
  peer: { name: 'COPY', value: 2 },
  budget: { ratio: { max: 1.5 }, p95: { max: 4 } },
};

test('a row meets its budget if all of its limits are met', () => {
  expect(toResult('import', 10, row)).toEqual({ ...row, measurement: 'import', domains: 10, ratio: 1.5, met: true });
  expect(toResult('import', 10, { ...row, peer: { name: 'COPY', value: 1.9 } }).met).toBe(false);
  expect(toResult('import', 10, { ...row, ours: { median: 3, p95: 4.1 } }).met).toBe(false);
  expect(toResult('checks', 10, { ...row, budget: { ratio: { min: 1.6 } } }).met).toBe(false);
  expect(toResult('import', 10, { ...row, budget: undefined }).met).toBeUndefined();
});

test('a row without a number is an error', () => {
  expect(() => toResult('import', 10, { ...row, ours: {} })).toThrow("'import' has no number.");
  expect(() => toResult('import', 10, { ...row, ours: { median: quantile([], 0.5) } })).toThrow('has no number');
});

test('the number of domains of a row replaces that of the run', () => {
  expect(toResult('import', 10, { ...row, domains: 0 }).domains).toBe(0);
});

test('the table shows numbers with units, the ratio, the limits and the verdict', () => {
  const memory: Row = { work: 'memory', unit: 'MB', ours: { value: 1234.5 } };
  const results = [toResult('import', 10_000, row), toResult('import', 10_000, memory)];
  expect(formatTable(results).split('\n').slice(2)).toEqual([
    '| import | 10,000 | median 3 s, p95 4 s | COPY 2 s | 1.5 | ≤ 1.5 ×, p95 ≤ 4 s | met |',
    '| memory | 10,000 | 1,235 MB |  |  |  |  |',
  ]);
});

test.each([
  [0.256, '0.26'],
  [9.123, '9.12'],
  [74.72, '74.7'],
  [300.4, '300'],
  [-12.34, '-12.3'],
])('%d is shown as %s', (number, text) => {
  expect(formatNumber(number)).toBe(text);
});

test('the slope is that of the line through the points', () => {
  const points = [
    { x: 0, y: 100 },
    { x: 0.5, y: 103 },
    { x: 1, y: 106 },
  ];
  expect(slope(points)).toBeCloseTo(6);
});
