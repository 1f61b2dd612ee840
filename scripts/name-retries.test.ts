import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a test that passes only at its second try is named with its first fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linksieve-retries-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'a.test.js'),
    `let tries = 0;
    test('shaky', () => { if (++tries === 1) throw new Error('too early'); });
    test('sound', () => { expect(1).toBe(1); });`,
  );
  const { stdout, status } = spawnSync(
    join(import.meta.dirname, '../node_modules/.bin/vitest'),
    ['run', '--root', folder, '--globals', '--retry=1', '--reporter', join(import.meta.dirname, 'name-retries.ts')],
    { encoding: 'utf8' },
  );
  expect(stdout.trim().split('\n')).toEqual(['Passed only at another try: a.test.js > shaky', '  too early']);
  expect(status).toBe(0);
});
