import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Results, resultsVariable } from './results.ts';

/** Fake programs that write the given results and exit with the given codes. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-programs-'));
const write = (name: string) => `[ -n "$${name}" ] && echo "$${name}" > "$${resultsVariable}"; exit $${name}_STATUS`;
createProgram(
  'npm',
  `[ "$3" = check ] && { echo the checks; exit $CHECKS_STATUS; }; [ "$3" = faults ] && { ${write('TRIALS')}; }; echo the pages; ${write('PAGES')}`,
);
createProgram('vitest', `echo the tests say what failed; ${write('UNIT')}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const results = (counts: Partial<Results>) =>
  JSON.stringify({ passed: 0, failed: 0, skipped: 0, retried: [], files: [], ...counts });
const unit = (failed: number) =>
  results({
    passed: 7,
    failed,
    files: [
      { file: 'short.test.ts', setup: 0, import: 100, tests: 200 },
      { file: 'long.test.ts', setup: 0, import: 1000, tests: 2500 },
    ],
  });
const pages = results({ passed: 3, skipped: 1 });
const noTrials = results({});

test.each([
  ['everything passes', 0, unit(0), 0, pages, 0, '10 passed, 0 failed, 1 skipped', 0],
  ['the checks fail', 1, unit(0), 0, pages, 0, '10 passed, 1 failed, 1 skipped', 1],
  ['two tests fail', 0, unit(2), 1, pages, 0, '10 passed, 2 failed, 1 skipped', 1],
  ['the unit tests crash', 0, '', 1, pages, 0, '3 passed, 1 failed, 1 skipped', 1],
  ['the browser tests crash', 0, unit(0), 0, '', 1, '7 passed, 1 failed', 1],
  ['the browser tests write no results', 0, unit(0), 0, '', 0, '7 passed, 1 failed', 1],
  ['the browser tests crash while they write results', 0, unit(0), 0, '{"pas', 1, '7 passed, 1 failed', 1],
])(
  'the last line is a summary if %s',
  (_what, checksStatus, unitText, unitStatus, pagesText, pagesStatus, sum, status) => {
    const ended = run({
      CHECKS_STATUS: String(checksStatus),
      UNIT: unitText,
      UNIT_STATUS: String(unitStatus),
      PAGES: pagesText,
      PAGES_STATUS: String(pagesStatus),
    });
    expect(ended.lines.at(-1)).toBe(sum);
    expect(ended.status).toBe(status);
  },
);

test('a broken promise fails the run', () => {
  const { lines, status } = run({
    UNIT: unit(0),
    PAGES: pages,
    TRIALS: results({ passed: 2, failed: 1 }),
    TRIALS_STATUS: '1',
  });
  expect([lines.at(-1), status]).toEqual(['12 passed, 1 failed, 1 skipped', 1]);
});

test('the output of a failed step is repeated after the browser tests', () => {
  const { lines } = run({ UNIT: unit(1), UNIT_STATUS: '1', PAGES: pages });
  expect(lines.filter((line) => line === 'the tests say what failed')).toHaveLength(2);
  expect(lines.lastIndexOf('the tests say what failed')).toBeGreaterThan(lines.indexOf('— Browser tests'));
});

test('tests that passed only after a retry are listed at the end', () => {
  const retried = results({ passed: 3, retried: ['a.spec.ts > shaky: too early'] });
  const { lines, status } = run({ UNIT: unit(0), PAGES: retried });
  expect(lines.slice(lines.indexOf('Passed only after a retry: '))[1]).toBe('  a.spec.ts > shaky: too early');
  expect(status).toBe(0);
  expect(run({ UNIT: unit(0), PAGES: pages }).lines).toContain('Passed only after a retry: none');
});

test('--fast skips the browser tests', () => {
  const { lines } = run({ UNIT: unit(0) }, '--fast');
  expect(lines).not.toContain('— Browser tests');
  expect(lines.at(-1)).toBe('7 passed, 0 failed');
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
      PATH: folder + delimiter + process.env.PATH,
      CHECKS_STATUS: '0',
      UNIT_STATUS: '0',
      PAGES_STATUS: '0',
      TRIALS: noTrials,
      TRIALS_STATUS: '0',
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
