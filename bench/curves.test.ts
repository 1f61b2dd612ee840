import { expect, test } from 'vitest';
import { buildCharts, drawChart } from './curves.ts';
import { type BenchRun, type Row, toResult } from './measurement.ts';

const search: Row = { work: 'page', unit: 'ms', ours: { median: 4, p95: 9 } };

const run = (date: string, domains: number, rows: Row[]): BenchRun => ({
  date,
  machine: { processors: '2 × test', memoryGb: 4, node: 'v24' },
  results: rows.map((row) => toResult('search', domains, row)),
});

test('each statistic has a chart, with the numbers of all runs in the order of their domains', () => {
  const slow = { ...search, ours: { median: 8, p95: 20 } };
  const runs = [run('2026-01-02', 1_000_000, [slow]), run('2026-01-01', 10_000, [search])];
  const toChart = (title: string, from: number, to: number) => {
    const points = [
      [10_000, from],
      [1_000_000, to],
    ];
    return { title, unit: 'ms', lines: [{ name: 'page', points }] };
  };
  expect(buildCharts(runs)).toEqual({
    'search-median-ms.svg': toChart('search: median', 4, 8),
    'search-p95-ms.svg': toChart('search: p95', 9, 20),
  });
});

test('the newest of several runs with as many domains counts', () => {
  const newer = { ...search, ours: { median: 2 } };
  const runs = [
    run('2026-01-03', 10_000, [newer]),
    run('2026-01-01', 10_000, [search]),
    run('2026-01-02', 100, [search]),
  ];
  expect(buildCharts(runs)['search-median-ms.svg']?.lines[0]?.points).toEqual([
    [100, 4],
    [10_000, 2],
  ]);
});

test('a row that was measured once, or on an empty blacklist, has no line', () => {
  const runs = [run('2026-01-01', 0, [search]), run('2026-01-02', 100, [search])];
  expect(buildCharts(runs)).toEqual({});
});

test('a chart names its title, both axes, the unit and each line', () => {
  const points: [number, number][] = [
    [10_000, 4],
    [30_000_000, 50],
  ];
  const svg = drawChart({ title: 'search: p95', unit: 'ms', lines: [{ name: 'first page', points }] });
  expect(svg).toMatch(/^<svg [^>]*><title>search: p95 \(ms\)<\/title>/);
  expect(svg).not.toMatch(/<style|class=/);
  for (const text of ['search: p95 (ms)', 'listed domains', 'ms', '10 thousand', '10 million', 'first page']) {
    expect(svg).toContain(`>${text}</text>`);
  }
});
