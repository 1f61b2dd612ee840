import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resultsVariable } from './results.ts';

test('the reporter writes the counts and the time of each file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linksieve-results-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, 'a.test.js'),
    `test('sound', () => { expect(1).toBe(1); });
    test('wrong', () => { expect(1).toBe(2); });
    test.skip('later', () => {});`,
  );
  const path = join(folder, 'unit.json');
  const { status } = spawnSync(
    join(import.meta.dirname, '../node_modules/.bin/vitest'),
    ['run', '--root', folder, '--globals', '--reporter', join(import.meta.dirname, 'unit-results.ts')],
    { env: { ...process.env, [resultsVariable]: path } },
  );
  const { files, ...counted } = JSON.parse(readFileSync(path, 'utf8'));
  expect(counted).toEqual({
    passed: 1,
    failed: 1,
    skipped: 1,
    failures: ['a.test.js: wrong: expected 1 to be 2 // Object.is equality'],
  });
  expect(files).toEqual([
    { file: 'a.test.js', setup: expect.any(Number), import: expect.any(Number), tests: expect.any(Number) },
  ]);
  expect(status).toBe(1);
});
