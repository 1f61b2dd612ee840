import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Results, readResults, resultsVariable, timesTable } from './results.ts';

/**
 * `npm test`: static checks beside unit and server tests, then browser tests; one sum at the end, whatever dies on the way.
 * `--fast` leaves out the browser tests, `--times` prints where the time went, file by file.
 * Here alone a failed test has a second try: a fault that does not show again is named at the end. It is to be mended, but keeps
 * nobody from landing.
 */
const { values: options } = parseArgs({ options: { fast: { type: 'boolean' }, times: { type: 'boolean' } } });
const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));

interface Step {
  title: string;
  command: [program: string, ...parameters: string[]];
  /** Its output is printed when it has ended, because another step prints meanwhile. */
  quiet?: true;
  /** It counts tests and writes their results. */
  counts?: true;
}

/** A step that has ended: whether well, what it counted, and its last lines. */
interface Ended extends Step {
  done: boolean;
  seconds: number;
  results: Results | undefined;
  lastLines: string;
}
const linesKept = 120;

const begun = Date.now();
const steps = await Promise.all([
  run({ title: 'Unit and server tests', command: ['vitest', 'run', '--retry=1'], counts: true }),
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
  steps.push(await run({ title: 'Browser tests', command, counts: true }));
}
rmSync(folder, { recursive: true, force: true });

if (options.times) console.log(timesTable(steps.flatMap(({ results }) => results?.files ?? [])));
// The first two steps run side by side, and the browser tests push both out of sight.
for (const { title, done, lastLines } of steps.slice(0, 2)) {
  if (!done) console.log(`\n— ${title}: the last lines, once more\n${lastLines}`);
}
const retried = steps.flatMap(({ results }) => results?.retried ?? []);
console.log(
  `\nPassed only at a second try: ${retried.length === 0 ? 'none' : retried.map((name) => `\n  ${name}`).join('')}`,
);
const whole = Math.round((Date.now() - begun) / 1000);
console.log(`${steps.map(({ title, seconds }) => `${title} ${seconds} s`).join(', ')}; ${whole} s in all`);

const sums = steps.map(countOf);
const sum = (key: 'passed' | 'failed' | 'skipped') => sums.reduce((total, counted) => total + counted[key], 0);
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(sum('failed') > 0 ? 1 : 0);

async function run(step: Step): Promise<Ended> {
  const { title, command, quiet, counts } = step;
  const [program, ...parameters] = command;
  const path = join(folder, `${program}.json`);
  const since = Date.now();
  if (!quiet) console.log(`\n— ${title}`);
  const child = spawn(program, parameters, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...(counts && { [resultsVariable]: path }),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (!quiet) process.stdout.write(text);
      said += text;
    });
  }
  let done = false;
  try {
    const [status] = await once(child, 'close');
    done = status === 0;
  } catch (error) {
    said += error instanceof Error ? error.message : error;
    if (!quiet) console.error(error);
  }
  const seconds = Math.round((Date.now() - since) / 1000);
  if (quiet) console.log(`\n— ${title}\n${said}`);
  const lastLines = said.split('\n').slice(-linesKept).join('\n');
  return { ...step, done, seconds, results: counts && readResults(path), lastLines };
}

/** A step that ends badly without a failed test, or leaves no results where it counts tests, is a failure of its own. */
function countOf({ done, counts, results }: Ended): { passed: number; failed: number; skipped: number } {
  const { passed, failed, skipped } = results ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: Math.max(failed, done && (results || !counts) ? 0 : 1), skipped };
}
