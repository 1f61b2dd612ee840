import type { Results } from './results.ts';

/** A line for each file, the longest first, in seconds; then the sum of each column. */
export function timesTable(files: Results['files']): string {
  const columns = ['setup', 'import', 'tests'] as const;
  const rows = files
    .map((times) => ({ name: times.file, times: columns.map((column) => times[column]) }))
    .toSorted((a, b) => sum(b.times) - sum(a.times));
  const all = {
    name: `${files.length} files`,
    times: columns.map((column) => sum(files.map((times) => times[column]))),
  };
  const line = (cells: readonly string[], name: string) => `${cells.map((cell) => cell.padStart(8)).join('')}  ${name}`;
  const seconds = (times: number[]) => [sum(times), ...times].map((time) => (time / 1000).toFixed(1));
  return [
    line(['seconds', ...columns], 'file'),
    ...[...rows, all].map(({ name, times }) => line(seconds(times), name)),
  ].join('\n');
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
