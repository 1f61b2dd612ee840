import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTimes, type Results, readResults, resultsVariable } from './results.ts';

/**
 * `npm test`: runs static checks in parallel with unit and server tests, then browser tests and the short trials of
 * faults. The last line is a summary, even after a crash. `--fast` runs only the first part, without the benchmarks on
 * small files. `--times` prints the time of each test file. Only this command retries a failed test once. Tests that pass
 * on the retry are listed at the end: they must be fixed, but do not fail the run.
 */
const { values: options } = parseArgs({ options: { fast: { type: 'boolean' }, times: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));

interface Step {
  title: string;
  command: [program: string, ...parameters: string[]];
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

/** They take about as long as all others of their step. */
const slowTests = options.fast ? ['--exclude', 'bench/bench.test.ts'] : [];
const startedAt = Date.now();
const steps = await Promise.all([
  run({ title: 'Unit and server tests', command: ['vitest', 'run', '--retry=1', ...slowTests], hasResults: true }),
  run({ title: 'Static checks', command: ['npm', 'run', '--silent', 'check'], quiet: true }),
]);
if (!options.fast) {
  const command: Step['command'] = [
    'npm',
    'run',
    '--silent',
    'test:e2e',
    '--',
    '--retries=1',
    '--trace=on-first-retry',
  ];
  steps.push(await run({ title: 'Browser tests', command, hasResults: true }));
  const trials: Step['command'] = ['npm', 'run', '--silent', 'faults', '--', '--short'];
  steps.push(await run({ title: 'Trials of faults', command: trials, hasResults: true }));
}
rmSync(folder, { recursive: true, force: true });

if (options.times) console.log(formatTimes(steps.flatMap(({ results }) => results?.files ?? [])));
// The output of the browser tests pushes errors of the first two steps out of sight.
for (const { title, succeeded, lastLines } of steps.slice(0, 2)) {
  if (!succeeded) console.log(`\n— ${title} failed. Its last lines:\n${lastLines}`);
}
const retried = steps.flatMap(({ results }) => results?.retried ?? []);
console.log(
  `\nPassed only after a retry: ${retried.length === 0 ? 'none' : retried.map((name) => `\n  ${name}`).join('')}`,
);
const totalSeconds = Math.round((Date.now() - startedAt) / 1000);
console.log(`${steps.map(({ title, seconds }) => `${title} ${seconds} s`).join(', ')}; ${totalSeconds} s in total`);

const counts = steps.map(countTests);
const sum = (key: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[key], 0);
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(sum('failed') > 0 ? 1 : 0);

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

/** Counts one failure for a step that failed without a failed test, or that did not write its results. */
function countTests({ succeeded, hasResults, results }: FinishedStep) {
  const { passed, failed, skipped } = results ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: Math.max(failed, succeeded && (results || !hasResults) ? 0 : 1), skipped };
}
