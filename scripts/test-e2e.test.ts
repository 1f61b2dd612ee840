import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Fake programs for Chromium and Playwright. The latter prints how it was started. */
const folder = mkdtempSync(join(tmpdir(), 'linksieve-programs-'));
for (const [name, script] of [
  ['chrome', 'exit 0'],
  ['playwright', 'echo "$@" with "$CHROME_PATH"; exit 3'],
] as const) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a missing Chromium is reported in one sentence', () => {
  const { stdout, stderr, status } = run(join(folder, 'nowhere'));
  expect(stderr).toMatch(/^The browser tests need Chromium, but CHROME_PATH is not a program: \S+nowhere\n$/);
  expect(stdout).toBe('');
  expect(status).toBe(1);
});

test('Playwright gets the arguments and the path of Chromium, and its exit code is returned', () => {
  const chrome = join(folder, 'chrome');
  const { stdout, status } = run(chrome);
  expect(stdout).toBe(`test screens --ui with ${chrome}\n`);
  expect(status).toBe(3);
});

const run = (chrome: string) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'test-e2e.ts'), 'screens', '--ui'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: folder + delimiter + process.env.PATH, CHROME_PATH: chrome },
  });
