import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeOverrun, formatTimes, type Results, resultsVariable } from './results.ts';

/** Fake programs that write the given results and exit with the given codes. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-programs-'));
const write = (name: string) => `[ -n "$${name}" ] && echo "$${name}" > "$${resultsVariable}"; exit $${name}_STATUS`;
createProgram(
  'npm',
  `[ "$3" = check ] && { echo the checks; exit $CHECKS_STATUS; }; [ "$3" = faults ] && { ${write('TRIALS')}; }; [ "$3" = test:matrix ] && { ${write('MATRIX')}; }; echo "the pages (thorough: $TEST_THOROUGH)"; ${write('PAGES')}`,
);
createProgram('vitest', `echo "the tests say what failed (thorough: $TEST_THOROUGH)"; ${write('UNIT')}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const results = (counts: Partial<Results>) =>
  JSON.stringify({ passed: 0, failed: 0, skipped: 0, failures: [], files: [], ...counts });
const unit = (failed: number) =>
  results({
    passed: 7,
    failed,
    failures: Array.from({ length: failed }, (_, i) => `short.test.ts: fact ${i}: expected 1 to be 2`),
    files: [
      { file: 'short.test.ts', setup: 0, import: 100, tests: 200 },
      { file: 'long.test.ts', setup: 0, import: 1000, tests: 2500 },
    ],
  });
const pages = results({ passed: 3, skipped: 1 });
const noTests = results({});

test.each([
  { what: 'everything passes', unitText: unit(0), sum: '10 passed, 0 failed, 1 skipped', status: 0 },
  { what: 'the checks fail', checksStatus: 1, unitText: unit(0), sum: '10 passed, 1 failed, 1 skipped', status: 1 },
  { what: 'two tests fail', unitText: unit(2), unitStatus: 1, sum: '10 passed, 2 failed, 1 skipped', status: 1 },
  { what: 'the unit tests crash', unitText: '', unitStatus: 1, sum: '3 passed, 1 failed, 1 skipped', status: 1 },
  {
    what: 'the browser tests crash',
    unitText: unit(0),
    pagesText: '',
    pagesStatus: 1,
    sum: '7 passed, 1 failed',
    status: 1,
  },
  {
    what: 'the browser tests write no results',
    unitText: unit(0),
    pagesText: '',
    sum: '7 passed, 1 failed',
    status: 1,
  },
  {
    what: 'the browser tests crash while they write results',
    unitText: unit(0),
    pagesText: '{"pas',
    pagesStatus: 1,
    sum: '7 passed, 1 failed',
    status: 1,
  },
])('the last line is a summary if $what', (row) => {
  const { checksStatus = 0, unitText, unitStatus = 0, pagesText = pages, pagesStatus = 0, sum, status } = row;
  const ended = run({
    CHECKS_STATUS: String(checksStatus),
    UNIT: unitText,
    UNIT_STATUS: String(unitStatus),
    PAGES: pagesText,
    PAGES_STATUS: String(pagesStatus),
  });
  expect(ended.lines.at(-1)).toBe(sum);
  expect(ended.status).toBe(status);
});

test('--thorough runs the long proofs without the static checks, and fails if a promise is broken', () => {
  const { lines, status } = run(
    {
      UNIT: unit(0),
      PAGES: pages,
      TRIALS: results({ passed: 2, failed: 1 }),
      TRIALS_STATUS: '1',
      MATRIX: results({ passed: 5 }),
      CHECKS_STATUS: '1',
    },
    '--thorough',
  );
  expect(lines.filter((line) => line.startsWith('the tests') || line.startsWith('the pages'))).toEqual([
    'the tests say what failed (thorough: 1)',
    'the pages (thorough: 1)',
  ]);
  expect([lines.at(-1), status]).toEqual(['17 passed, 1 failed, 1 skipped', 1]);
});

test('the output of a failed step is repeated after the browser tests', () => {
  const { lines } = run({ UNIT: unit(1), UNIT_STATUS: '1', PAGES: pages });
  const whatFailed = 'the tests say what failed (thorough: )';
  expect(lines.filter((line) => line === whatFailed)).toHaveLength(2);
  expect(lines.lastIndexOf(whatFailed)).toBeGreaterThan(lines.indexOf('— Browser tests'));
});

test('the last lines name the failed tests', () => {
  const { lines } = run({ UNIT: unit(2), UNIT_STATUS: '1', PAGES: pages, CHECKS_STATUS: '1' });
  expect(lines.slice(-5)).toEqual([
    'Failed: short.test.ts: fact 0: expected 1 to be 2',
    'Failed: short.test.ts: fact 1: expected 1 to be 2',
    'Failed: Static checks',
    '',
    '10 passed, 3 failed, 1 skipped',
  ]);
});

test('--fast skips the browser tests', () => {
  const { lines } = run({ UNIT: unit(0) }, '--fast');
  expect(lines).not.toContain('— Browser tests');
  expect(lines.at(-1)).toBe('7 passed, 0 failed');
});

test('the ten slowest files are printed with the totals of all', () => {
  const files = Array.from({ length: 12 }, (_, i) => ({ file: `${i}.test.ts`, setup: 0, import: 0, tests: 1000 * i }));
  const lines = formatTimes(files, 10).split('\n');
  expect(lines).toHaveLength(12);
  expect([lines[1], lines[10], lines[11]]).toEqual([
    '    11.0     0.0     0.0    11.0  11.test.ts',
    '     2.0     0.0     0.0     2.0  2.test.ts',
    '    66.0     0.0     0.0    66.0  12 files',
  ]);
});

test('a run that takes more than twice its budget fails with the step that grew most', () => {
  const steps = [
    { title: 'Unit and server tests', seconds: 400, budget: 230 },
    { title: 'Browser tests', seconds: 561, budget: 250 },
  ];
  expect(describeOverrun(steps, 960, 480)).toBeUndefined();
  expect(describeOverrun(steps, 961, 480)).toBe(
    'The run took 961 s, more than twice its budget of 480 s on this machine. What grew most: Browser tests, 561 s instead of 250 s.',
  );
});

test('--times prints the seconds of each file, the slowest first', () => {
  const { lines } = run({ UNIT: unit(0), PAGES: pages }, '--times');
  expect(lines.filter((line) => /\d {2}\S/.test(line))).toEqual([
    '     3.5     0.0     1.0     2.5  long.test.ts',
    '     0.3     0.0     0.1     0.2  short.test.ts',
    '     3.8     0.0     1.1     2.7  2 files',
  ]);
});

function run(given: Record<string, string>, ...parameters: string[]) {
  const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...parameters], {
    encoding: 'utf8',
    env: {
      ...process.env,
      TEST_THOROUGH: '',
      PATH: folder + delimiter + process.env.PATH,
      CHECKS_STATUS: '0',
      UNIT_STATUS: '0',
      PAGES_STATUS: '0',
      TRIALS: noTests,
      TRIALS_STATUS: '0',
      MATRIX: noTests,
      MATRIX_STATUS: '0',
      ...given,
    },
  });
  return { lines: stdout.trimEnd().split('\n'), status };
}

function createProgram(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
