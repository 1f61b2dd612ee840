import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Programs that stand for the real ones: they write the results they are given, and end as they are told. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-programs-'));
program('npm', 'exit 0');
program('chrome', 'exit 0');
program(
  'vitest',
  'echo the tests say what failed; for a; do f=$a; done; [ -n "$UNIT" ] && echo "$UNIT" > "$(echo "$f" | cut -d= -f2)"; exit $UNIT_STATUS',
);
program('playwright', '[ -n "$PAGES" ] && echo "$PAGES" > "$PLAYWRIGHT_JSON_OUTPUT_NAME"; exit $PAGES_STATUS');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const unit = (failed: number) => JSON.stringify({ numPassedTests: 7, numFailedTests: failed, numPendingTests: 0 });
const pages = JSON.stringify({ stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 1 } });

test.each([
  ['everything passes', unit(0), 0, pages, 0, '10 passed, 0 failed, 1 skipped', 0],
  ['two tests fail', unit(2), 1, pages, 0, '10 passed, 2 failed, 1 skipped', 1],
  ['the unit tests die', '', 1, pages, 0, '3 passed, 1 failed, 1 skipped', 1],
  ['the browser tests die', unit(0), 0, '', 1, '7 passed, 1 failed', 1],
  ['the browser tests leave nothing', unit(0), 0, '', 0, '7 passed, 1 failed', 1],
  ['the browser tests die as they write', unit(0), 0, '{"sta', 1, '7 passed, 1 failed', 1],
])('there is a sum when %s', (_what, unitText, unitStatus, pagesText, pagesStatus, sum, status) => {
  const ended = run({
    UNIT: unitText,
    UNIT_STATUS: String(unitStatus),
    PAGES: pagesText,
    PAGES_STATUS: String(pagesStatus),
  });
  expect(ended.stdout.trim().split('\n').at(-1)).toBe(sum);
  expect(ended.status).toBe(status);
});

test('what a failed step said is told again after the steps that pushed it out of sight', () => {
  const { stdout } = run({ UNIT: unit(1), UNIT_STATUS: '1', PAGES: pages, PAGES_STATUS: '0' });
  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => line === 'the tests say what failed')).toHaveLength(2);
  expect(lines.lastIndexOf('the tests say what failed')).toBeGreaterThan(lines.indexOf('— Browser tests'));
});

function run(results: Record<string, string>) {
  return spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts')], {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: folder + delimiter + process.env.PATH,
      CHROME_PATH: join(folder, 'chrome'),
      ...results,
    },
  });
}

function program(name: string, script: string): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
