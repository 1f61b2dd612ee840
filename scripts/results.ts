import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod/mini';

/** The environment variable with the path of the file that Vitest or Playwright writes its results to. */
export const resultsVariable = 'TEST_RESULTS';

/** The results of a run of Vitest or Playwright, for `scripts/test.ts`. */
const Results = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  /** A line for each failed test: its file, its title, and the first line of its error. */
  failures: z.array(z.string()),
  /** Milliseconds per file: starting its environment, importing it, and running its tests with their hooks. */
  files: z.array(z.object({ file: z.string(), setup: z.number(), import: z.number(), tests: z.number() })),
});
export type Results = z.output<typeof Results>;

/** @returns undefined if the run ended before it had written its results */
export function readResults(path: string): Results | undefined {
  try {
    return existsSync(path) ? Results.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}

/** How much longer than its budget on this machine a run may take. */
const tolerance = 2;

/**
 * Returns a sentence that says which step grew most, if a run took more than twice its budget. All numbers are seconds.
 * @param budget on this machine, which may be slower than the one that the steps' budgets are for
 */
export function describeOverrun(
  steps: readonly { title: string; seconds: number; budget: number }[],
  total: number,
  budget: number,
): string | undefined {
  if (total <= tolerance * budget) return;
  const growth = (step: (typeof steps)[number]) => step.seconds / step.budget;
  const [grown] = steps.toSorted((a, b) => growth(b) - growth(a));
  return `The run took ${total} s, more than twice its budget of ${budget} s on this machine. What grew most: ${grown?.title}, ${grown?.seconds} s instead of ${grown?.budget} s.`;
}

/** Formats a table of seconds with a line per file, the slowest first, and a line of totals. */
export function formatTimes(files: Results['files'], maxFiles = files.length): string {
  const columns = ['setup', 'import', 'tests'] as const;
  const rows = files
    .map((times) => ({ name: times.file, times: columns.map((column) => times[column]) }))
    .toSorted((a, b) => sum(b.times) - sum(a.times));
  const totals = {
    name: `${files.length} files`,
    times: columns.map((column) => sum(files.map((times) => times[column]))),
  };
  const line = (cells: readonly string[], name: string) => `${cells.map((cell) => cell.padStart(8)).join('')}  ${name}`;
  const seconds = (times: number[]) => [sum(times), ...times].map((time) => (time / 1000).toFixed(1));
  return [
    line(['seconds', ...columns], 'file'),
    ...[...rows.slice(0, maxFiles), totals].map(({ name, times }) => line(seconds(times), name)),
  ].join('\n');
}

/** Describes a failed test in one line, without the colors of terminals. */
export function describeFailure(file: string, title: string, message = ''): string {
  const [firstLine = ''] = stripVTControlCharacters(message).trim().split('\n');
  return `${file}: ${title}: ${firstLine}`;
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
