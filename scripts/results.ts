import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Where a run of Vitest or Playwright writes its results, as the name of an environment variable. */
export const resultsVariable = 'TEST_RESULTS';

/** What a run of Vitest or Playwright writes down for `scripts/test.ts`. */
const Results = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** Tests that passed only at a second try, each with its first fault. */
  retried: z.array(z.string()),
  /** Milliseconds of each file: starting its environment, loading it, and its tests with their hooks. */
  files: z.array(z.object({ file: z.string(), setup: z.number(), import: z.number(), tests: z.number() })),
});
export type Results = z.output<typeof Results>;

/** @returns undefined when the run died before it wrote them, or as it did */
export function readResults(path: string): Results | undefined {
  try {
    return existsSync(path) ? Results.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}

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
