import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureSlowness } from './machine-speed.ts';
import { describeOverrun, formatTimes, type Results, readResults, resultsVariable } from './results.ts';

/**
 * `npm test`: runs everything that can break on an edit. Static checks run in parallel with unit and server tests, then
 * come the browser tests. `--fast` leaves out the browser tests. `--thorough` (`npm run test:thorough`) runs the long
 * proofs instead: test files whose names contain `.thorough.`, the short trials of faults, and the server tests on
 * other databases (`npm run test:matrix`). `--times` prints the time of every test file, not only of the ten slowest.
 * The last line is a summary, even after a crash. No test is retried.
 */
const { values: options } = parseArgs({
  options: { fast: { type: 'boolean' }, thorough: { type: 'boolean' }, times: { type: 'boolean' } },
});
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));

interface Step {
  title: string;
  command: [program: string, ...parameters: string[]];
  /** The seconds that the step takes at most on two idle cores. */
  budget: number;
  /** Prints the output at the end, because another step prints at the same time. */
  quiet?: true;
  /** Whether the step runs tests and writes their results. */
  hasResults?: true;
}

interface FinishedStep extends Step {
  succeeded: boolean;
  seconds: number;
  results: Results | undefined;
  lastLines: string;
}
const maxLastLines = 120;

const npmRun = (...parameters: string[]): Step['command'] => ['npm', 'run', '--silent', ...parameters];
const checks: Step = { title: 'Static checks', command: npmRun('check'), budget: 80, quiet: true };
const unitTests = (budget: number): Step => ({
  title: 'Unit and server tests',
  command: ['vitest', 'run'],
  budget,
  hasResults: true,
});
const browserTests = (budget: number): Step => ({
  title: 'Browser tests',
  // Recording traces takes a fifth of the processor time. `npm run test:e2e` records them.
  command: npmRun('test:e2e', '--', '--trace=off'),
  budget,
  hasResults: true,
});
const trials: Step = {
  title: 'Trials of faults',
  command: npmRun('faults', '--', '--short'),
  budget: 200,
  hasResults: true,
};

const matrix: Step = {
  title: 'Matrix of databases',
  command: npmRun('test:matrix'),
  budget: 330,
  hasResults: true,
};

/** The steps of each array run at the same time. */
function chooseSteps(): Step[][] {
  if (options.thorough) return [[unitTests(330)], [browserTests(300)], [trials], [matrix]];
  if (options.fast) return [[unitTests(330), checks]];
  return [[unitTests(330), checks], [browserTests(560)]];
}

const chosen = chooseSteps();
const startedAt = Date.now();
const steps: FinishedStep[] = [];
let budget = 0;
for (const group of chosen) {
  const finished = await Promise.all(group.map(run));
  steps.push(...finished);
  const groupBudget = Math.max(...group.map((step) => step.budget));
  const isLate = finished.some(({ seconds }) => seconds > groupBudget);
  budget += groupBudget * (isLate ? await measureSlowness() : 1);
}
const totalSeconds = Math.round((Date.now() - startedAt) / 1000);
rmSync(folder, { recursive: true, force: true });

const files = steps.flatMap(({ results }) => results?.files ?? []);
console.log(options.times ? formatTimes(files) : `\nThe slowest files:\n${formatTimes(files, 10)}`);
// The output of later steps pushes errors of earlier ones out of sight.
for (const { title, succeeded, lastLines } of steps.slice(0, -1)) {
  if (!succeeded) console.log(`\n— ${title} failed. Its last lines:\n${lastLines}`);
}
console.log(`\n${steps.map(({ title, seconds }) => `${title} ${seconds} s`).join(', ')}; ${totalSeconds} s in total`);
const overrun = describeOverrun(steps, totalSeconds, Math.round(budget));
if (overrun) console.log(overrun);
for (const failure of steps.flatMap(listFailures)) console.log(`Failed: ${failure}`);

const counts = steps.map(countTests);
const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0);
const failed = sum('failed') + (overrun ? 1 : 0);
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);

async function run(step: Step): Promise<FinishedStep> {
  const { title, command, quiet, hasResults } = step;
  const [program, ...parameters] = command;
  const path = join(folder, `${title}.json`);
  const start = Date.now();
  if (!quiet) console.log(`\n— ${title}`);
  const child = spawn(program, parameters, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...(options.thorough && { TEST_THOROUGH: '1' }),
      ...(hasResults && { [resultsVariable]: path }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (!quiet) process.stdout.write(text);
      output += text;
    });
  }
  let succeeded = false;
  try {
    const [status] = await once(child, 'close');
    succeeded = status === 0;
  } catch (error) {
    output += error instanceof Error ? error.message : error;
    if (!quiet) console.error(error);
  }
  const seconds = Math.round((Date.now() - start) / 1000);
  if (quiet) console.log(`\n— ${title}\n${output}`);
  const lastLines = output.split('\n').slice(-maxLastLines).join('\n');
  return { ...step, succeeded, seconds, results: hasResults && readResults(path), lastLines };
}

/** Names a step that failed without a failed test by its title. */
function listFailures({ title, succeeded, results }: FinishedStep): string[] {
  if (results && results.failures.length > 0) return results.failures;
  return succeeded ? [] : [title];
}

/** Counts one failure for a step that failed without a failed test, or that did not write its results. */
function countTests({ succeeded, hasResults, results }: FinishedStep) {
  const { passed, failed, skipped } = results ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: Math.max(failed, succeeded && (results || !hasResults) ? 0 : 1), skipped };
}
